import { arrayAt, isArray, isObject, type JsonObject, parseJson, stringAt } from '../../base/json';
import type { Conversation, ConversationPart, ConversationTurn } from '../../model/conversation';
import type { Protocol } from '../../model/protocol';
import type { PromptRole } from '../../model/labels';
import type { RecordedUsage } from '../../model/transcript';
import { pictureAt } from './conversationParts';

/** A native request that has not been sent. */
export interface NativeRequest {
  /** The path after the base URL. */
  readonly path: string;
  readonly body: JsonObject;
}

/** A conversation in a provider's own form: its messages, and the request members that belong to them. */
export interface NativeConversation {
  readonly messages: readonly JsonObject[];
  /** System prompt and tools, if the API has separate members for them. */
  readonly members: JsonObject;
}

/** The needs of the requested model beyond the API's rules. */
export interface WriteOptions {
  readonly model: string;
  /** Puts one cache breakpoint at the end instead of the recorded ones, if the API has breakpoints. */
  readonly markEnd?: boolean | undefined;
}

/** The text that one event of a stream adds. `undefined` if the member is missing or null. */
export interface TextDelta {
  readonly thinking: string | undefined;
  readonly content: string | undefined;
}

/**
 * How one family of APIs writes and reads messages, replies and requests. Everything here works on parsed JSON, which
 * is checked before use. `NativeBackend` has the parts that all APIs share.
 */
export interface Dialect {
  textMessage(role: 'system' | 'user', text: string): JsonObject;
  toolMessage(toolCallId: string, text: string): JsonObject;
  /** True if an object is a message of this API. */
  isMessage(native: JsonObject): boolean;
  /** The turns of one message. More than one only for a reply of several items. */
  read(message: JsonObject): readonly ConversationTurn[];
  withRole(message: JsonObject, role: PromptRole): JsonObject;
  /** True if the API requires the reasoning of this message in later requests. */
  keepsReasoning(message: JsonObject): boolean;
  /** Returns the same object if it contains no reasoning. */
  withoutReasoning(message: JsonObject): JsonObject;

  /** True for a whole response, false for an event of a stream. */
  isWhole(response: JsonObject): boolean;
  /** The message of a whole response; `undefined` if the response is empty. */
  messageOf(whole: JsonObject): JsonObject | undefined;
  delta(event: JsonObject): TextDelta;
  /** True if an event belongs to another stream than `first`. */
  startsStream(event: JsonObject, first: JsonObject): boolean;
  /** True if an event marks the reply as complete. */
  isEnd(event: JsonObject): boolean;
  /** The events of one stream as one whole response; `undefined` if they contain none. */
  assemble(events: readonly JsonObject[]): JsonObject | undefined;
  usage(whole: JsonObject | undefined): RecordedUsage | undefined;
  /**
   * Members of a request that ask the provider for the differences from an earlier reply of its own, or to keep this
   * one for such a comparison. `undefined` if the model does not support it.
   * @param previous the provider's id of that reply; `undefined` for the first of two requests
   */
  comparison?(model: string, previous: string | undefined): JsonObject | undefined;

  /** Leaves out the reasoning of other providers, because none accepts another's. */
  write(conversation: Conversation, options: WriteOptions): NativeConversation;
  /** Adds a limit for the reply, in tokens. `member` is the provider's name for it, if it is not the usual one. */
  withLimit(members: JsonObject, limit: number, member: string | undefined): JsonObject;
  request(messages: readonly JsonObject[], members: JsonObject, isStream: boolean): NativeRequest;
  /** The request to the provider's counting service, which not every provider has. */
  countRequest(messages: readonly JsonObject[], members: JsonObject): NativeRequest;
  headers(apiKey: string | undefined): Readonly<Record<string, string>>;
}

/** Header of the APIs that take the key as a bearer token. */
export function bearerHeaders(apiKey: string | undefined): Readonly<Record<string, string>> {
  return apiKey === undefined ? {} : { authorization: `Bearer ${apiKey}` };
}

/** The native form of a part, if it belongs to this API. */
export function nativeFor(
  protocol: Protocol,
  { native }: Pick<ConversationPart, 'native'>,
): JsonObject | undefined {
  return native?.protocol === protocol ? native.item : undefined;
}

