import { anthropicMessageOf, mergeAnthropicEvents } from '../core/content/anthropicStream';
import { arrayAt, isArray, isObject, objectAt, stringAt, toJson, type JsonObject } from '../core/base/json';
import type { PromptRole } from '../core/model/labels';
import type { RecordedUsage } from '../core/model/transcript';
import {
  NativeBackend,
  objectsAt,
  only,
  type NativeMessage,
  type NativeRequest,
  type NativeResponse,
} from './nativeBackend';
import { readUsage } from '../core/formats/common/usage';

const reasoningTypes: ReadonlySet<unknown> = new Set(['thinking', 'redacted_thinking']);

/** What the API asks for where a request names no limit, in tokens: it is required, and every model allows this much. */
const defaultMaximumOutput = 4096;

/**
 * A message of the Anthropic Messages API. Results of tools are user messages of `tool_result` blocks. System messages
 * that stand first go into the `system` member of a request; one further behind stays where it is, which newer models
 * accept (Anthropic mid-conversation system messages guide, 2026-10).
 */
export class AnthropicMessage implements NativeMessage<AnthropicMessage> {
  constructor(readonly native: JsonObject) {}

  /** `tool` for a user message that brings nothing but results. */
  role(): PromptRole {
    switch (this.native['role']) {
      case 'system':
        return 'system';
      case 'assistant':
        return 'assistant';
      default: {
        const blocks = this.blocks();
        return blocks.length > 0 && blocks.every(block => block['type'] === 'tool_result') ? 'tool' : 'user';
      }
    }
  }

  /** A call goes back with the signed thinking that led to it (Anthropic extended thinking guide, 2026-10). */
  preserveReasoning(): boolean {
    const blocks = this.blocks();
    return (
      this.native['role'] === 'assistant' &&
      blocks.some(block => block['type'] === 'tool_use') &&
      blocks.some(isSignedReasoning)
    );
  }

  withoutReasoning(): AnthropicMessage {
    const { content } = this.native;
    if (!isArray(content) || !this.blocks().some(isReasoning)) {
      return this;
    }
    return new AnthropicMessage({
      ...this.native,
      content: this.blocks().filter(block => !isReasoning(block)),
    });
  }

  withRole(role: PromptRole): AnthropicMessage {
    return new AnthropicMessage({ ...this.native, role: role === 'tool' ? 'user' : role });
  }

  texts(): readonly string[] {
    const content = stringAt(this.native, 'content');
    return content === undefined ? this.blocks().flatMap(blockTexts) : [content];
  }

  private blocks(): readonly JsonObject[] {
    return objectsAt(this.native, 'content');
  }
}

/** A whole response, or one event of a stream. */
export class AnthropicResponse implements NativeResponse {
  constructor(readonly native: JsonObject) {}

  reasoningContent(): string | undefined {
    return this.textOf('thinking');
  }

  content(): string | undefined {
    return this.textOf('text');
  }

  private textOf(name: 'text' | 'thinking'): string | undefined {
    switch (this.native['type']) {
      case 'message': {
        const texts = objectsAt(this.native, 'content').flatMap(block => stringAt(block, name) ?? []);
        return texts.length === 0 ? undefined : texts.join('');
      }
      case 'content_block_start':
        return stringAt(objectAt(this.native, 'content_block'), name);
      case 'content_block_delta':
        return stringAt(objectAt(this.native, 'delta'), name);
      default:
        return undefined;
    }
  }
}

/** The Anthropic Messages API. */
export class AnthropicBackend extends NativeBackend<AnthropicMessage, AnthropicResponse> {
  protected readonly api = 'Anthropic Messages API';

  userMessage(content: string): AnthropicMessage {
    return new AnthropicMessage({ role: 'user', content });
  }

  systemMessage(content: string): AnthropicMessage {
    return new AnthropicMessage({ role: 'system', content });
  }

  toolMessage(toolCallId: string, content: string): AnthropicMessage {
    return new AnthropicMessage({
      role: 'user',
      content: [{ type: 'tool_result', tool_use_id: toolCallId, content }],
    });
  }

