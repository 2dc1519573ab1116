import {
  isArray,
  isObject,
  type JsonObject,
  numberAt,
  objectAt,
  parseJson,
  stringAt,
  toJson,
} from '../core/base/json';
import { translate } from '../core/base/translate';
import { AgentError, type ClassifiedChunk, type SendingContextBackend } from '../core/model/contextBackend';
import type { Conversation } from '../core/model/conversation';
import { apiNames, type Protocol, protocols } from '../core/model/protocol';
import type { RecordedUsage } from '../core/model/transcript';
import { splitSystem } from '../core/wire/writing/conversationParts';
import {
  type NativeConversation,
  type NativeRequest,
  objectsAt,
  type WriteOptions,
} from '../core/wire/writing/dialect';
import { dialects } from '../core/wire/writing/dialects';
import { apiError, hostOf, providerMessage } from './faults';
import { NativeMessage, NativeResponse } from './nativeMessage';
import { providerAddress } from './providerAddress';
import { type CallLimits, postForEvents, postJson, type ProviderCall } from './transport';

/** Counts the tokens of a text; may ask a service. */
export type CountTokens = (text: string) => Promise<number>;

export interface BackendOptions {
  /** The model for requests that name none. */
  readonly model?: string;
  /** Size of the model's window in tokens; infinite if unknown. */
  readonly contextWindow: number;
  readonly countTokens: CountTokens;
  /** The address up to the path that the API defines; absent if nothing will be sent. */
  readonly baseUrl?: string;
  /** The provider has a counting service. */
  readonly counts?: boolean;
}

/** The options for sending a conversation. All have defaults. */
export interface SendOptions extends CallLimits {
  /** Members of the native request besides its messages: tools, limits, another model than the backend's. */
  readonly members?: JsonObject;
  readonly apiKey?: string | undefined;
}

/**
 * Messages, replies and requests of one provider, by its dialect. New messages, replies and requests have the backend's
 * own protocol. A transcript may have messages of several providers: these are counted, written and read in their own
 * form, and are converted only for sending.
 */
export class NativeBackend implements SendingContextBackend<NativeMessage, SendOptions, NativeResponse> {
  constructor(
    readonly protocol: Protocol,
    private readonly options: BackendOptions,
  ) {}

  private get dialect() {
    return dialects[this.protocol];
  }

  userMessage(content: string): NativeMessage {
    return this.message(this.dialect.textMessage('user', content));
  }

  systemMessage(content: string): NativeMessage {
    return this.message(this.dialect.textMessage('system', content));
  }

  toolMessage(toolCallId: string, content: string): NativeMessage {
    return this.message(this.dialect.toolMessage(toolCallId, content));
  }

  /** A native message, unchecked. */
  message(native: JsonObject): NativeMessage {
    return new NativeMessage(this.protocol, native);
  }

  /** A native response or event, unchecked. */
  response(native: JsonObject): NativeResponse {
    return new NativeResponse(this.protocol, native);
  }

  toSystemMessage(message: NativeMessage): NativeMessage {
    return message.withRole('system');
  }

  toRequestMessages(messages: readonly NativeMessage[]): readonly NativeMessage[] {
    return messages.map(message => {
      const dialect = dialects[message.protocol];
      if (!dialect.isMessage(message.native)) {
        throw new AgentError(
          'context',
          translate('The context has a part that is not a message of the {0}.', apiNames[message.protocol]),
        );
      }
      return message.preserveReasoning() ? message : message.withoutReasoning();
    });
  }

  classifyChunk(response: NativeResponse, sawThinking: boolean): ClassifiedChunk<NativeResponse> {
    switch (response.responseType()) {
      case 'empty':
        return { events: [], sawThinking };
      case 'reasoning':
        return { events: [{ kind: 'thinking', response }], sawThinking: true };
      case 'content':
        return {
          events: [{ kind: sawThinking ? 'contentFirst' : 'content', response }],
          sawThinking: false,
        };
      case 'reasoningAndContent':
        return {
          events: [
            { kind: 'thinking', response },
            { kind: 'contentFirst', response },
          ],
          sawThinking: false,
        };
    }
  }

  mergeChunks(responses: readonly NativeResponse[]): NativeMessage | undefined {
    const whole = this.dialect.assemble(nativesOf(responses));
    const native = whole && this.dialect.messageOf(whole);
    return native && this.message(native);
  }

