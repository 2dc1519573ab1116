import { responseOf } from '../core/content/responsesStream';
import { arrayAt, isArray, isObject, objectAt, stringAt, toJson, type JsonObject } from '../core/base/json';
import type { PromptRole } from '../core/model/labels';
import type { RecordedUsage } from '../core/model/transcript';
import { providerMessage } from './faults';
import {
  NativeBackend,
  objectsAt,
  only,
  textsOfContent,
  type NativeMessage,
  type NativeRequest,
  type NativeResponse,
} from './nativeBackend';
import { readUsage } from '../core/formats/common/usage';

/**
 * An item of the OpenAI Responses API, or a reply of several items, which is `{output: [...]}` as in the response that
 * they came in.
 */
export class ResponsesMessage implements NativeMessage<ResponsesMessage> {
  constructor(readonly native: JsonObject) {}

  /** The items in their order. */
  items(): readonly JsonObject[] {
    return isReply(this.native) ? objectsAt(this.native, 'output') : [this.native];
  }

  role(): PromptRole {
    return isReply(this.native) ? 'assistant' : roleOfItem(this.native);
  }

  /** A call goes back with the reasoning that led to it (OpenAI reasoning guide, 2026-09). */
  preserveReasoning(): boolean {
    return this.items().some(({ type }) => type === 'reasoning') && this.items().some(isCall);
  }

  /** A message that is nothing but reasoning becomes an empty reply, so that the number of messages stays. */
  withoutReasoning(): ResponsesMessage {
    const kept = this.items().filter(({ type }) => type !== 'reasoning');
    return kept.length === this.items().length ? this : new ResponsesMessage({ output: kept });
  }

  withRole(role: PromptRole): ResponsesMessage {
    const type = role === 'assistant' ? 'output_text' : 'input_text';
    const content = this.texts().map(text => ({ type, text }));
    return new ResponsesMessage({ type: 'message', role: role === 'tool' ? 'user' : role, content });
  }

  texts(): readonly string[] {
    return this.items().flatMap(itemTexts);
  }
}

/** A whole response, or one event of a stream. */
export class ResponsesResponse implements NativeResponse {
  constructor(readonly native: JsonObject) {}

  reasoningContent(): string | undefined {
    switch (this.native['type']) {
      case 'response.reasoning_summary_text.delta':
      case 'response.reasoning_text.delta':
        return stringAt(this.native, 'delta');
      default:
        return this.wholeText(({ type }) => type === 'reasoning');
    }
  }

  content(): string | undefined {
    return this.native['type'] === 'response.output_text.delta'
      ? stringAt(this.native, 'delta')
      : this.wholeText(({ type }) => type === 'message');
  }

  /** Whether this is a response and not an event of a stream. */
  isWhole(): boolean {
    return stringAt(this.native, 'type') === undefined && isArray(this.native['output']);
  }

  private wholeText(includes: (item: JsonObject) => boolean): string | undefined {
    const texts = this.isWhole() ? objectsAt(this.native, 'output').filter(includes).flatMap(itemTexts) : [];
    return texts.length === 0 ? undefined : texts.join('');
  }
}

/** The OpenAI Responses API. The provider is asked to keep nothing, so reasoning comes encrypted and goes back so. */
export class OpenAiResponsesBackend extends NativeBackend<ResponsesMessage, ResponsesResponse> {
  protected readonly api = 'OpenAI Responses API';

  userMessage(content: string): ResponsesMessage {
    return new ResponsesMessage({
      type: 'message',
      role: 'user',
      content: [{ type: 'input_text', text: content }],
    });
  }

  systemMessage(content: string): ResponsesMessage {
    return new ResponsesMessage({
      type: 'message',
      role: 'system',
      content: [{ type: 'input_text', text: content }],
    });
  }

  toolMessage(toolCallId: string, content: string): ResponsesMessage {
    return new ResponsesMessage({ type: 'function_call_output', call_id: toolCallId, output: content });
  }

  message(native: JsonObject): ResponsesMessage {
    return new ResponsesMessage(native);
  }

  response(native: JsonObject): ResponsesResponse {
    return new ResponsesResponse(native);
  }

