import type { RankTable } from './rankTable';

/** A binary heap of numbers, smallest first, in storage that grows. */
class NumberHeap {
  private items = new Float64Array(256);
  private size = 0;

  push(item: number): void {
    if (this.size === this.items.length) {
      const grown = new Float64Array(this.size * 2);
      grown.set(this.items);
      this.items = grown;
    }
    const { items } = this;
    let at = this.size++;
    while (at > 0) {
      const parent = (at - 1) >> 1;
      const above = items[parent] ?? 0;
      if (above <= item) {
        break;
      }
      items[at] = above;
      at = parent;
    }
    items[at] = item;
  }

  /** The smallest item, or -1 when the heap is empty. */
  pop(): number {
    if (this.size === 0) {
      return -1;
    }
    const { items } = this;
    const top = items[0] ?? 0;
    const last = items[--this.size] ?? 0;
    const { size } = this;
    let at = 0;
    for (let child = 1; child < size; child = at * 2 + 1) {
      if (child + 1 < size && (items[child + 1] ?? 0) < (items[child] ?? 0)) {
        child++;
      }
      const below = items[child] ?? 0;
      if (below >= last) {
        break;
      }
      items[at] = below;
      at = child;
    }
    items[at] = last;
    return top;
  }
}

/** Pieces up to this many bytes share one set of buffers; longer ones get their own, which is then let go. */
const sharedLength = 4096;

interface MergeBuffers {
  readonly next: Int32Array;
  readonly previous: Int32Array;
  /** Rank of the pair that begins here, -1 when there is none. */
  readonly pairRank: Int32Array;
  readonly queue: NumberHeap;
}

function mergeBuffers(length: number): MergeBuffers {
  return {
    next: new Int32Array(length),
    previous: new Int32Array(length),
    pairRank: new Int32Array(length),
    queue: new NumberHeap(),
  };
}

/** A queue entry is rank * positions + position, so that the lowest rank comes first, and leftmost among equals. */
const positions = 2 ** 32;

/**
 * Returns a function that gives the number of tokens into which byte pair merging turns bytes[0, length). The pair of
 * the lowest rank merges first, the leftmost among equals, as in js-tiktoken; a heap keeps that n log n.
 */
export function createPairMerge(table: RankTable): (bytes: Uint8Array, length: number) => number {
  const shared = mergeBuffers(sharedLength);
  return (bytes, length) => {
    const { next, previous, pairRank, queue } = length <= sharedLength ? shared : mergeBuffers(length);

    const rankPair = (left: number, right: number): void => {
      const rank = right < length ? table.rankOf(bytes, left, next[right] ?? length) : -1;
      pairRank[left] = rank;
      if (rank !== -1) {
        queue.push(rank * positions + left);
      }
    };

    for (let at = 0; at < length; at++) {
      next[at] = at + 1;
      previous[at] = at - 1;
    }
    for (let at = 0; at < length; at++) {
      rankPair(at, at + 1);
    }
    let parts = length;
    for (let entry = queue.pop(); entry !== -1; entry = queue.pop()) {
      const rank = Math.floor(entry / positions);
      const left = entry - rank * positions;
      if (pairRank[left] !== rank) {
        continue; // a part of this pair has merged with another in the meantime
      }
      const right = next[left] ?? length;
      const after = next[right] ?? length;
      next[left] = after;
      pairRank[right] = -1;
      if (after < length) {
        previous[after] = left;
      }
      parts--;
      rankPair(left, after);
      const before = previous[left] ?? -1;
      if (before >= 0) {
        rankPair(before, left);
      }
    }
    return parts;
  };
}
