import { mergeAnthropicEvents } from '../core/formats/anthropicStream';
import {
  AgentError,
  type ContextBackend,
  type ContextBackendResponse,
  type ContextMessage,
} from '../core/model/contextBackend';
import type { PromptRole } from '../core/model/labels';
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

const reasoningTypes: ReadonlySet<unknown> = new Set(['thinking', 'redacted_thinking']);

/**
 * A message of the Anthropic Messages API. Results of tools are user messages of `tool_result` blocks. The API knows no
 * system message among the others; here it is one until a request is made, which carries it in its `system` member.
 */
export class AnthropicMessage implements ContextMessage<AnthropicMessage> {
  constructor(readonly native: NativeJson) {}

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
    if (!Array.isArray(content) || !this.blocks().some(isReasoning)) {
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

  /** Everything that a tokenizer can count; images cannot be counted from their data. */
  texts(): readonly string[] {
    const content = stringMember(this.native, 'content');
    return content === undefined ? this.blocks().flatMap(blockTexts) : [content];
  }

  private blocks(): readonly NativeJson[] {
    return nativeList(this.native['content']);
  }
}

/** A whole response, or one event of a stream. */
export class AnthropicResponse implements ContextBackendResponse {
  constructor(readonly native: NativeJson) {}

  reasoningContent(): string | undefined {
    return this.textOf('thinking');
  }

  content(): string | undefined {
    return this.textOf('text');
  }

  private textOf(name: 'text' | 'thinking'): string | undefined {
    switch (this.native['type']) {
      case 'message': {
        const texts = nativeList(this.native['content']).flatMap(block => stringMember(block, name) ?? []);
        return texts.length === 0 ? undefined : texts.join('');
      }
      case 'content_block_start':
        return stringMember(recordMember(this.native, 'content_block') ?? {}, name);
      case 'content_block_delta':
        return stringMember(recordMember(this.native, 'delta') ?? {}, name);
      default:
        return undefined;
    }
  }
}

/** The Anthropic Messages API without its network: messages, streams, windows. */
export class AnthropicBackend
  extends BackendDefaults<AnthropicMessage, AnthropicResponse>
  implements ContextBackend<AnthropicMessage, AnthropicResponse>
{
  readonly #window: number;
  readonly #countTokens: CountTokens;

  /** @param contextWindow size of the model's window in tokens. */
  constructor(contextWindow: number, countTokens: CountTokens) {
    super();
    this.#window = contextWindow;
    this.#countTokens = countTokens;
  }

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

  mergeChunks(responses: readonly AnthropicResponse[]): AnthropicMessage | undefined {
    const content = mergeAnthropicEvents(responses.map(response => response.native));
    return content.length === 0 ? undefined : new AnthropicMessage({ role: 'assistant', content });
  }

  /** Whole responses give a message each; the events of each stream are merged. */
  extractMessagesFromBackendResponse(responses: readonly AnthropicResponse[]): readonly AnthropicMessage[] {
    const messages: AnthropicMessage[] = [];
    let stream: AnthropicResponse[] = [];
    const endStream = () => {
      const merged = this.mergeChunks(stream);
      messages.push(...(merged === undefined ? [] : [merged]));
      stream = [];
    };
    for (const response of responses) {
      switch (response.native['type']) {
        case 'error':
          throw new AgentError('api', errorText(response.native['error']));
        case 'message':
          endStream();
          messages.push(
            new AnthropicMessage({ role: 'assistant', content: nativeList(response.native['content']) }),
          );
          break;
        case 'message_start':
          endStream();
          stream.push(response);
          break;
        default:
          stream.push(response);
      }
    }
    endStream();
    return messages;
  }

  estimateTokens(messages: readonly AnthropicMessage[]): Promise<number> {
    return countTexts(
      messages.flatMap(message => message.texts()),
      this.#countTokens,
    );
  }

  contextWindow(): number {
    return this.#window;
  }

  messageToJsonl(message: AnthropicMessage): string {
    return JSON.stringify(message.native);
  }

  messageFromJsonl(line: string): AnthropicMessage {
    const native = parseNative(line);
    const { role, content } = native;
    const isMessage =
      (role === 'user' || role === 'assistant' || role === 'system') &&
      (typeof content === 'string' || Array.isArray(content));
    if (!isMessage) {
      throw new AgentError('context', 'The line is not a message of the Anthropic Messages API.');
    }
    return new AnthropicMessage(native);
  }
}

function isReasoning(block: NativeJson): boolean {
  return reasoningTypes.has(block['type']);
}

/** Redacted thinking is encrypted as a whole and needs no signature. */
function isSignedReasoning(block: NativeJson): boolean {
  const signature = stringMember(block, 'signature') ?? '';
  return block['type'] === 'redacted_thinking' || (block['type'] === 'thinking' && signature !== '');
}

function blockTexts(block: NativeJson): readonly string[] {
  switch (block['type']) {
    case 'text':
      return [stringMember(block, 'text') ?? ''];
    case 'thinking':
      return [stringMember(block, 'thinking') ?? ''];
    case 'tool_use':
      return [stringMember(block, 'name') ?? '', JSON.stringify(block['input'] ?? {})];
    case 'tool_result': {
      const content = stringMember(block, 'content');
      return content === undefined ? nativeList(block['content']).flatMap(blockTexts) : [content];
    }
    default:
      return [];
  }
}
