import type { PromptRole } from './labels';

/** What every native message can answer, whatever its provider (agent-context 0.1.0, ContextMessage). */
export interface ContextMessage<Self> {
  role(): PromptRole;
  /** The provider wants this message's reasoning back in the following requests. */
  preserveReasoning(): boolean;
  withoutReasoning(): Self;
  withRole(role: PromptRole): Self;
}

/** What a response carries. Beside another text, one that is present but empty carries nothing. */
export type ResponseType = 'empty' | 'reasoning' | 'content' | 'reasoningAndContent';

/** What every native response can answer, whether whole or one chunk of a stream. */
export interface ContextBackendResponse {
  responseType(): ResponseType;
  /** `undefined` where the field is missing or null; empty where it is present but empty. */
  reasoningContent(): string | undefined;
  /** `undefined` where the field is missing or null; empty where it is present but empty. */
  content(): string | undefined;
}

/** What a chunk of a stream is: reasoning, the first content after reasoning, or other content. */
export interface StreamEvent<Response> {
  readonly kind: 'thinking' | 'contentFirst' | 'content';
  readonly response: Response;
}

/** The events of one chunk, and the state to hand to the next. */
export interface ClassifiedChunk<Response> {
  readonly events: readonly StreamEvent<Response>[];
  readonly sawThinking: boolean;
}

/** What a provider's refusal says in addition to its message. */
export interface Refusal {
  /** HTTP status. */
  readonly status?: number;
  /** How long the provider asks to wait before the next try, in seconds. */
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

/** Whether an error is an AgentError, including one of another bundle, which has a class of its own. */
export function isAgentError(error: unknown): error is AgentError {
  return error instanceof Error && error.name === 'AgentError' && 'kind' in error;
}

/** One provider family: how its native messages are made, read, written and counted (agent-context 0.1.0). */
export interface ContextBackend<
  Message extends ContextMessage<Message>,
  Response extends ContextBackendResponse,
> {
  userMessage(content: string): Message;
  systemMessage(content: string): Message;
  /** The result of a tool call. */
  toolMessage(toolCallId: string, content: string): Message;
  /** All chunks of one reply as one assistant message; `undefined` when they carry nothing. */
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
   * Messages of responses as a request contains them: without the reasoning that need not be sent back, and in this
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
   * Sends a whole conversation; the response carries the usage. Rejects with AgentError; nothing is retried. Without
   * options the request has the model and what its API requires.
   */
  send(messages: readonly Message[], options?: Options): Promise<Response>;
  /**
   * Sends a whole conversation when the result is first read, and yields the response in chunks. Throws AgentError after
   * the chunks that arrived. The messages are taken at the call; later changes of the list have no effect.
   */
  sendStream(messages: readonly Message[], options?: Options): AsyncIterable<Response>;
}
