import type { Tokenizer } from '../../tokens/tokenizer';
import { randomWord, shapeOf } from './letterShapes';
import type { RandomNumbers } from '../../base/randomNumbers';
import type { WordRange } from './textRuns';

/** Minimum length of base64 data without another character, in UTF-16 units. */
const leastLength = 60;
/** Minimum shares of digits, capitals and small letters. A path or a long name has fewer. */
const leastShares = [
  [/\d/g, 24],
  [/[A-Z]/g, 8],
  [/[a-z]/g, 8],
] as const;
/** Maximum number of words made of one shape to choose from, and maximum number of shapes. */
const mostInPool = 96;
const mostPools = 4_096;
/** Shapes with a pool. Words of other shapes are made one by one; the best of several is used. */
const pooledShape = /^(?:A*a{0,20}|[Aa]{1,5})$/;
const mostTries = 12;
const signs = /[^A-Za-z]/;

/** By ASCII code: 1 for a base64 character. */
const isDigit = Uint8Array.from({ length: 128 }, (_, code) =>
  /[A-Za-z\d+/]/.test(String.fromCharCode(code)) ? 1 : 0,
);

/**
 * The ranges of base64 data in a text. The word at each end is left out, because its neighbours are other characters.
 */
export function blobsIn(text: string): readonly WordRange[] {
  const found: WordRange[] = [];
  let from = 0;
  for (let index = 0; index <= text.length; index += 1) {
    const unit = index < text.length ? text.charCodeAt(index) : 0;
    if (unit >= 128 || isDigit[unit] === 0) {
      if (index - from >= leastLength) {
        const blob = blobIn(text, from, index);
        if (blob !== undefined) {
          found.push(blob);
        }
      }
      from = index + 1;
    }
  }
  return found;
}

function blobIn(text: string, from: number, to: number): WordRange | undefined {
  const run = text.slice(from, to);
  if (leastShares.some(([sign, share]) => (run.match(sign)?.length ?? 0) * share < run.length)) {
    return undefined;
  }
  const first = from + run.search(signs) + 1;
  let last = to - 1;
  while (last > first && !signs.test(text.charAt(last))) {
    last -= 1;
  }
  return last - first >= leastLength / 2 ? { from: first, to: last } : undefined;
}

/**
 * The twin of the next piece, and the number of tokens that it has more. A piece is a word with at most one sign before
 * it.
 */
export type BlobTwin = (piece: string, owed: number) => { readonly twin: string; readonly more: number };

/**
 * Random words for the pieces of base64 data. A piece may differ in tokens from its twin if the next one compensates.
 */
export class BlobTwins {
  private readonly pools = new Map<string, ReadonlyMap<number, readonly string[]>>();

  constructor(
    private readonly tokenizer: Tokenizer,
    private readonly random: RandomNumbers,
  ) {}

  /** Starts the twin of a blob. Equal beginnings get equal beginnings. */
  start(beginning: string): BlobTwin {
    const random = this.random.for(beginning);
    const { tokenizer } = this;
    return (piece, owed) => {
      const before = /^[^A-Za-z]?/.exec(piece)?.[0] ?? '';
      const word = piece.slice(before.length);
      const count = tokenizer.count(piece);
      const wanted = count - owed;
      const shape = shapeOf(word);
      const pool = pooledShape.test(shape) ? this.poolOf(before, word, shape) : undefined;
      const fitting = pool?.get(wanted) ?? pool?.get(count);
      let twin = word;
      let more = Infinity;
      for (let attempt = 0; attempt < mostTries && more !== wanted - count; attempt += 1) {
        const other = (fitting && random.oneOf(fitting)) ?? randomWord(word, random);
        const change = tokenizer.count(before + other) - count;
        if (other !== word && Math.abs(change + owed) < Math.abs(more + owed)) {
          twin = other;
          more = change;
        }
      }
      if (twin === word) {
        twin = randomWord(word, random);
        more = tokenizer.count(before + twin) - count;
      }
      return { twin: before + twin, more };
    };
  }

  /** Words of the same shape, by their token count after the given prefix. The result is always the same. */
  private poolOf(before: string, word: string, shape: string): ReadonlyMap<number, readonly string[]> {
    const key = `${before} ${shape}`;
    let pool = this.pools.get(key);
    if (pool === undefined) {
      const random = this.random.for(key);
      const made = new Map<number, string[]>();
      for (let attempt = 0; attempt < mostInPool; attempt += 1) {
        const twin = randomWord(word, random);
        const count = this.tokenizer.count(before + twin);
        const others = made.get(count);
        if (others === undefined) {
          made.set(count, [twin]);
        } else {
          others.push(twin);
        }
      }
      pool = made;
      if (this.pools.size >= mostPools) {
        this.pools.clear();
      }
      this.pools.set(key, pool);
    }
    return pool;
  }
}
