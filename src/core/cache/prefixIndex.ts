/** Multipliers of MurmurHash3's finaliser (Austin Appleby, public domain). */
const firstMultiplier = 0x85ebca6b;
const secondMultiplier = 0xc2b2ae35;
const bitsOfSecond = 2 ** 21;

function mix(hash: number, value: number): number {
  let mixed = Math.imul(hash ^ value, firstMultiplier);
  mixed = Math.imul(mixed ^ (mixed >>> 13), secondMultiplier);
  return (mixed ^ (mixed >>> 16)) >>> 0;
}

/**
 * Compares beginnings of contexts in logarithmic time. Built in one pass over all contexts; it takes eight bytes for
 * each place in one. Two prefixes count as equal when their 53-bit hashes are.
 */
export class PrefixIndex {
  private readonly hashes: readonly Float64Array[];

  /** @param identityOf a number for a block; blocks of the same number are the same content on the wire */
  constructor(contexts: readonly ArrayLike<number>[], identityOf: (block: number) => number) {
    this.hashes = contexts.map(context => {
      const hashes = new Float64Array(context.length + 1);
      let first = 1;
      let second = 2;
      for (let position = 0; position < context.length; position += 1) {
        const identity = identityOf(context[position] ?? 0);
        first = mix(first + position, identity);
        second = mix(second ^ first, identity + 1);
        hashes[position + 1] = first * bitsOfSecond + (second % bitsOfSecond);
      }
      return hashes;
    });
  }

  /** The hash of the first `length` blocks of a context. */
  hash(context: number, length: number): number {
    return this.hashes[context]?.[length] ?? 0;
  }

  /** How many leading blocks two contexts share, looking at no more than `limit`. */
  common(first: number, second: number, limit: number): number {
    if (first === second || this.isEqual(first, second, limit)) {
      return limit;
    }
    let low = 0;
    let high = limit;
    while (high - low > 1) {
      const middle = (low + high) >> 1;
      if (this.isEqual(first, second, middle)) {
        low = middle;
      } else {
        high = middle;
      }
    }
    return low;
  }

  isEqual(first: number, second: number, length: number): boolean {
    return first === second || this.hash(first, length) === this.hash(second, length);
  }
}

/** Numbers for keys, in the order in which they come. */
export class Numbering {
  private readonly numbers = new Map<string, number>();

  of(key: string): number {
    const known = this.numbers.get(key);
    if (known !== undefined) {
      return known;
    }
    const number = this.numbers.size;
    this.numbers.set(key, number);
    return number;
  }
}