  message(native: JsonObject): AnthropicMessage {
    return new AnthropicMessage(native);
  }

  response(native: JsonObject): AnthropicResponse {
    return new AnthropicResponse(native);
  }

  isMessage({ role, content }: JsonObject): boolean {
    return (
      (role === 'user' || role === 'assistant' || role === 'system') &&
      (typeof content === 'string' || isArray(content))
    );
  }

  mergeChunks(responses: readonly AnthropicResponse[]): AnthropicMessage | undefined {
    const content = mergeAnthropicEvents(responses.map(response => response.native));
    return content.length === 0 ? undefined : new AnthropicMessage({ role: 'assistant', content });
  }

  wholeResponse(responses: readonly AnthropicResponse[]): JsonObject | undefined {
    const whole = responses.findLast(({ native }) => native['type'] === 'message')?.native;
    return whole ?? anthropicMessageOf(responses.map(response => response.native));
  }

  usage(responses: readonly AnthropicResponse[]): RecordedUsage | undefined {
    return readUsage(objectAt(this.wholeResponse(responses), 'usage'), 'anthropic');
  }

  request(messages: readonly AnthropicMessage[], members: JsonObject, isStream: boolean): NativeRequest {
    const natives = messages.map(({ native }) => native);
    const firstTurn = natives.findIndex(({ role }) => role !== 'system');
    const leading = natives.slice(0, firstTurn < 0 ? natives.length : firstTurn);
    const system = [
      ...systemParts(members['system']),
      ...leading.flatMap(({ content }) => systemParts(content)),
    ];
    return {
      path: '/v1/messages',
      body: {
        max_tokens: defaultMaximumOutput,
        ...members,
        ...(system.length === 0 ? {} : { system }),
        messages: natives.slice(leading.length),
        ...(isStream ? { stream: true } : {}),
      },
    };
  }

  countRequest(messages: readonly AnthropicMessage[], members: JsonObject): NativeRequest {
    const { path, body } = this.request(messages, members, false);
    const counted = only(body, 'model', 'messages', 'system', 'tools', 'tool_choice', 'thinking');
    return { path: `${path}/count_tokens`, body: counted };
  }

  protected wholeMessage({ native }: AnthropicResponse): AnthropicMessage | undefined {
    return native['type'] === 'message'
      ? new AnthropicMessage({ role: 'assistant', content: arrayAt(native, 'content').filter(isObject) })
      : undefined;
  }

  protected startsStream({ native }: AnthropicResponse): boolean {
    return native['type'] === 'message_start';
  }

  protected isEnd({ native }: AnthropicResponse): boolean {
    return native['type'] === 'message_stop';
  }

  protected headers(apiKey: string | undefined): Readonly<Record<string, string>> {
    return {
      'anthropic-version': '2023-06-01',
      ...(apiKey === undefined ? {} : { 'x-api-key': apiKey }),
    };
  }
}

/** A system prompt, which may be a string, as a list of blocks. */
function systemParts(system: unknown): readonly unknown[] {
  return typeof system === 'string' ? [{ type: 'text', text: system }] : isArray(system) ? system : [];
}

function isReasoning(block: JsonObject): boolean {
  return reasoningTypes.has(block['type']);
}

/** Redacted thinking is encrypted as a whole and needs no signature. */
function isSignedReasoning(block: JsonObject): boolean {
  const signature = stringAt(block, 'signature') ?? '';
  return block['type'] === 'redacted_thinking' || (block['type'] === 'thinking' && signature !== '');
}

function blockTexts(block: JsonObject): readonly string[] {
  switch (block['type']) {
    case 'text':
      return [stringAt(block, 'text') ?? ''];
    case 'thinking':
      return [stringAt(block, 'thinking') ?? ''];
    case 'tool_use':
      return [stringAt(block, 'name') ?? '', toJson(block['input'] ?? {})];
    case 'tool_result': {
      const content = stringAt(block, 'content');
      return content === undefined ? objectsAt(block, 'content').flatMap(blockTexts) : [content];
    }
    default:
      return [];
  }
}
