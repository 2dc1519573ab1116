import { entryOf } from '../base/entryOf';
import { firstWhere } from '../base/numbers';

/** Multipliers of MurmurHash3's finaliser (Austin Appleby, public domain). */
const firstMultiplier = 0x85ebca6b;
const secondMultiplier = 0xc2b2ae35;
const bitsOfSecond = 2 ** 21;

function mix(hash: number, value: number): number {
  let mixed = Math.imul(hash ^ value, firstMultiplier);
  mixed = Math.imul(mixed ^ (mixed >>> 13), secondMultiplier);
  return (mixed ^ (mixed >>> 16)) >>> 0;
}

/** A hash of each row. */
function mixedRows(columns: readonly Uint32Array[], seed: number): Uint32Array {
  const hashes = new Uint32Array(columns[0]?.length ?? 0).fill(seed);
  for (const column of columns) {
    for (let row = 0; row < hashes.length; row += 1) {
      hashes[row] = mix(hashes[row] ?? 0, column[row] ?? 0);
    }
  }
  return hashes;
}

/**
 * Compares beginnings of contexts in logarithmic time. Built in one pass over all contexts; it takes eight bytes for
 * each place in one. Two prefixes count as equal when their 53-bit hashes are.
 */
export class PrefixIndex {
  private readonly hashes: readonly Float64Array[];

  /** @param contents columns by block; blocks are the same on the wire if they have the same number in all columns */
  constructor(contexts: readonly ArrayLike<number>[], contents: readonly Uint32Array[]) {
    const firstOf = mixedRows(contents, firstMultiplier);
    const secondOf = mixedRows(contents, secondMultiplier);
    this.hashes = contexts.map(context => {
      const hashes = new Float64Array(context.length + 1);
      let first = 1;
      let second = 2;
      for (let position = 0; position < context.length; position += 1) {
        const block = context[position] ?? 0;
        first = mix(first + position, firstOf[block] ?? 0);
        second = mix(second ^ first, secondOf[block] ?? 0);
        hashes[position + 1] = first * bitsOfSecond + (second % bitsOfSecond);
      }
      return hashes;
    });
  }

  /** The hash of the first `length` blocks of a context. */
  hash(context: number, length: number): number {
    return this.hashes[context]?.[length] ?? 0;
  }

  /** The number of leading blocks that two contexts share, at most `limit`. */
  common(first: number, second: number, limit: number): number {
    if (first === second || this.isEqual(first, second, limit)) {
      return limit;
    }
    return firstWhere(1, limit, length => !this.isEqual(first, second, length)) - 1;
  }

  isEqual(first: number, second: number, length: number): boolean {
    return first === second || this.hash(first, length) === this.hash(second, length);
  }
}

/** Numbers keys in the order of their first use. */
export class Numbering {
  private readonly numbers = new Map<string, number>();

  of(key: string): number {
    return entryOf(this.numbers, key, () => this.numbers.size);
  }
}
