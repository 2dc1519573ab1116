import { isArray, isObject, objectAt, stringAt, type JsonObject } from '../core/base/json';
import { AgentError, type ClassifiedChunk, type SendingContextBackend } from '../core/model/contextBackend';
import type { Conversation, Protocol } from '../core/model/conversation';
import type { PromptRole } from '../core/model/labels';
import { AnthropicMessage, type AnthropicBackend } from './anthropicBackend';
import { GeminiMessage, type GeminiBackend } from './geminiBackend';
import {
  objectsAt,
  type NativeBackend,
  type NativeMessage,
  type NativeResponse,
  type SendOptions,
} from './nativeBackend';
import { OpenAiChatMessage, type OpenAiChatBackend } from './openaiChatBackend';
import { ResponsesMessage, type OpenAiResponsesBackend } from './openaiResponsesBackend';
import { shapes } from './shapes/shapes';

/** A backend for each protocol. */
export interface BackendOfProtocol {
  readonly anthropic: AnthropicBackend;
  readonly openaiChat: OpenAiChatBackend;
  readonly openaiResponses: OpenAiResponsesBackend;
  readonly gemini: GeminiBackend;
}

type InnerMessage = AnthropicMessage | OpenAiChatMessage | ResponsesMessage | GeminiMessage;

/** A message of any protocol, in its own provider's shape. */
export class UnionMessage implements NativeMessage<UnionMessage> {
  constructor(
    readonly protocol: Protocol,
    readonly native: JsonObject,
  ) {}

  role(): PromptRole {
    return this.inner().role();
  }

  preserveReasoning(): boolean {
    return this.inner().preserveReasoning();
  }

  withoutReasoning(): UnionMessage {
    return new UnionMessage(this.protocol, this.inner().withoutReasoning().native);
  }

  withRole(role: PromptRole): UnionMessage {
    return new UnionMessage(this.protocol, this.inner().withRole(role).native);
  }

  texts(): readonly string[] {
    return this.inner().texts();
  }

  private inner(): InnerMessage {
    switch (this.protocol) {
      case 'anthropic':
        return new AnthropicMessage(this.native);
      case 'openaiChat':
        return new OpenAiChatMessage(this.native);
      case 'openaiResponses':
        return new ResponsesMessage(this.native);
      case 'gemini':
        return new GeminiMessage(this.native);
    }
  }
}

/** What to do with a backend whose protocol is not known. */
type Use<Result> = <Message extends NativeMessage<Message>, Response extends NativeResponse>(
  backend: NativeBackend<Message, Response>,
) => Result;

/**
 * For transcripts of several providers. New messages, counting and sending are those of the current protocol; every
 * message is written and read in its own provider's shape, without a wrapper, and is brought into the current one's only
 * when it is sent.
 */
export class UnionBackend implements SendingContextBackend<UnionMessage, SendOptions, NativeResponse> {
  constructor(
    readonly current: Protocol,
    private readonly backends: BackendOfProtocol,
  ) {}

  userMessage(content: string): UnionMessage {
    return this.made(backend => backend.userMessage(content).native);
  }

  systemMessage(content: string): UnionMessage {
    return this.made(backend => backend.systemMessage(content).native);
  }

  toolMessage(toolCallId: string, content: string): UnionMessage {
    return this.made(backend => backend.toolMessage(toolCallId, content).native);
  }

  mergeChunks(responses: readonly NativeResponse[]): UnionMessage | undefined {
    const native = this.use(
      backend => backend.mergeChunks(responses.map(response => backend.response(response.native)))?.native,
    );
    return native && new UnionMessage(this.current, native);
  }

  extractMessagesFromBackendResponse(responses: readonly NativeResponse[]): readonly UnionMessage[] {
    return this.use(backend =>
      backend
        .extractMessagesFromBackendResponse(responses.map(response => backend.response(response.native)))
        .map(({ native }) => native),
    ).map(native => new UnionMessage(this.current, native));
  }

  async estimateTokens(messages: readonly UnionMessage[]): Promise<number> {
    const counts = await Promise.all(
      messages.map(({ protocol, native }) =>
        this.use(backend => backend.estimateTokens([backend.message(native)]), protocol),
      ),
    );
    return counts.reduce((sum, count) => sum + count, 0);
  }

  contextWindow(): number {
    return this.use(backend => backend.contextWindow());
  }

  toSystemMessage(message: UnionMessage): UnionMessage {
    return message.withRole('system');
  }

  toRequestMessages(messages: readonly UnionMessage[]): readonly UnionMessage[] {
    return messages.map(message => (message.preserveReasoning() ? message : message.withoutReasoning()));
  }

