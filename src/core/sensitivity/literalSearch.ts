import { instantiateNow } from './assembly/literalFinder?wasm';

/** Conditions that rule a literal out at most of its places, so that no pattern needs to run there. */
export interface LiteralChecks {
  /** Case matters. */
  readonly isExact?: boolean;
  /** Skipped inside a word, as `mayBegin` defines it. */
  readonly beginsWord?: boolean;
  /** The literal is the last word of the name of a credential. The value must be longer than a short number. */
  readonly endsName?: boolean;
  /** Minimum number of base64 characters after it. */
  readonly behind?: number;
}

/** The search at the beginning of a literal. A pattern or a function decides if there is a finding. */
export interface Anchor<Value> extends LiteralChecks {
  /** At least three bytes of UTF-8. Only the case of ASCII letters may be ignored. */
  readonly literal: string;
  readonly value: Value;
}

/**
 * Places where a finding may begin without a literal. They need no extra pass: long runs of base64 characters,
 * characters written by their number, the at sign of an email address, the plus of a phone number, and possible starts
 * of a bank account or a card number.
 */
const placeKinds = ['run', 'written', 'email', 'phone', 'account', 'card'] as const;
export type PlaceKind = (typeof placeKinds)[number];

/** Less than the overlap between the parts of a text, so that the following characters are known. */
const mostBehind = 24;

/** From frequent to rare in code and prose. Missing characters are rarer still. */
const frequent = ' etaoinsrlcdpumhfgb.y_-/="vkwx';

/** Frequent sequences in transcripts, although their characters are not the most frequent ones. */
const frequentTriples = new Set(
  (
    'ion ent ess ssi ing ses ate com sta con est use tio age che mit the tra ran nti int cli ser str tes tre tat ool ' +
    'ont too ens rea and hec eck ers put nch has ter ook wor sag ork git tri ken tok cmd gen etu par lin are ame ith ' +
    'end ret tif ist log ver pat ail nam tex omp nid ode den ine rep tim ime ace set han ect man lse ata cha ain ach ' +
    'pac fal als ass cal pos ini cre ree tan son ost era ert one ide rks tid sho que cac ash ult get art ant ack pre ' +
    'dec cod top met mod min enc ore tor tru sec cur eta pen let rsi der gin amp ndl ind ttr rac fin nes del sid hou ' +
    'run rna url lea app ble ifi ral mer ure mar rem din lug emi gem pla val red cle bac mai epa add und nit mpo gra ' +
    'ast imp ope ial hub loa aut cat rma ori ins now inf lic ify pri key lap pus cl- -cl nt- --- nst nse id"'
  )
    .split(' ')
    .concat([
      ' us',
      ' \\"',
      ' fr',
      'fro',
      'go-',
      'jso',
      'se,',
      'd: ',
      'me ',
      ' pa',
      ' to',
      ' in',
      ' se',
      'ed ',
      'on ',
    ]),
);

/** The offset of the rarest three characters of a literal. Only ASCII comes before them. */
function rarestOffset(literal: string): number {
  let best = 0;
  let highest = -1;
  for (let offset = 0; offset + 2 < literal.length; offset += 1) {
    const triple = literal.slice(offset, offset + 3).toLowerCase();
    if (/[^\0-\x7f]/.test(triple)) {
      break;
    }
    let rareness = frequentTriples.has(triple) ? 0 : frequent.length;
    for (const character of triple) {
      const rank = frequent.indexOf(character);
      rareness += rank < 0 ? frequent.length : rank;
    }
    if (rareness > highest) {
      highest = rareness;
      best = offset;
    }
  }
  return best;
}

/** The literal in the finder's format, preceded by its checks and the offset of its rarest characters. */
function written(anchor: Anchor<unknown>): string {
  const { literal, isExact, beginsWord, endsName, behind = 0 } = anchor;
  const checks = (isExact === true ? 1 : 0) + (beginsWord === true ? 2 : 0) + (endsName === true ? 4 : 0);
  const numbers = [checks, Math.min(behind, mostBehind), rarestOffset(literal)];
  return `${String.fromCharCode(...numbers.map(number => number + 1))}${literal}\0`;
}

/** Of a text, in UTF-16 units. */
const leastRoom = 1 << 12;

/** The characters of base64 and of base64url. */
export const base64Characters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/-_';

/** Minimum length of a run. A shorter one cannot contain a name with its value. */
export const shortestRun = 28;

/** The part of a text that is searched at once, and the part of it that the next part repeats, in UTF-16 units. */
const mostAtOnce = 1 << 18;
const overlap = 64;

/** For each byte, 1 if it is a base64 character. */
const table = new Uint8Array(256);
for (const character of base64Characters) {
  table[character.charCodeAt(0)] = 1;
}

/** Maximum UTF-8 bytes of one UTF-16 unit. */
const mostBytes = 3;

const encoder = new TextEncoder();

/**
 * Finds many literals and runs of base64 characters in one pass over a text. The time grows with the length of the text
 * and the number of hits. It runs in WebAssembly, which is fast from the first text on: with a loop in TypeScript,
 * `inspect` takes 37 % more processor time on a Codex session of 3 MB and 27 % more on one of 30 MB, and 15 % more on
 * one of Claude Code of 40 MB.
 */
export class LiteralSearch<Value> {
  private readonly finder = instantiateNow({});
  private readonly values: Value[] = [];
  private room = new Uint8Array();
  private found = new Uint32Array();

  constructor(anchors: Iterable<Anchor<Value>>) {
    const { finder } = this;
    const start = finder.tableAt();
    new Uint8Array(finder.memory.buffer).set(table, start);
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
   * Calls `visit` for every place of a literal, and `visitPlace` for the other places, in text order. These callbacks
   * must not search with the same object.
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
        // The character before is also part of the next text, because some places depend on it.
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

  /** @param newLiterals number of literals in the text that will be written there */
  private reserve(length: number, newLiterals = 0): void {
    const { finder } = this;
    const start = finder.reserve(length, newLiterals);
    const { buffer } = finder.memory;
    this.room = new Uint8Array(buffer, start, length);
    this.found = new Uint32Array(buffer, finder.foundAt());
  }
}
