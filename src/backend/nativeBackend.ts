import { arrayAt, isObject, numberAt, stringAt, toJson, type JsonObject } from '../core/base/json';
import {
  AgentError,
  type ClassifiedChunk,
  type ContextBackend,
  type ContextBackendResponse,
  type ContextMessage,
  type SendingContextBackend,
  type StreamEvent,
} from '../core/model/contextBackend';
import type { RecordedUsage } from '../core/model/transcript';
import { apiError, hostOf, providerMessage } from './faults';
import { postForEvents, postJson, type CallLimits, type ProviderCall } from './transport';

/** Counts the tokens of a text; may ask a service. */
export type CountTokens = (text: string) => Promise<number>;

/** A message in the shape that its provider gave it; nothing in it is known before it is looked at. */
export interface NativeMessage<Self> extends ContextMessage<Self> {
  readonly native: JsonObject;
  /** Everything that a tokenizer can count; pictures and sound cannot be counted from their data. */
  texts(): readonly string[];
}

/** A whole response, or one event of a stream, in the provider's shape. */
export interface NativeResponse extends ContextBackendResponse {
  readonly native: JsonObject;
}

/** Where a backend sends, and how it says who asks. */
export interface Endpoint {
  /** Without a slash at the end; everything before the path that the API itself names. */
  readonly baseUrl: string;
}

/** What a conversation is sent with. */
export interface SendOptions extends CallLimits {
  /** The members of the native request beside its messages: model, tools, limits. */
  readonly members: JsonObject;
  readonly apiKey?: string | undefined;
}

/** A native request, before it is sent. */
export interface NativeRequest {
  /** The path behind the base URL. */
  readonly path: string;
  readonly body: JsonObject;
}

/** What is the same for every provider: the provided methods of agent-context 0.1.0, JSONL, counting and sending. */
export abstract class NativeBackend<
  Message extends NativeMessage<Message>,
  Response extends NativeResponse,
