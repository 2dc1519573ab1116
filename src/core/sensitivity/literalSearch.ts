import { instantiateNow } from './assembly/literalFinder?wasm';

/** What rules a literal out at most of its places, so that nothing else need be run there. */
export interface LiteralChecks {
  /** Its case counts. */
  readonly isExact?: boolean;
  /** It is not looked for where `mayBegin` says that it stands inside of a word. */
  readonly beginsWord?: boolean;
  /** It is the last word of a name to which a credential is assigned, which is longer than a short number. */
  readonly endsName?: boolean;
  /** How many characters of base64 follow it at least. */
  readonly behind?: number;
}

/** What is looked for where a literal begins; a pattern or a function decides whether it is there. */
export interface Anchor<Value> extends LiteralChecks {
  /** At least three bytes of UTF-8; only the case of ASCII letters may be left open. */
  readonly literal: string;
  readonly value: Value;
}

/**
 * Places at which something may stand that no literal tells, and which cost no further pass: long runs of characters of
 * base64, characters that are written by their number, the sign in an address of mail, that before a phone number, and
 * where a bank account or the number of a card may begin.
 */
const placeKinds = ['run', 'written', 'email', 'phone', 'account', 'card'] as const;
export type PlaceKind = (typeof placeKinds)[number];

/** Less than how far the parts of a text reach into each other, so that it is known what follows. */
const mostBehind = 24;

/** The literal as the finder reads it, with its checks before it. */
function written({ literal, isExact, beginsWord, endsName, behind = 0 }: Anchor<unknown>): string {
  const checks = (isExact === true ? 1 : 0) + (beginsWord === true ? 2 : 0) + (endsName === true ? 4 : 0);
  return `${String.fromCharCode(1 + checks, 1 + Math.min(behind, mostBehind))}${literal}\0`;
}

/** From frequent to rare in code and prose; what is missing here is rarer still. */
const frequent = ' etaoinsrlcdpumhfgb.y_-/="vkwx';

/** Of a text, in UTF-16 units. */
const leastRoom = 1 << 12;

/** The characters of base64 and of its form for addresses. */
export const base64Characters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/-_';

/** Shorter runs of them hold no name with its value. */
export const shortestRun = 28;

/** How much of a text is looked at at once, in UTF-16 units, and how far the next part reaches into it. */
const mostAtOnce = 1 << 18;
const overlap = 64;

/** For each byte 1 if it is a character of base64, then how rare each is; all others in ASCII are rarer than `frequent`. */
const tables = new Uint8Array(512).fill(frequent.length, 256, 384);
for (const character of base64Characters) {
  tables[character.charCodeAt(0)] = 1;
}
for (const [rank, character] of Array.from(frequent).entries()) {
  tables[256 + character.charCodeAt(0)] = rank;
  tables[256 + character.toUpperCase().charCodeAt(0)] = rank;
}

/** Of one UTF-16 unit, in UTF-8. */
const mostBytes = 3;

const encoder = new TextEncoder();

/**
 * Finds many literals in one pass over a text, and with them the runs of characters of base64. The time grows with the
 * text's length and with the number of hits. It is in WebAssembly, which is fast from the first text on: in JavaScript, a
 * program that searches one file is over before the loop is compiled.
 */
export class LiteralSearch<Value> {
  private readonly finder = instantiateNow({});
  private readonly values: Value[] = [];
  private room = new Uint8Array();
  private found = new Uint32Array();

  constructor(anchors: Iterable<Anchor<Value>>) {
    const { finder } = this;
    const start = finder.tablesAt();
    new Uint8Array(finder.memory.buffer).set(tables, start);
    let literals = '';
    for (const anchor of anchors) {
      literals += written(anchor);
      this.values.push(anchor.value);
    }
    this.reserve(literals.length * mostBytes, this.values.length);
    if (finder.addLiterals(encoder.encodeInto(literals, this.room).written) === 0) {
      throw new RangeError('A literal is too long.');
    }
    this.reserve(leastRoom * mostBytes);
  }

  /**
   * Calls `visit` for every place where a literal stands, and `visitPlace` for the other places, in the order of the text.
   * They must not search with the same object.
   */
  search(
    text: string,
    visit: (value: Value, start: number) => void,
    visitPlace: (kind: PlaceKind, start: number) => void = () => undefined,
  ): void {
    for (let from = 0, end = 0; end < text.length; from = end - 1) {
      const begin = end;
      const isLast = text.length - from <= mostAtOnce;
      const part = from === 0 && isLast ? text : text.slice(from, from + mostAtOnce);
      end = isLast ? text.length : from + part.length - overlap;
      this.searchPart(part, (number, at) => {
        const start = from + at;
        // The character before is part of the next part too, since some places depend on it.
        if (start < begin || start >= end) {
          return;
        }
        const kind = placeKinds[number];
        const value = kind === undefined ? this.values[number - placeKinds.length] : undefined;
        if (kind !== undefined) {
          visitPlace(kind, start);
        } else if (value !== undefined) {
          visit(value, start);
        }
      });
    }
  }

  private searchPart(part: string, visit: (number: number, start: number) => void): void {
    const { finder } = this;
    if (this.room.length < part.length * mostBytes) {
      this.reserve(Math.max(part.length * 2, leastRoom) * mostBytes);
    }
    const { written: bytes } = encoder.encodeInto(part, this.room);
    finder.begin(bytes, bytes === part.length);
    while (finder.isOver() === 0) {
      const hits = finder.next(shortestRun);
      for (let hit = 0; hit < hits; hit += 1) {
        visit(this.found[2 * hit + 1] ?? 0, this.found[2 * hit] ?? 0);
      }
    }
  }

  /** @param newLiterals how many literals the text holds that is written there */
  private reserve(length: number, newLiterals = 0): void {
    const { finder } = this;
    const start = finder.reserve(length, newLiterals);
    const { buffer } = finder.memory;
    this.room = new Uint8Array(buffer, start, length);
    this.found = new Uint32Array(buffer, finder.foundAt());
  }
}