  classifyChunk(response: NativeResponse, sawThinking: boolean): ClassifiedChunk<NativeResponse> {
    return this.use(backend => backend.classifyChunk(backend.response(response.native), sawThinking));
  }

  messageToJsonl({ native }: UnionMessage): string {
    return JSON.stringify(native);
  }

  messageFromJsonl(line: string): UnionMessage {
    const read = (protocol: Protocol): UnionMessage =>
      new UnionMessage(
        protocol,
        this.use(backend => backend.messageFromJsonl(line).native, protocol),
      );
    const others = (['anthropic', 'openaiChat', 'openaiResponses', 'gemini'] as const).filter(
      protocol => protocol !== this.current,
    );
    for (const protocol of [unmistakable(line) ?? this.current, this.current, ...others]) {
      try {
        return read(protocol);
      } catch (error) {
        if (!(error instanceof AgentError)) {
          throw error;
        }
      }
    }
    throw new AgentError('context', 'The line is not a message of any provider that is known.');
  }

  async send(messages: readonly UnionMessage[], options: SendOptions): Promise<NativeResponse> {
    const { natives, members } = this.inCurrent(messages, options);
    return this.use(backend =>
      backend.send(
        natives.map(native => backend.message(native)),
        { ...options, members },
      ),
    );
  }

  sendStream(messages: readonly UnionMessage[], options: SendOptions): AsyncGenerator<NativeResponse> {
    const { natives, members } = this.inCurrent(messages, options);
    return this.use((backend): AsyncGenerator<NativeResponse> =>
      backend.sendStream(
        natives.map(native => backend.message(native)),
        { ...options, members },
      ),
    );
  }

  private inCurrent(
    messages: readonly UnionMessage[],
    { members }: SendOptions,
  ): { readonly natives: readonly JsonObject[]; readonly members: JsonObject } {
    if (messages.every(({ protocol }) => protocol === this.current)) {
      return { natives: messages.map(({ native }) => native), members };
    }
    const written = shapes[this.current].write(conversationOfMessages(messages), {
      model: stringAt(members, 'model') ?? '',
    });
    return { natives: written.messages, members: { ...written.members, ...members } };
  }

  private made(native: Use<JsonObject>): UnionMessage {
    return new UnionMessage(this.current, this.use(native));
  }

  private use<Result>(use: Use<Result>, protocol: Protocol = this.current): Result {
    switch (protocol) {
      case 'anthropic':
        return use(this.backends.anthropic);
      case 'openaiChat':
        return use(this.backends.openaiChat);
      case 'openaiResponses':
        return use(this.backends.openaiResponses);
      case 'gemini':
        return use(this.backends.gemini);
    }
  }
}

/** Native messages of any providers as one conversation. */
export function conversationOfMessages(
  messages: readonly { readonly protocol: Protocol; readonly native: JsonObject }[],
): Conversation {
  const turns = messages.flatMap(({ protocol, native }) => shapes[protocol].read([native]));
  const first = turns.findIndex(({ role }) => role !== 'system');
  const head = turns.slice(0, first < 0 ? turns.length : first);
  return {
    system: head.flatMap(({ parts }) => parts),
    tools: [],
    turns: turns.slice(head.length),
    breakpoints: [],
    notes: [],
  };
}

const anthropicTypes: ReadonlySet<unknown> = new Set([
  'tool_use',
  'tool_result',
  'thinking',
  'redacted_thinking',
]);

/** The protocol that alone has a message of this shape; `undefined` where several have, or none. */
function unmistakable(line: string): Protocol | undefined {
  let value: unknown;
  try {
    value = JSON.parse(line);
  } catch {
    return undefined;
  }
  if (!isObject(value)) {
    return undefined;
  }
  if (isArray(value['parts'])) {
    return 'gemini';
  }
  const types = objectsAt(value, 'content').map(({ type }) => type);
  if (types.some(type => type === 'input_text' || type === 'output_text') || isArray(value['output'])) {
    return 'openaiResponses';
  }
  if (types.some(type => anthropicTypes.has(type)) || objectsAt(value, 'content').some(hasSource)) {
    return 'anthropic';
  }
  const type = stringAt(value, 'type');
  if (type !== undefined && type !== 'message') {
    return 'openaiResponses';
  }
  const role = stringAt(value, 'role');
  const isChat =
    role === 'tool' ||
    role === 'function' ||
    isArray(value['tool_calls']) ||
    'reasoning_content' in value ||
    types.includes('image_url');
  return isChat ? 'openaiChat' : undefined;
}

function hasSource(block: JsonObject): boolean {
  return objectAt(block, 'source') !== undefined;
}