  /** A message may come without its type; every other item has one. */
  isMessage(native: JsonObject): boolean {
    const { type, role, content } = native;
    return type === undefined
      ? isReply(native) || (typeof role === 'string' && (typeof content === 'string' || isArray(content)))
      : typeof type === 'string' && !type.startsWith('response.');
  }

  mergeChunks(responses: readonly ResponsesResponse[]): ResponsesMessage | undefined {
    const output = arrayAt(responseOf(responses.map(({ native }) => native)), 'output').filter(isObject);
    return replyOf(output);
  }

  wholeResponse(responses: readonly ResponsesResponse[]): JsonObject | undefined {
    const whole = responses.findLast(response => response.isWhole())?.native;
    return whole ?? responseOf(responses.map(({ native }) => native));
  }

  usage(responses: readonly ResponsesResponse[]): RecordedUsage | undefined {
    return readUsage(objectAt(this.wholeResponse(responses), 'usage'), 'responses');
  }

  request(messages: readonly ResponsesMessage[], members: JsonObject, isStream: boolean): NativeRequest {
    return {
      path: '/responses',
      body: {
        store: false,
        include: ['reasoning.encrypted_content'],
        ...members,
        input: messages.flatMap(message => message.items()),
        ...(isStream ? { stream: true } : {}),
      },
    };
  }

  countRequest(messages: readonly ResponsesMessage[], members: JsonObject): NativeRequest {
    const { path, body } = this.request(messages, members, false);
    const counted = only(
      body,
      'model',
      'input',
      'instructions',
      'tools',
      'tool_choice',
      'parallel_tool_calls',
      'reasoning',
      'text',
      'truncation',
    );
    return { path: `${path}/input_tokens`, body: counted };
  }

  protected override errorIn(response: ResponsesResponse): string | undefined {
    const { native } = response;
    if (native['type'] === 'error' || native['type'] === 'response.failed') {
      return providerMessage(objectAt(native, 'response') ?? native) ?? 'the response failed';
    }
    return native['error'] === null ? undefined : super.errorIn(response);
  }

  protected wholeMessage(response: ResponsesResponse): ResponsesMessage | undefined {
    return response.isWhole()
      ? (replyOf(objectsAt(response.native, 'output')) ?? new ResponsesMessage({ output: [] }))
      : undefined;
  }

  protected startsStream({ native }: ResponsesResponse): boolean {
    return native['type'] === 'response.created';
  }

  protected isEnd({ native }: ResponsesResponse): boolean {
    return native['type'] === 'response.completed' || native['type'] === 'response.incomplete';
  }

  protected headers(apiKey: string | undefined): Readonly<Record<string, string>> {
    return apiKey === undefined ? {} : { authorization: `Bearer ${apiKey}` };
  }
}

function replyOf(output: readonly JsonObject[]): ResponsesMessage | undefined {
  const [first] = output;
  return first === undefined ? undefined : new ResponsesMessage(output.length === 1 ? first : { output });
}

function isReply(native: JsonObject): boolean {
  return stringAt(native, 'type') === undefined && isArray(native['output']);
}

function isCall({ type }: JsonObject): boolean {
  return typeof type === 'string' && type.endsWith('_call');
}

function roleOfItem(item: JsonObject): PromptRole {
  const type = stringAt(item, 'type') ?? 'message';
  if (type === 'message') {
    switch (item['role']) {
      case 'system':
      case 'developer':
        return 'system';
      case 'assistant':
        return 'assistant';
      default:
        return 'user';
    }
  }
  if (type === 'additional_tools') {
    return 'system';
  }
  return type.endsWith('_output') ? 'tool' : type === 'reasoning' || isCall(item) ? 'assistant' : 'user';
}

function itemTexts(item: JsonObject): readonly string[] {
  if (isCall(item)) {
    const given = ['arguments', 'input', 'action'].map(key => item[key]).find(value => value !== undefined);
    return [stringAt(item, 'name') ?? [], typeof given === 'string' ? given : toJson(given)].flat();
  }
  if (item['type'] === 'reasoning') {
    const words = textsOfContent(item['content']);
    return words.length > 0 ? words : textsOfContent(item['summary']);
  }
  return textsOfContent(item['content'] ?? item['output']);
}