  /** A message for each whole response, and one for the events of each stream. */
  extractMessagesFromBackendResponse(responses: readonly NativeResponse[]): readonly NativeMessage[] {
    const messages: (NativeMessage | undefined)[] = [];
    let stream: NativeResponse[] = [];
    const endStream = () => {
      messages.push(this.mergeChunks(stream));
      stream = [];
    };
    for (const response of responses) {
      const { native } = response;
      const error = errorIn(native);
      if (error !== undefined) {
        throw new AgentError('api', error);
      }
      const [first] = stream;
      if (this.dialect.isWhole(native)) {
        endStream();
        messages.push(response.message());
        continue;
      }
      if (first !== undefined && this.dialect.startsStream(native, first.native)) {
        endStream();
      }
      stream.push(response);
    }
    endStream();
    return messages.filter(message => message !== undefined);
  }

  /** One reply, streamed or not, in the form of a response without streaming; `undefined` if there is none. */
  wholeResponse(responses: readonly NativeResponse[]): JsonObject | undefined {
    const natives = nativesOf(responses);
    return natives.findLast(native => this.dialect.isWhole(native)) ?? this.dialect.assemble(natives);
  }

  /** Tokens that the provider reported for one reply. */
  usage(responses: readonly NativeResponse[]): RecordedUsage | undefined {
    return this.dialect.usage(this.wholeResponse(responses));
  }

  async estimateTokens(messages: readonly NativeMessage[]): Promise<number> {
    const texts = messages.flatMap(message => message.texts());
    const counts = await Promise.all(texts.map(this.options.countTokens));
    return counts.reduce((sum, count) => sum + count, 0);
  }

  contextWindow(): number {
    return this.options.contextWindow;
  }

  messageToJsonl({ native }: NativeMessage): string {
    return JSON.stringify(native);
  }

  /**
   * Reads a message of any provider. A line that several providers could have written is read with the backend's own
   * protocol.
   */
  messageFromJsonl(line: string): NativeMessage {
    const native = parseJson(line);
    if (native === undefined) {
      throw new AgentError('context', translate('The line is not JSON.'));
    }
    if (!isObject(native)) {
      throw new AgentError('context', translate('The line is not a JSON object.'));
    }
    const candidates = [unmistakable(native) ?? this.protocol, this.protocol, ...protocols];
    const protocol = candidates.find(candidate => dialects[candidate].isMessage(native));
    if (protocol === undefined) {
      throw new AgentError('context', translate('The line is not a message of any known provider.'));
    }
    return new NativeMessage(protocol, native);
  }

  /** A conversation in this provider's form. Its leading system turns are added to its system prompt. */
  write(conversation: Conversation, options: WriteOptions): NativeConversation {
    const [leading, turns] = splitSystem(conversation.turns, ({ role }) => role === 'system');
    const system = [...conversation.system, ...leading.flatMap(({ parts }) => parts)];
    return this.dialect.write({ ...conversation, system, turns }, options);
  }

  /** The native request that sends the messages. */
  request(messages: readonly NativeMessage[], members: JsonObject = {}, isStream = false): NativeRequest {
    const own = this.inOwnForm(messages, this.withModel(members));
    return this.dialect.request(own.messages, own.members, isStream);
  }

  async send(messages: readonly NativeMessage[], options: SendOptions = {}): Promise<NativeResponse> {
    const call = this.call(this.request(messages, options.members), options.apiKey);
    const response = this.response(await postJson(call, options));
    refuseError(call, response);
    return response;
  }

  sendStream(messages: readonly NativeMessage[], options: SendOptions = {}): AsyncGenerator<NativeResponse> {
    return this.stream(this.call(this.request(messages, options.members, true), options.apiKey), options);
  }

  /**
   * The exact size of a request in tokens, counted by the provider without an answer. Rejects with AgentError, also if
   * the provider cannot count.
   */
  async countExactly(messages: readonly NativeMessage[], options: SendOptions): Promise<number> {
    if (this.options.counts !== true) {
      throw new AgentError(
        'context',
        translate('The {0} cannot count the tokens of a request.', apiNames[this.protocol]),
      );
    }
    const own = this.inOwnForm(messages, this.withModel(options.members ?? {}));
    const call = this.call(this.dialect.countRequest(own.messages, own.members), options.apiKey);
    const answer = await postJson(call, options);
    const count = numberAt(answer, 'input_tokens') ?? numberAt(answer, 'totalTokens');
    if (count === undefined) {
      throw apiError(call, translate('{0} answered without a count.', hostOf(call)));
    }
    return count;
  }