> implements SendingContextBackend<Message, SendOptions, Response> {
  /** The API's name as it stands in sentences. */
  protected abstract readonly api: string;
  readonly #window: number;
  readonly #countTokens: CountTokens;
  readonly #endpoint: Endpoint | undefined;

  /**
   * @param contextWindow size of the model's window in tokens.
   * @param endpoint absent where nothing is to be sent.
   */
  constructor(contextWindow: number, countTokens: CountTokens, endpoint?: Endpoint) {
    this.#window = contextWindow;
    this.#countTokens = countTokens;
    this.#endpoint = endpoint;
  }

  abstract userMessage(content: string): Message;
  abstract systemMessage(content: string): Message;
  abstract toolMessage(toolCallId: string, content: string): Message;
  abstract mergeChunks(responses: readonly Response[]): Message | undefined;
  /** A native message, unchecked. */
  abstract message(native: JsonObject): Message;
  /** A native response or event, unchecked. */
  abstract response(native: JsonObject): Response;
  /** Whether an object is a message of this API. */
  abstract isMessage(native: JsonObject): boolean;
  /** The request as the API wants it. */
  abstract request(messages: readonly Message[], members: JsonObject, isStream: boolean): NativeRequest;
  /** The request to the provider's counting service; `undefined` where it has none. */
  abstract countRequest(messages: readonly Message[], members: JsonObject): NativeRequest | undefined;
  /** One reply, streamed or not, in the form of a response that was not streamed; `undefined` where there is none. */
  abstract wholeResponse(responses: readonly Response[]): JsonObject | undefined;
  /** Tokens that the provider reported for one reply. */
  abstract usage(responses: readonly Response[]): RecordedUsage | undefined;
  /** The message of a whole response; `undefined` for an event of a stream. */
  protected abstract wholeMessage(response: Response): Message | undefined;
  /** Whether an event belongs to another stream than the first event of those before it. */
  protected abstract startsStream(response: Response, first: Response): boolean;
  /** Whether an event says that the reply is complete. */
  protected abstract isEnd(response: Response): boolean;
  protected abstract headers(apiKey: string | undefined): Readonly<Record<string, string>>;

  /** The error that a response reports, in the provider's words. */
  protected errorIn({ native }: Response): string | undefined {
    return isObject(native['error']) || typeof native['error'] === 'string'
      ? (providerMessage(native) ?? toJson(native['error']))
      : undefined;
  }

  toSystemMessage(message: Message): Message {
    return message.withRole('system');
  }

  toRequestMessages(messages: readonly Message[]): readonly Message[] {
    return messages.map(message => (message.preserveReasoning() ? message : message.withoutReasoning()));
  }

  classifyChunk(response: Response, sawThinking: boolean): ClassifiedChunk<Response> {
    const events: StreamEvent<Response>[] = [];
    let thinking = sawThinking;
    if (response.reasoningContent() !== undefined) {
      events.push({ kind: 'thinking', response });
      thinking = true;
    }
    if (response.content() !== undefined) {
      events.push({ kind: thinking ? 'contentFirst' : 'content', response });
      thinking = false;
    }
    return { events, sawThinking: thinking };
  }

  /** Whole responses give a message each; the events of each stream are merged. */
  extractMessagesFromBackendResponse(responses: readonly Response[]): readonly Message[] {
    const messages: Message[] = [];
    let stream: Response[] = [];
    const endStream = () => {
      const merged = this.mergeChunks(stream);
      messages.push(...(merged === undefined ? [] : [merged]));
      stream = [];
    };
    for (const response of responses) {
      const error = this.errorIn(response);
      if (error !== undefined) {
        throw new AgentError('api', error);
      }
      const whole = this.wholeMessage(response);
      if (whole !== undefined) {
        endStream();
        messages.push(whole);
        continue;
      }
      const [first] = stream;
      if (first !== undefined && this.startsStream(response, first)) {
        endStream();
      }
      stream.push(response);
    }
    endStream();
    return messages;
  }

  async estimateTokens(messages: readonly Message[]): Promise<number> {
    const counts = await Promise.all(messages.flatMap(message => message.texts()).map(this.#countTokens));
    return counts.reduce((sum, count) => sum + count, 0);
  }

  contextWindow(): number {
    return this.#window;
  }

  messageToJsonl(message: Message): string {
    return JSON.stringify(message.native);
  }

  messageFromJsonl(line: string): Message {
    let native: unknown;
    try {
      native = JSON.parse(line);
    } catch {
      throw new AgentError('context', 'The line is not JSON.');
    }
    if (!isObject(native)) {
      throw new AgentError('context', 'The line is not a JSON object.');
    }
    if (!this.isMessage(native)) {
      throw new AgentError('context', `The line is not a message of the ${this.api}.`);
    }
    return this.message(native);
  }

  async send(messages: readonly Message[], options: SendOptions): Promise<Response> {
    const call = this.call(this.request(messages, options.members, false), options.apiKey);
    const response = this.response(await postJson(call, options));
    this.refuseError(call, response);
    return response;
  }

  sendStream(messages: readonly Message[], options: SendOptions): AsyncGenerator<Response> {
    const call = this.call(this.request(messages, options.members, true), options.apiKey);
    return this.stream(call, options);
  }

  /**
   * The size of a request in tokens, counted by the provider: exact for what is sent, and nothing is answered.
   * Rejects with AgentError, also where the provider counts nothing.
   */
  async countExactly(messages: readonly Message[], options: SendOptions): Promise<number> {
    const request = this.countRequest(messages, options.members);
    if (request === undefined) {
      throw new AgentError('context', `The ${this.api} cannot count the tokens of a request.`);
    }
    const call = this.call(request, options.apiKey);
    const answer = await postJson(call, options);
    const count = numberAt(answer, 'input_tokens') ?? numberAt(answer, 'totalTokens');
    if (count === undefined) {
      throw apiError(call, `${hostOf(call)} answered without a count.`);
    }
    return count;
  }

  private async *stream(call: ProviderCall, limits: CallLimits): AsyncGenerator<Response> {
    let ended = false;
    for await (const event of postForEvents(call, limits)) {
      const response = this.response(event);
      this.refuseError(call, response);
      ended ||= this.isEnd(response) || this.wholeMessage(response) !== undefined;
      yield response;
    }
    if (!ended) {
      throw apiError(call, `The answer of ${hostOf(call)} ended before it was complete.`);
    }
  }

  private refuseError(call: ProviderCall, response: Response): void {
    const error = this.errorIn(response);
    if (error !== undefined) {
      throw apiError(call, `${hostOf(call)} reported an error: ${error}`);
    }
  }

  /**
   * The POST that carries a native request.
   * @throws AgentError where there is no address, or the key cannot be one.
   */
  call({ path, body }: NativeRequest, apiKey: string | undefined): ProviderCall {
    const base = this.#endpoint?.baseUrl.trim().replace(/\/+$/, '') ?? '';
    if (!/^https?:\/\//.test(base) || !URL.canParse(base)) {
      throw new AgentError('context', 'The provider has no web address to send to.');
    }
    const key = apiKey?.trim();
    if (key !== undefined && !/^[\x21-\x7e]*$/.test(key)) {
      throw new AgentError('context', 'The key holds characters that no key has.');
    }
    const known = key === '' ? undefined : key;
    return { url: base + path, headers: this.headers(known), body, apiKey: known };
  }
}

/** Whether the messages fill the model's window; counted in tokens, without room for an answer. */
export async function isFull<
  Message extends ContextMessage<Message>,
  Response extends ContextBackendResponse,
>(backend: ContextBackend<Message, Response>, messages: readonly Message[]): Promise<boolean> {
  return (await backend.estimateTokens(messages)) >= backend.contextWindow();
}

/** The objects of the list at a key; other things in it are passed over. */
export function objectsAt(value: unknown, key: string): readonly JsonObject[] {
  return arrayAt(value, key).filter(isObject);
}

/** The texts of a content that is a string, or a list of parts with a `text` each. */
export function textsOfContent(content: unknown): readonly string[] {
  return typeof content === 'string'
    ? [content]
    : Array.isArray(content)
      ? content.flatMap(part => stringAt(part, 'text') ?? [])
      : [];
}

/** An object with some of its members alone. */
export function only(object: JsonObject, ...keys: readonly string[]): JsonObject {
  return Object.fromEntries(Object.entries(object).filter(([key]) => keys.includes(key)));
}

/** An object without some of its members. */
export function without(object: JsonObject, ...keys: readonly string[]): JsonObject {
  return Object.fromEntries(Object.entries(object).filter(([key]) => !keys.includes(key)));
}
