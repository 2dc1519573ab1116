/** What is looked for where a literal begins; a pattern or a function decides whether it is there. */
export interface Anchor<Value> {
  /** At least three ASCII characters, in any case. */
  readonly literal: string;
  readonly value: Value;
}

interface Entry<Value> {
  /** The literal's character codes, folded. */
  readonly codes: readonly number[];
  /** Where in the literal its rarest three characters begin. */
  readonly offset: number;
  readonly value: Value;
}

/** From frequent to rare in code and prose; what is missing here is rarer still. */
const frequent = ' etaoinsrlcdpumhfgb.y_-/="vkwx';

/** Upper and lower case become one. A few other characters become one as well, so a pattern has to check a hit. */
function fold(code: number): number {
  return code | 32;
}

/** How rare a character is, by its folded code. */
const rarities = new Uint8Array(128).fill(frequent.length);
for (const [rank, character] of Array.from(frequent).entries()) {
  rarities[fold(character.charCodeAt(0))] = rank;
}

function rarityOf(code = 0): number {
  return rarities[code] ?? 0;
}

/** Where the rarest three characters of a literal begin. */
function rarestStart(codes: readonly number[]): number {
  let best = 0;
  let highest = -1;
  for (let start = 0; start + 2 < codes.length; start += 1) {
    const rarity = rarityOf(codes[start]) + rarityOf(codes[start + 1]) + rarityOf(codes[start + 2]);
    if (rarity > highest) {
      highest = rarity;
      best = start;
    }
  }
  return best;
}

/**
 * Finds many literals in one pass over a text. Three characters at a time are looked up in a table; only where the
 * rarest three characters of a literal stand is anything compared. The time grows with the text's length and with the
 * number of hits.
 */
export class LiteralSearch<Value> {
  /** By three characters of six bits each: 0, or one more than the index of the entries. */
  private readonly table = new Uint16Array(2 ** 18);
  private readonly entries: Entry<Value>[][] = [];

  constructor(anchors: Iterable<Anchor<Value>>) {
    for (const { literal, value } of anchors) {
      const codes = Array.from(literal, character => fold(character.charCodeAt(0)));
      const offset = rarestStart(codes);
      const key = codes.slice(offset, offset + 3).reduce(next, 0);
      const known = this.table[key] ?? 0;
      if (known === 0) {
        this.entries.push([]);
        this.table[key] = this.entries.length;
      }
      this.entries[(known === 0 ? this.entries.length : known) - 1]?.push({ codes, offset, value });
    }
  }

  /** Calls `visit` for every place where a literal stands, in the order of the text. */
  search(text: string, visit: (value: Value, start: number) => void): void {
    const { table } = this;
    const { length } = text;
    let key = 0;
    for (let index = 0; index < length; index += 1) {
      key = next(key, text.charCodeAt(index));
      const hit = table[key] ?? 0;
      if (hit !== 0) {
        this.compare(text, index - 2, hit, visit);
      }
    }
  }

  private compare(text: string, at: number, hit: number, visit: (value: Value, start: number) => void): void {
    for (const { codes, offset, value } of this.entries[hit - 1] ?? []) {
      const start = at - offset;
      if (start >= 0 && standsAt(codes, text, start)) {
        visit(value, start);
      }
    }
  }
}

function standsAt(codes: readonly number[], text: string, start: number): boolean {
  for (let index = 0; index < codes.length; index += 1) {
    if (fold(text.charCodeAt(start + index)) !== codes[index]) {
      return false;
    }
  }
  return true;
}

/** The last three characters, of which only the bits that tell ASCII characters apart are kept, without case. */
function next(key: number, code: number): number {
  return ((key << 6) | (code & 31) | ((code & 64) >> 1)) & 0x3ffff;
}
