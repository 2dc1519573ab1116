import { mergeChatChunks } from '../core/formats/openaiStream';
import {
  AgentError,
  type ContextBackend,
  type ContextBackendResponse,
  type ContextMessage,
} from '../core/model/contextBackend';
import type { PromptRole } from '../core/model/labels';
import { isRecord } from '../core/model/jsonValue';
import {
  BackendDefaults,
  countTexts,
  errorText,
  nativeList,
  parseNative,
  recordMember,
  stringMember,
  type CountTokens,
  type NativeJson,
} from './backendDefaults';

/** A message of the OpenAI chat completions API and of those that copy it. */
export class OpenAiChatMessage implements ContextMessage<OpenAiChatMessage> {
  constructor(readonly native: NativeJson) {}

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
    return this.role() === 'assistant' && nativeList(this.native['tool_calls']).length > 0;
  }

  withoutReasoning(): OpenAiChatMessage {
    if (!('reasoning_content' in this.native)) {
      return this;
    }
    const kept = Object.entries(this.native).filter(([name]) => name !== 'reasoning_content');
    return new OpenAiChatMessage(Object.fromEntries(kept));
  }

  withRole(role: PromptRole): OpenAiChatMessage {
    return new OpenAiChatMessage({ ...this.native, role });
  }

  /** Everything that a tokenizer can count; images and audio cannot be counted from their data. */
  texts(): readonly string[] {
    const { content, reasoning_content: reasoning } = this.native;
    const calls = nativeList(this.native['tool_calls']).map(call => recordMember(call, 'function') ?? {});
    return [
      content,
      reasoning,
      ...nativeList(content).map(part => part['text']),
      ...calls.flatMap(call => [call['name'], call['arguments']]),
    ].filter(text => typeof text === 'string');
  }
}

/** A whole response, or one chunk of a stream. Only the first choice is looked at. */
export class OpenAiChatResponse implements ContextBackendResponse {
  constructor(readonly native: NativeJson) {}

  reasoningContent(): string | undefined {
    return stringMember(this.message() ?? this.delta() ?? {}, 'reasoning_content');
  }

  content(): string | undefined {
    return stringMember(this.message() ?? this.delta() ?? {}, 'content');
  }

  /** The message of a whole response. */
  message(): NativeJson | undefined {
    return this.member('message');
  }

  /** What a chunk adds. */
  delta(): NativeJson | undefined {
    return this.member('delta');
  }

  private member(name: 'message' | 'delta'): NativeJson | undefined {
    const first = nativeList(this.native['choices']).find(choice => (choice['index'] ?? 0) === 0);
    return first && recordMember(first, name);
  }
}

/** The OpenAI chat completions API without its network: messages, streams, windows. */
export class OpenAiChatBackend
  extends BackendDefaults<OpenAiChatMessage, OpenAiChatResponse>
  implements ContextBackend<OpenAiChatMessage, OpenAiChatResponse>
{
  readonly #window: number;
  readonly #countTokens: CountTokens;

  /** @param contextWindow size of the model's window in tokens. */
  constructor(contextWindow: number, countTokens: CountTokens) {
    super();
    this.#window = contextWindow;
    this.#countTokens = countTokens;
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

  mergeChunks(responses: readonly OpenAiChatResponse[]): OpenAiChatMessage | undefined {
    const deltas = responses.map(response => response.delta()).filter(delta => delta !== undefined);
    const merged = mergeChatChunks(deltas);
    return merged && new OpenAiChatMessage(merged);
  }

  /** Whole responses give a message each; the chunks of each stream, told apart by their id, are merged. */
  extractMessagesFromBackendResponse(responses: readonly OpenAiChatResponse[]): readonly OpenAiChatMessage[] {
    const messages: OpenAiChatMessage[] = [];
    let stream: OpenAiChatResponse[] = [];
    const endStream = () => {
      const merged = this.mergeChunks(stream);
      messages.push(...(merged === undefined ? [] : [merged]));
      stream = [];
    };
    for (const response of responses) {
      const { error, id } = response.native;
      if (isRecord(error)) {
        throw new AgentError('api', errorText(error));
      }
      const message = response.message();
      if (message !== undefined) {
        endStream();
        messages.push(new OpenAiChatMessage(message));
      } else {
        if (stream[0] !== undefined && stream[0].native['id'] !== id) {
          endStream();
        }
        stream.push(response);
      }
    }
    endStream();
    return messages;
  }

  estimateTokens(messages: readonly OpenAiChatMessage[]): Promise<number> {
    return countTexts(
      messages.flatMap(message => message.texts()),
      this.#countTokens,
    );
  }

  contextWindow(): number {
    return this.#window;
  }

  messageToJsonl(message: OpenAiChatMessage): string {
    return JSON.stringify(message.native);
  }

  messageFromJsonl(line: string): OpenAiChatMessage {
    const native = parseNative(line);
    if (!chatRoles.has(native['role'])) {
      throw new AgentError('context', 'The line is not a message of the OpenAI chat completions API.');
    }
    return new OpenAiChatMessage(native);
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
