/** Longer plain words are rare enough that one of them in a later text is a reference. */
const rareLength = 9;
const leastLetters = 4;
const leastWithDigits = 3;
/** A word that more results hold says nothing about the newest of them. */
const fewResults = 4;
/** Scripts without spaces between words, from here on: each pair of characters counts as a word. */
const firstUnspaced = 0x2e80;

const rare = 1;
const plain = 2;

/**
 * Finds out which texts of a conversation are referred to by later ones. A word belongs to the text that brought it up: the
 * first of its conversation that holds it. A later text refers to that one if it holds a rare word of it (one with a
 * digit, an underscore or capitals inside, or of nine letters and more), or two plain words of at least four letters. The
 * newest of at most four results that hold a word is referred to by it as well. Texts are read in the order in which they
 * came; one pass, and one entry for each different word.
 */
export class WordReferences {
  /** The last text that refers to each block; -1 where none does. */
  readonly lastUse: Int32Array;
  /** How many different words each block brought up. */
  readonly brought: Uint32Array;
  /** The text that holds plain words of a block, and how many. */
  private readonly plainUse: Int32Array;
  private readonly plainCount: Uint8Array;
  /** Open addressing by hash: 0 for a free slot. */
  private keys = new Uint32Array(1 << 12);
  private first = new Int32Array(1 << 12);
  private newestResult = new Int32Array(1 << 12);
  private newestText = new Int32Array(1 << 12);
  private results = new Uint8Array(1 << 12);
  private used = 0;

  constructor(blocks: number) {
    this.lastUse = new Int32Array(blocks).fill(-1);
    this.plainUse = new Int32Array(blocks).fill(-1);
    this.plainCount = new Uint8Array(blocks);
    this.brought = new Uint32Array(blocks);
  }

  /**
   * @param conversation words of one conversation say nothing about another
   * @param role whether the text can refer to others (a reply, a call, a prompt), can be referred to (a result), or neither
   */
  read(block: number, text: string, conversation: number, role: 'use' | 'result' | 'other'): void {
    const seed = Math.imul(conversation + 1, 0x9e3779b1);
    let hash = seed;
    let length = 0;
    let hasDigit = false;
    let hasMark = false;
    let wasLower = false;
    for (let index = 0; index <= text.length; index += 1) {
      const unit = index < text.length ? text.charCodeAt(index) : 0x20;
      const lower = unit | 0x20;
      const isLetter = lower >= 0x61 && lower <= 0x7a && unit < 0x80;
      const isDigit = unit >= 0x30 && unit <= 0x39;
      if (isLetter || isDigit || unit === 0x5f || (unit >= 0x80 && unit < firstUnspaced)) {
        const isLower = isLetter && unit === lower;
        hasMark ||= unit === 0x5f || (wasLower && isLetter && !isLower);
        hasDigit ||= isDigit;
        wasLower = isLower;
        hash = Math.imul(hash ^ (isLetter ? lower : unit), 0x01000193);
        length += 1;
        continue;
      }
      if (length >= leastLetters || (hasDigit && length >= leastWithDigits)) {
        this.meet(block, hash, role, hasDigit || hasMark || length >= rareLength ? rare : plain);
      }
      if (unit >= firstUnspaced && index + 1 < text.length) {
        const next = text.charCodeAt(index + 1);
        if (next >= firstUnspaced) {
          this.meet(block, Math.imul(Math.imul(seed ^ unit, 0x01000193) ^ next, 0x01000193), role, plain);
        }
      }
      hash = seed;
      length = 0;
      hasDigit = false;
      hasMark = false;
      wasLower = false;
    }
  }

  private meet(block: number, hash: number, role: 'use' | 'result' | 'other', weight: number): void {
    const slot = this.slotOf(hash);
    const isNew = this.keys[slot] === 0;
    if (!isNew && this.newestText[slot] === block) {
      return;
    }
    if (isNew) {
      this.keys[slot] = keyOf(hash);
      this.first[slot] = block;
      this.newestResult[slot] = -1;
      this.results[slot] = 0;
      this.brought[block] = (this.brought[block] ?? 0) + 1;
      this.used += 1;
    } else if (role === 'use') {
      this.refer(this.first[slot] ?? -1, block, weight);
      if ((this.results[slot] ?? 0) <= fewResults) {
        this.refer(this.newestResult[slot] ?? -1, block, weight);
      }
    }
    this.newestText[slot] = block;
    if (role === 'result') {
      this.newestResult[slot] = block;
      this.results[slot] = Math.min(255, (this.results[slot] ?? 0) + 1);
    }
    if (isNew && this.used * 2 > this.keys.length) {
      this.grow();
    }
  }

  private refer(to: number, by: number, weight: number): void {
    if (to < 0 || to === by) {
      return;
    }
    if (weight === rare) {
      this.lastUse[to] = by;
      return;
    }
    const count = this.plainUse[to] === by ? (this.plainCount[to] ?? 0) + 1 : 1;
    this.plainUse[to] = by;
    this.plainCount[to] = Math.min(255, count);
    if (count >= 2) {
      this.lastUse[to] = by;
    }
  }

  private slotOf(hash: number): number {
    const mask = this.keys.length - 1;
    const key = keyOf(hash);
    let slot = (key ^ (key >>> 15)) & mask;
    while (this.keys[slot] !== 0 && this.keys[slot] !== key) {
      slot = (slot + 1) & mask;
    }
    return slot;
  }

  private grow(): void {
    const { keys, first, newestResult, newestText, results } = this;
    const size = keys.length * 2;
    this.keys = new Uint32Array(size);
    this.first = new Int32Array(size);
    this.newestResult = new Int32Array(size);
    this.newestText = new Int32Array(size);
    this.results = new Uint8Array(size);
    for (let old = 0; old < keys.length; old += 1) {
      const key = keys[old] ?? 0;
      if (key !== 0) {
        const slot = this.slotOf(key);
        this.keys[slot] = key;
        this.first[slot] = first[old] ?? 0;
        this.newestResult[slot] = newestResult[old] ?? 0;
        this.newestText[slot] = newestText[old] ?? 0;
        this.results[slot] = results[old] ?? 0;
      }
    }
  }
}

/** A hash that is never 0. */
const keyOf = (hash: number): number => hash >>> 0 || 1;
