import { chatCompletionOf, mergeChatChunks } from '../core/content/openaiStream';
import { objectAt, stringAt, type JsonObject } from '../core/base/json';
import type { PromptRole } from '../core/model/labels';
import type { RecordedUsage } from '../core/model/transcript';
import {
  NativeBackend,
  only,
  objectsAt,
  textsOfContent,
  without,
  type CountTokens,
  type Endpoint,
  type NativeMessage,
  type NativeRequest,
  type NativeResponse,
} from './nativeBackend';
import { readUsage } from '../core/formats/common/usage';

/** The names under which servers send reasoning beside the content. */
const reasoningMembers = ['reasoning_content', 'reasoning', 'reasoning_details'] as const;

/** A message of the OpenAI chat completions API and of those that copy it. */
export class OpenAiChatMessage implements NativeMessage<OpenAiChatMessage> {
  constructor(readonly native: JsonObject) {}

  /** `developer` is the newer name of the system role, `function` the older one of the tool role. */
  role(): PromptRole {
    switch (this.native['role']) {
      case 'system':
      case 'developer':
        return 'system';
      case 'assistant':
        return 'assistant';
      case 'tool':
      case 'function':
        return 'tool';
      default:
        return 'user';
    }
  }

  /** A call goes back with the reasoning that led to it, an answer need not (DeepSeek thinking mode guide, 2026-09). */
  preserveReasoning(): boolean {
    return this.role() === 'assistant' && objectsAt(this.native, 'tool_calls').length > 0;
  }

  withoutReasoning(): OpenAiChatMessage {
    return reasoningMembers.some(name => Object.hasOwn(this.native, name))
      ? new OpenAiChatMessage(without(this.native, ...reasoningMembers))
      : this;
  }

  withRole(role: PromptRole): OpenAiChatMessage {
    return new OpenAiChatMessage({ ...this.native, role });
  }

  texts(): readonly string[] {
    const reasoning = stringAt(this.native, 'reasoning_content') ?? stringAt(this.native, 'reasoning');
    const calls = objectsAt(this.native, 'tool_calls').map(call => objectAt(call, 'function'));
    return [
      ...textsOfContent(this.native['content']),
      ...(reasoning === undefined ? [] : [reasoning]),
      ...calls.flatMap(call => [stringAt(call, 'name') ?? [], stringAt(call, 'arguments') ?? []].flat()),
    ];
  }
}

/** A whole response, or one chunk of a stream. Only the first choice is looked at. */
export class OpenAiChatResponse implements NativeResponse {
  constructor(readonly native: JsonObject) {}

  /** OpenRouter and vLLM call it `reasoning`. */
  reasoningContent(): string | undefined {
    const part = this.message() ?? this.delta();
    return stringAt(part, 'reasoning_content') ?? stringAt(part, 'reasoning');
  }

  content(): string | undefined {
    return stringAt(this.message() ?? this.delta(), 'content');
  }

  /** The message of a whole response. */
  message(): JsonObject | undefined {
    return objectAt(this.choice(), 'message');
  }

  /** What a chunk adds. */
  delta(): JsonObject | undefined {
    return objectAt(this.choice(), 'delta');
  }

  /** Why the reply ended, where it has. */
  finishReason(): string | undefined {
    return stringAt(this.choice(), 'finish_reason');
  }

  private choice(): JsonObject | undefined {
    return objectsAt(this.native, 'choices').find(choice => (choice['index'] ?? 0) === 0);
  }
}

const chatRoles: ReadonlySet<unknown> = new Set([
  'system',
  'developer',
  'user',
  'assistant',
  'tool',
  'function',
]);

/** The OpenAI chat completions API, and the servers that copy it. */
export class OpenAiChatBackend extends NativeBackend<OpenAiChatMessage, OpenAiChatResponse> {
  protected readonly api = 'OpenAI chat completions API';

  /** @param counts the server has a counting service for chats. */
  constructor(
    contextWindow: number,
    countTokens: CountTokens,
    endpoint?: Endpoint,
    private readonly counts = false,
  ) {
    super(contextWindow, countTokens, endpoint);
  }

  userMessage(content: string): OpenAiChatMessage {
    return new OpenAiChatMessage({ role: 'user', content });
  }

  systemMessage(content: string): OpenAiChatMessage {
    return new OpenAiChatMessage({ role: 'system', content });
  }

  toolMessage(toolCallId: string, content: string): OpenAiChatMessage {
    return new OpenAiChatMessage({ role: 'tool', tool_call_id: toolCallId, content });
  }

  message(native: JsonObject): OpenAiChatMessage {
    return new OpenAiChatMessage(native);
  }

  response(native: JsonObject): OpenAiChatResponse {
    return new OpenAiChatResponse(native);
  }

  isMessage({ role }: JsonObject): boolean {
    return chatRoles.has(role);
  }

  mergeChunks(responses: readonly OpenAiChatResponse[]): OpenAiChatMessage | undefined {
    const merged = mergeChatChunks(responses.map(response => response.delta()));
    return merged && new OpenAiChatMessage(merged);
  }

  wholeResponse(responses: readonly OpenAiChatResponse[]): JsonObject | undefined {
    const whole = responses.findLast(response => response.message() !== undefined)?.native;
    return whole ?? chatCompletionOf(responses.map(({ native }) => native));
  }

  usage(responses: readonly OpenAiChatResponse[]): RecordedUsage | undefined {
    return readUsage(objectAt(this.wholeResponse(responses), 'usage'), 'openaiChat');
  }

  request(messages: readonly OpenAiChatMessage[], members: JsonObject, isStream: boolean): NativeRequest {
    return {
      path: '/chat/completions',
      body: {
        ...members,
        messages: messages.map(({ native }) => native),
        ...(isStream ? { stream: true, stream_options: { include_usage: true } } : {}),
      },
    };
  }

  /** OpenAI has none for chats; servers that have one (llama.cpp) name it like that of the Responses API. */
  countRequest(messages: readonly OpenAiChatMessage[], members: JsonObject): NativeRequest | undefined {
    return this.counts
      ? {
          path: '/chat/completions/input_tokens',
          body: {
            ...only(members, 'model', 'tools', 'tool_choice', 'chat_template_kwargs'),
            messages: messages.map(({ native }) => native),
          },
        }
      : undefined;
  }

  protected wholeMessage(response: OpenAiChatResponse): OpenAiChatMessage | undefined {
    const message = response.message();
    return message && new OpenAiChatMessage(message);
  }

  protected startsStream({ native }: OpenAiChatResponse, first: OpenAiChatResponse): boolean {
    return first.native['id'] !== native['id'];
  }

  protected isEnd(response: OpenAiChatResponse): boolean {
    return response.finishReason() !== undefined;
  }

  protected headers(apiKey: string | undefined): Readonly<Record<string, string>> {
    return apiKey === undefined ? {} : { authorization: `Bearer ${apiKey}` };
  }
}
