import type { PromptRole } from './labels';

/** The interface of every native message, for any provider (agent-context 0.1.0, ContextMessage). */
export interface ContextMessage<Self> {
  role(): PromptRole;
  /** True if the provider requires this message's reasoning in the following requests. */
  preserveReasoning(): boolean;
  withoutReasoning(): Self;
  withRole(role: PromptRole): Self;
}

/** The content of a response. An empty text next to a non-empty one does not count. */
export type ResponseType = 'empty' | 'reasoning' | 'content' | 'reasoningAndContent';

/** The interface of every native response: a whole response, or one chunk of a stream. */
export interface ContextBackendResponse {
  responseType(): ResponseType;
  /** `undefined` if the field is missing or null; empty if it is present but empty. */
  reasoningContent(): string | undefined;
  /** `undefined` if the field is missing or null; empty if it is present but empty. */
  content(): string | undefined;
}

/** The kind of a chunk: reasoning, the first content after reasoning, or other content. */
export interface StreamEvent<Response> {
  readonly kind: 'thinking' | 'contentFirst' | 'content';
  readonly response: Response;
}

/** The events of one chunk, and the state to pass to the next call. */
export interface ClassifiedChunk<Response> {
  readonly events: readonly StreamEvent<Response>[];
  readonly sawThinking: boolean;
}

/** Details of a provider's refusal besides its message. */
export interface Refusal {
  /** HTTP status. */
  readonly status?: number;
  /** The provider's requested wait before the next try, in seconds. */
  readonly retryAfter?: number;
}

/**
 * `api`: the provider could not be reached, refused, or answered with an error. `context`: messages that cannot be read
 * or converted. The message is one sentence for the user.
 */
export class AgentError extends Error {
  override readonly name = 'AgentError';

  constructor(
    readonly kind: 'api' | 'context',
    message: string,
    readonly refusal: Refusal = {},
  ) {
    super(message);
  }
}

/** True if an error is an AgentError, including one from another bundle, which has its own copy of the class. */
export function isAgentError(error: unknown): error is AgentError {
  return error instanceof Error && error.name === 'AgentError' && 'kind' in error;
}

/** One provider family: makes, reads, writes and counts its native messages (agent-context 0.1.0). */
export interface ContextBackend<
  Message extends ContextMessage<Message>,
  Response extends ContextBackendResponse,
> {
  userMessage(content: string): Message;
  systemMessage(content: string): Message;
  /** The result of a tool call. */
  toolMessage(toolCallId: string, content: string): Message;
  /** All chunks of one reply as one assistant message; `undefined` if they are empty. */
  mergeChunks(responses: readonly Response[]): Message | undefined;
  /**
   * Messages of one whole response, or of all chunks of a stream.
   * @throws AgentError if a response reports an error.
   */
  extractMessagesFromBackendResponse(responses: readonly Response[]): readonly Message[];
  /** Size of the messages in tokens. */
  estimateTokens(messages: readonly Message[]): Promise<number>;
  /** Size of the model's window in tokens. */
  contextWindow(): number;
  /** The message as a system message, e.g. for a summary. */
  toSystemMessage(message: Message): Message;
  /**
   * Messages of responses in the form for requests: without the reasoning that need not be sent back, and in this
   * provider's form. Order and number of messages stay the same.
   * @throws AgentError if a message has no form that this provider accepts.
   */
  toRequestMessages(messages: readonly Message[]): readonly Message[];
  classifyChunk(response: Response, sawThinking: boolean): ClassifiedChunk<Response>;
  /** One line of JSON in the provider's own form, without a line break. */
  messageToJsonl(message: Message): string;
  /**
   * Inverse of `messageToJsonl`.
   * @throws AgentError if the line is not a message.
   */
  messageFromJsonl(line: string): Message;
}

/** A backend that can also talk to its provider. */
export interface SendingContextBackend<
  Message extends ContextMessage<Message>,
  Options,
  Response extends ContextBackendResponse,
> extends ContextBackend<Message, Response> {
  /**
   * Sends a whole conversation. The response has the usage. Rejects with AgentError; nothing is retried. Without
   * options, the request has only the model and the members that its API requires.
   */
  send(messages: readonly Message[], options?: Options): Promise<Response>;
  /**
   * Sends a whole conversation when the result is first read, and yields the response in chunks. Throws AgentError
   * after the chunks that arrived. The messages are copied at the call; later changes of the list have no effect.
   */
  sendStream(messages: readonly Message[], options?: Options): AsyncIterable<Response>;
}
