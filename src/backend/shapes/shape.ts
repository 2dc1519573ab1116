import type { JsonObject } from '../../core/base/json';
import type {
  Conversation,
  ConversationPart,
  ConversationTurn,
  Protocol,
} from '../../core/model/conversation';

/** A conversation in a provider's shape: its messages, and the members of the request that go with them. */
export interface NativeConversation {
  readonly messages: readonly JsonObject[];
  /** System prompt and tools, where the API has members of their own for them. */
  readonly members: JsonObject;
}

/** What the target wants to be minded beyond its API. */
export interface ShapeOptions {
  readonly model: string;
  /** Puts a cache breakpoint at the end, where the API has such marks, instead of where the recorded ones were. */
  readonly markEnd?: boolean | undefined;
}

/** How one family of APIs writes conversations down, and reads them. */
export interface Shape {
  /** Reasoning of other providers is left out: none takes another's. */
  write(conversation: Conversation, options: ShapeOptions): NativeConversation;
  /** Reads native messages. System messages that stand first become turns too. */
  read(messages: readonly JsonObject[]): readonly ConversationTurn[];
}

/** The native form of a part, where it is this API's. */
export function nativeFor(protocol: Protocol, { native }: ConversationPart): JsonObject | undefined {
  return native?.protocol === protocol ? native.item : undefined;
}

/** Turns of the same side that follow one another as one. */
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

/** Call ids as an API allows them, each the same wherever it stands and different from all others. */
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
  return typeof input === 'object' && input !== null && !Array.isArray(input)
    ? Object.fromEntries(Object.entries(input))
    : { input };
}

/** Tool names as all providers allow them: letters, digits, `_` and `-`, 64 at most (openai 6.49.0 types, the
 * narrowest; Anthropic and Gemini take longer ones; 2026-11). */
export function validToolName(name: string): string {
  return name.replace(/[^\w-]/g, '_').slice(0, 64) || 'tool';
}
