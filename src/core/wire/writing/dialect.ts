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

/** A conversation in a provider's own form: its messages, and the members of the request that go with them. */
export interface NativeConversation {
  readonly messages: readonly JsonObject[];
  /** System prompt and tools, where the API has separate members for them. */
  readonly members: JsonObject;
}

/** What the model that is asked needs beyond the API's rules. */
export interface WriteOptions {
  readonly model: string;
  /** Puts one cache breakpoint at the end instead of the recorded ones, where the API has breakpoints. */
  readonly markEnd?: boolean | undefined;
}

/** The text that one event of a stream adds. `undefined` where the member is missing or null. */
export interface TextDelta {
  readonly thinking: string | undefined;
  readonly content: string | undefined;
}

/**
 * How one family of APIs writes and reads messages, replies and requests. Everything here works on parsed JSON; nothing
 * in it is trusted before it is looked at. What all APIs share is in `NativeBackend`.
 */
export interface Dialect {
  textMessage(role: 'system' | 'user', text: string): JsonObject;
  toolMessage(toolCallId: string, text: string): JsonObject;
  /** Whether an object is a message of this API. */
  isMessage(native: JsonObject): boolean;
  /** The turns of one message. Several only for a reply of several items. */
  read(message: JsonObject): readonly ConversationTurn[];
  withRole(message: JsonObject, role: PromptRole): JsonObject;
  /** Whether the API wants the reasoning of this message back in later requests. */
  keepsReasoning(message: JsonObject): boolean;
  /** The same object where there is no reasoning in it. */
  withoutReasoning(message: JsonObject): JsonObject;

  /** Whether this is a whole response and not an event of a stream. */
  isWhole(response: JsonObject): boolean;
  /** The message of a whole response; `undefined` where the response says nothing. */
  messageOf(whole: JsonObject): JsonObject | undefined;
  delta(event: JsonObject): TextDelta;
  /** Whether an event belongs to another stream than `first`. */
  startsStream(event: JsonObject, first: JsonObject): boolean;
  /** Whether an event says that the reply is complete. */
  isEnd(event: JsonObject): boolean;
  /** The events of one stream as one whole response; `undefined` where they carry none. */
  assemble(events: readonly JsonObject[]): JsonObject | undefined;
  usage(whole: JsonObject | undefined): RecordedUsage | undefined;
  /**
   * Members of a request that ask the provider what differs from an earlier reply of its own, or to keep this one for such
   * a comparison. `undefined` where the model takes none.
   * @param previous the provider's id of that reply; `undefined` for the first of two requests
   */
  comparison?(model: string, previous: string | undefined): JsonObject | undefined;

  /** Leaves out the reasoning of other providers: none accepts another's. */
  write(conversation: Conversation, options: WriteOptions): NativeConversation;
  /** Adds a limit for the reply, in tokens. `member` is the provider's name for it where that is not the usual one. */
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

/** The native form of a part, where it is this API's. */
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

/** The turns for an API that has no system role among them. */
export function systemAsUser(turns: readonly ConversationTurn[]): readonly ConversationTurn[] {
  return turns.map(turn => (turn.role === 'system' ? { ...turn, role: 'user' } : turn));
}

/** Comes first where a request begins with a reply, and stands alone where nothing else is left. */
const opening = '[The beginning of this conversation is left out.]';

/** The turns for an API that wants a conversation to begin with the user. */
export function withOpening(turns: readonly ConversationTurn[]): readonly ConversationTurn[] {
  return turns[0]?.role === 'user' ? turns : [{ role: 'user', parts: textParts(opening) }, ...turns];
}

/** The turns for an API that takes any first turn, but not none. */
export function atLeastOpening(turns: readonly ConversationTurn[]): readonly ConversationTurn[] {
  return turns.length === 0 ? withOpening(turns) : turns;
}

/** A member that is left out where its list is empty. */
export function listMember(name: string, list: readonly unknown[]): JsonObject {
  return list.length === 0 ? {} : { [name]: list };
}

/** The texts of the parts, pictures and everything else left out. */
export function textsIn(parts: readonly ConversationPart[]): readonly string[] {
  return parts.flatMap(part => (part.kind === 'text' ? [part.text] : []));
}

/** A member with the parts' texts, blank lines between them; nothing where there is no text. */
export function textMember(name: string, parts: readonly ConversationPart[]): JsonObject {
  const texts = textsIn(parts);
  return texts.length === 0 ? {} : { [name]: texts.join('\n\n') };
}

/** The picture parts of a content, each of which `urlOf` finds the address of. */
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

/** Call ids as an API allows them: one id always becomes the same, two never become one. */
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

/** The value that arguments are the JSON of, or the text itself. */
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