/** Consecutive turns of the same role as one. */
export function joined(turns: readonly ConversationTurn[]): readonly ConversationTurn[] {
  const result: { role: ConversationTurn['role']; parts: ConversationPart[] }[] = [];
  for (const { role, parts } of turns) {
    const last = result.at(-1);
    if (last?.role === role) {
      last.parts.push(...parts);
    } else if (parts.length > 0) {
      result.push({ role, parts: [...parts] });
    }
  }
  return result;
}

/** The turns for an API without a system role. */
export function systemAsUser(turns: readonly ConversationTurn[]): readonly ConversationTurn[] {
  return turns.map(turn => (turn.role === 'system' ? { ...turn, role: 'user' } : turn));
}

/** The first message of a request that would begin with a reply, and the only one if nothing else is left. */
const opening = '[The beginning of this conversation is left out.]';

/** The turns for an API whose conversations must begin with the user. */
export function withOpening(turns: readonly ConversationTurn[]): readonly ConversationTurn[] {
  return turns[0]?.role === 'user' ? turns : [{ role: 'user', parts: textParts(opening) }, ...turns];
}

/** The turns for an API that accepts any first turn, but not an empty list. */
export function atLeastOpening(turns: readonly ConversationTurn[]): readonly ConversationTurn[] {
  return turns.length === 0 ? withOpening(turns) : turns;
}

/** A member that is left out if its list is empty. */
export function listMember(name: string, list: readonly unknown[]): JsonObject {
  return list.length === 0 ? {} : { [name]: list };
}

/** The texts of the parts, without pictures and everything else. */
export function textsIn(parts: readonly ConversationPart[]): readonly string[] {
  return parts.flatMap(part => (part.kind === 'text' ? [part.text] : []));
}

/** A member with the parts' texts, separated by blank lines; nothing if there is no text. */
export function textMember(name: string, parts: readonly ConversationPart[]): JsonObject {
  const texts = textsIn(parts);
  return texts.length === 0 ? {} : { [name]: texts.join('\n\n') };
}

/** The picture parts of a content. `urlOf` returns the address of each. */
export function pictureParts(
  content: unknown,
  urlOf: (part: unknown) => string | undefined,
): readonly ConversationPart[] {
  return (isArray(content) ? content : []).flatMap((part): ConversationPart[] => {
    const url = urlOf(part);
    return url === undefined ? [] : [{ kind: 'picture', blocks: [], picture: pictureAt(url) }];
  });
}

/** The text parts of a content that is a string, or a list of parts with a `text` each. */
export function textParts(content: unknown): readonly ConversationPart[] {
  return textsOfContent(content).map(text => ({ kind: 'text', blocks: [], text }));
}

/** The texts of a content that is a string, or a list of parts with a `text` each. */
export function textsOfContent(content: unknown): readonly string[] {
  return typeof content === 'string'
    ? [content]
    : isArray(content)
      ? content.flatMap(part => stringAt(part, 'text') ?? [])
      : [];
}

/**
 * Call ids in the form that an API allows. The same id always gets the same form; different ids get different forms.
 */
export class CallIds {
  readonly #given = new Map<string, string>();
  readonly #taken = new Set<string>();

  /** @param longest in UTF-16 units. */
  constructor(private readonly longest: number) {}

  of(id: string): string {
    const known = this.#given.get(id);
    if (known !== undefined) {
      return known;
    }
    const plain = id.replace(/[^\w-]/g, '_') || 'call';
    let valid = plain.slice(0, this.longest);
    for (let again = 2; this.#taken.has(valid); again += 1) {
      const end = `_${again}`;
      valid = plain.slice(0, this.longest - end.length) + end;
    }
    this.#taken.add(valid);
    this.#given.set(id, valid);
    return valid;
  }
}

/** A call's input as the object that most APIs want. */
export function inputObject(input: unknown): JsonObject {
  return isObject(input) ? { ...input } : { input };
}

/** The value of arguments in JSON, or the text itself. */
export function parsedInput(text: string): unknown {
  const value = parseJson(text);
  return value === undefined ? text : value;
}

/**
 * Tool names as all providers allow them: letters, digits, `_` and `-`, at most 64 (openai 6.49.0 types, the narrowest;
 * Anthropic and Gemini allow longer ones; 2026-11).
 */
export function validToolName(name: string): string {
  return name.replace(/[^\w-]/g, '_').slice(0, 64) || 'tool';
}

/** The objects of the list at a key; other things in it are skipped. */
export function objectsAt(value: unknown, key: string): readonly JsonObject[] {
  return arrayAt(value, key).filter(isObject);
}
