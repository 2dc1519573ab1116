import { enlarged } from '../../base/enlarged';

/**
 * The ids of a file's records, numbered in the order in which they are added. A session has millions of them, most on
 * lines without content: only 64 bits of each are kept, which makes an accidental collision practically impossible.
 */
export class RecordIds {
  /** Two words for each id. */
  private words = new Int32Array(1 << 10);
  /** Open addressing: the number of an id plus one; 0 for a free slot. */
  private slots = new Int32Array(1 << 10);
  private added = 0;

  get size(): number {
    return this.added;
  }

  /** The number of a new id; -1 for one that was added before. */
  add(id: string): number {
    const [low, high] = wordsOf(id);
    const slot = this.slotOf(low, high);
    if (this.slots[slot] !== 0) {
      return -1;
    }
    this.words[this.added * 2] = low;
    this.words[this.added * 2 + 1] = high;
    this.added += 1;
    this.slots[slot] = this.added;
    if (this.added * 2 + 2 > this.words.length) {
      this.words = enlarged(Int32Array, this.words, this.added * 2 + 2);
    }
    if (this.added * 3 >= this.slots.length * 2) {
      this.spread();
    }
    return this.added - 1;
  }

  /** The number of an id; -1 for one that was not added. */
  find(id: string): number {
    const [low, high] = wordsOf(id);
    return (this.slots[this.slotOf(low, high)] ?? 0) - 1;
  }

  /** The slot that holds the id, or the free one where it belongs. */
  private slotOf(low: number, high: number): number {
    const mask = this.slots.length - 1;
    for (let slot = low & mask; ; slot = (slot + 1) & mask) {
      const number = (this.slots[slot] ?? 0) - 1;
      if (number < 0 || (this.words[number * 2] === low && this.words[number * 2 + 1] === high)) {
        return slot;
      }
    }
  }

  private spread(): void {
    this.slots = new Int32Array(this.slots.length * 2);
    for (let number = 0; number < this.added; number += 1) {
      const low = this.words[number * 2] ?? 0;
      const high = this.words[number * 2 + 1] ?? 0;
      this.slots[this.slotOf(low, high)] = number + 1;
    }
  }
}

/** Two independent hashes of an id, each by multiplications and MurmurHash3's final mixing. */
function wordsOf(id: string): readonly [number, number] {
  let low = 0x9747b28c;
  let high = 0x3c6ef372;
  for (let index = 0; index < id.length; index += 1) {
    const unit = id.charCodeAt(index);
    low = Math.imul(low ^ unit, 0x5bd1e995);
    low ^= low >>> 15;
    high = Math.imul(high ^ unit, 0x2c1b3c6d);
    high ^= high >>> 12;
  }
  return [mixed(low), mixed(high)];
}

function mixed(word: number): number {
  let result = Math.imul(word ^ (word >>> 16), 0x85ebca6b);
  result = Math.imul(result ^ (result >>> 13), 0xc2b2ae35);
  return result ^ (result >>> 16);
}
