import type { Tokenizer } from '../../tokens/tokenizer';
import { randomWord, shapeOf } from './letterShapes';
import type { RandomNumbers } from './randomNumbers';
import type { WordRange } from './textRuns';

/** Bytes in base64 are at least so long without another sign, in UTF-16 units. */
const leastLength = 60;
/** One of so many characters at least is a digit, a capital or a small letter; a path or a long name has fewer. */
const leastShares = [
  [/\d/g, 24],
  [/[A-Z]/g, 8],
  [/[a-z]/g, 8],
] as const;
/** How many words of one shape are made to choose from, and for how many shapes. */
const mostInPool = 96;
const mostPools = 4_096;
/** Words of other shapes are made one by one, the best of so many. */
const pooledShape = /^(?:A*a{0,20}|[Aa]{1,5})$/;
const mostTries = 12;
const signs = /[^A-Za-z]/;

/** By ASCII code, whether a sign is one of base64. */
const isDigit = Uint8Array.from({ length: 128 }, (_, code) =>
  /[A-Za-z\d+/]/.test(String.fromCharCode(code)) ? 1 : 0,
);

/** Where bytes in base64 are in a text, without the word at each end, whose neighbours are others. */
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

/** The twin of the next piece, which is a word with at most one sign before it, and how many tokens it has more. */
export type BlobTwin = (piece: string, owed: number) => { readonly twin: string; readonly more: number };

/** Random words for the pieces of bytes in base64. Each piece may differ from its twin if the next one makes up for it. */
export class BlobTwins {
  private readonly pools = new Map<string, ReadonlyMap<number, readonly string[]>>();

  constructor(
    private readonly tokenizer: Tokenizer,
    private readonly random: RandomNumbers,
  ) {}

  /** Starts the twin of a blob, which begins in the same way for equal beginnings. */
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

  /** Words of the shape of this one, by their count of tokens after what stands before it. The same whenever it is made. */
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