  /**
   * The POST call of a native request.
   * @throws AgentError if the address cannot be used, or if the key is invalid.
   */
  call({ path, body }: NativeRequest, apiKey: string | undefined): ProviderCall {
    const { base } = providerAddress(this.options.baseUrl ?? '');
    const key = apiKey?.trim();
    if (key !== undefined && !/^[\x21-\x7e]*$/.test(key)) {
      throw new AgentError('context', translate('The key contains characters that are not allowed in keys.'));
    }
    const known = key === '' ? undefined : key;
    return { url: base + path, headers: this.dialect.headers(known), body, apiKey: known };
  }

  private async *stream(call: ProviderCall, limits: CallLimits): AsyncGenerator<NativeResponse> {
    let ended = false;
    for await (const event of postForEvents(call, limits)) {
      const response = this.response(event);
      refuseError(call, response);
      ended ||= this.dialect.isEnd(event) || this.dialect.isWhole(event);
      yield response;
    }
    if (!ended) {
      throw apiError(call, translate('The answer from {0} ended before it was complete.', hostOf(call)));
    }
  }

  private withModel(members: JsonObject): JsonObject {
    const { model } = this.options;
    return model === undefined ? members : { model, ...members };
  }

  private inOwnForm(messages: readonly NativeMessage[], members: JsonObject): NativeConversation {
    if (messages.every(({ protocol }) => protocol === this.protocol)) {
      return { messages: nativesOf(messages), members };
    }
    const model = stringAt(members, 'model') ?? '';
    const written = this.write(conversationOfMessages(messages), { model });
    return { messages: written.messages, members: { ...written.members, ...members } };
  }
}

/** True if the messages fill the model's window, counted in tokens, without space for an answer. */
export async function isFull(backend: NativeBackend, messages: readonly NativeMessage[]): Promise<boolean> {
  return (await backend.estimateTokens(messages)) >= backend.contextWindow();
}

/** Native messages of any providers as one conversation. Its leading system messages are its system prompt. */
export function conversationOfMessages(messages: readonly NativeMessage[]): Conversation {
  const [leading, turns] = splitSystem(
    messages.flatMap(message => message.turns()),
    ({ role }) => role === 'system',
  );
  return { system: leading.flatMap(({ parts }) => parts), tools: [], turns, breakpoints: [], notes: [] };
}

function nativesOf(items: readonly { readonly native: JsonObject }[]): readonly JsonObject[] {
  return items.map(({ native }) => native);
}

/** The error that a response reports, in the provider's words. */
function errorIn(native: JsonObject, key?: string): string | undefined {
  const { type, error } = native;
  if (type === 'error' || type === 'response.failed') {
    return providerMessage(objectAt(native, 'response') ?? native, key) ?? translate('the response failed');
  }
  return isObject(error) || typeof error === 'string'
    ? (providerMessage(native, key) ?? toJson(error))
    : undefined;
}

function refuseError(call: ProviderCall, { native }: NativeResponse): void {
  const error = errorIn(native, call.apiKey);
  if (error !== undefined) {
    throw apiError(call, translate('{0} reported an error: {1}', hostOf(call), error));
  }
}

const anthropicTypes: ReadonlySet<unknown> = new Set([
  'tool_use',
  'tool_result',
  'thinking',
  'redacted_thinking',
]);

/** The only protocol with a message of this form; `undefined` if several have it, or none. */
function unmistakable(native: JsonObject): Protocol | undefined {
  if (isArray(native['parts'])) {
    return 'gemini';
  }
  const content = objectsAt(native, 'content');
  const types = content.map(({ type }) => type);
  if (types.some(type => type === 'input_text' || type === 'output_text') || isArray(native['output'])) {
    return 'openaiResponses';
  }
  if (content.some(block => anthropicTypes.has(block['type']) || objectAt(block, 'source') !== undefined)) {
    return 'anthropic';
  }
  const type = stringAt(native, 'type');
  if (type !== undefined && type !== 'message') {
    return 'openaiResponses';
  }
  const role = stringAt(native, 'role');
  const isChat =
    role === 'tool' ||
    role === 'function' ||
    isArray(native['tool_calls']) ||
    'reasoning_content' in native ||
    types.includes('image_url');
  return isChat ? 'openaiChat' : undefined;
}
