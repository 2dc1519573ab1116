import { enlarged } from '../base/enlarged';

/** Longer plain words are rare enough that one of them in a later text is a reference. */
const rareLength = 9;
const leastLetters = 4;
const leastWithDigits = 3;
/** A word that more results hold does not tell which of them is meant. */
const fewResults = 16;
/** Scripts without spaces between words, from here on: each pair of characters counts as a word. */
const firstUnspaced = 0x2e80;

const noLetter = 0;
const lowerLetter = 1;
const upperLetter = 2;
const digit = 3;
const underscore = 4;
const otherLetter = 5;
/** Of the characters of ASCII. */
const sorts = Uint8Array.from({ length: 0x80 }, (_, unit) => {
  const character = String.fromCharCode(unit);
  return /[a-z]/.test(character)
    ? lowerLetter
    : /[A-Z]/.test(character)
      ? upperLetter
      : /\d/.test(character)
        ? digit
        : character === '_'
          ? underscore
          : noLetter;
});

/** What a word is worth as a reference. */
const plain = 1;
const rare = 2;
/** So many plain words of a result in one later text are a reference. */
const plainWords = 3;
/** How a text takes part: a reply, a call or a prompt can refer to others, a result can be referred to. */
export type TextRole = 'use' | 'call' | 'result' | 'other';

/**
 * Finds out which texts of a conversation are referred to by later ones. A later text refers to a result if it holds a rare
 * word of it (one with a digit, an underscore or capitals inside, or of nine letters and more), or three plain words of at
 * least four letters. Two words with a point between them, as in the name of a file, count as a rare word too. Of a rare word
 * that more than sixteen results hold, the newest is meant; a plain one says nothing then. A word that no result holds refers to the text
 * that first did, which may be a call. Texts are read in the order in which they came; one pass, one entry for each different word, and at most
 * sixteen results for each.
 */
export class WordReferences {
  /** The last text that refers to each block; -1 where none does. */
  readonly lastUse: Int32Array;
  /** How many different words each block brought up. */
  readonly brought: Uint32Array;
  /** How many different words each block holds. */
  readonly held: Uint32Array;
  /** The text that holds plain words of a block, and how many. */
  private readonly plainUse: Int32Array;
  private readonly plainCount: Uint8Array;
  /** Open addressing by hash: 0 for a free slot. */
  private keys = new Uint32Array(1 << 12);
  private first = new Int32Array(1 << 12);
  private newestResult = new Int32Array(1 << 12);
  private newestText = new Int32Array(1 << 12);
  private results = new Uint8Array(1 << 12);
  /** The newest entry of `chainBlocks` for a word, -1 where there is none. */
  private chain = new Int32Array(1 << 12);
  private used = 0;
  /** Results that hold a word, each with the entry before it. */
  private chainBlocks = new Int32Array(1 << 12);
  private chainBefore = new Int32Array(1 << 12);
  private chained = 0;

  constructor(blocks: number) {
    this.lastUse = new Int32Array(blocks).fill(-1);
    this.plainUse = new Int32Array(blocks).fill(-1);
    this.plainCount = new Uint8Array(blocks);
    this.brought = new Uint32Array(blocks);
    this.held = new Uint32Array(blocks);
  }

  /**
   * @param conversation words of one conversation say nothing about another
   * @param role a `call` is JSON, in which a line break is written as two characters
   */
  read(block: number, text: string, conversation: number, role: TextRole): void {
    const seed = Math.imul(conversation + 1, 0x9e3779b1);
    let hash = seed;
    let length = 0;
    let hasDigit = false;
    let hasMark = false;
    let wasLower = false;
    // The word before a point.
    let before = 0;
    for (let index = 0; index <= text.length; index += 1) {
      const unit = index < text.length ? text.charCodeAt(index) : 0x20;
      const sort = unit < sorts.length ? sorts[unit] : unit < firstUnspaced ? otherLetter : noLetter;
      if (sort !== noLetter) {
        if (sort === lowerLetter) {
          wasLower = true;
          hash = Math.imul(hash ^ unit, 0x01000193);
        } else {
          hasMark ||= sort === underscore || (wasLower && sort === upperLetter);
          hasDigit ||= sort === digit;
          wasLower = false;
          hash = Math.imul(hash ^ (sort === upperLetter ? unit | 0x20 : unit), 0x01000193);
        }
        length += 1;
        continue;
      }
      // The name of a member is the tool's word, not the model's.
      const isName = role === 'call' && unit === 0x22 && text.charCodeAt(index + 1) === 0x3a;
      if (!isName && (length >= leastLetters || (hasDigit && length >= leastWithDigits))) {
        this.meet(block, hash, role, hasDigit || hasMark || length >= rareLength ? rare : plain);
      }
      if (before !== 0 && length > 0) {
        this.meet(block, Math.imul(before, 31) ^ hash, role, rare);
      }
      before = unit === 0x2e && length >= 2 ? hash : 0;
      if (unit === 0x5c && role === 'call') {
        index += 1;
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

  private meet(block: number, hash: number, role: TextRole, weight: number): void {
    const slot = this.slotOf(hash);
    const isNew = this.keys[slot] === 0;
    if (!isNew && this.newestText[slot] === block) {
      return;
    }
    this.held[block] = (this.held[block] ?? 0) + 1;
    if (isNew) {
      this.keys[slot] = keyOf(hash);
      this.first[slot] = block;
      this.newestResult[slot] = -1;
      this.results[slot] = 0;
      this.chain[slot] = -1;
      this.brought[block] = (this.brought[block] ?? 0) + 1;
      this.used += 1;
    } else if (role === 'use' || role === 'call') {
      if ((this.newestResult[slot] ?? -1) < 0) {
        this.refer(this.first[slot] ?? -1, block, weight);
      }
      if ((this.results[slot] ?? 0) <= fewResults) {
        for (let entry = this.chain[slot] ?? -1; entry >= 0; entry = this.chainBefore[entry] ?? -1) {
          this.refer(this.chainBlocks[entry] ?? -1, block, weight);
        }
      } else if (weight === rare) {
        this.refer(this.newestResult[slot] ?? -1, block, weight);
      }
    }
    this.newestText[slot] = block;
    if (role === 'result') {
      this.newestResult[slot] = block;
      const results = (this.results[slot] ?? 0) + 1;
      if (results <= fewResults) {
        this.link(slot, block);
      }
      this.results[slot] = Math.min(255, results);
    }
    if (isNew && this.used * 2 > this.keys.length) {
      this.grow();
    }
  }

  private link(slot: number, block: number): void {
    if (this.chained === this.chainBlocks.length) {
      this.chainBlocks = enlarged(Int32Array, this.chainBlocks, this.chained + 1);
      this.chainBefore = enlarged(Int32Array, this.chainBefore, this.chained + 1);
    }
    this.chainBlocks[this.chained] = block;
    this.chainBefore[this.chained] = this.chain[slot] ?? -1;
    this.chain[slot] = this.chained;
    this.chained += 1;
  }

  private refer(to: number, by: number, weight: number): void {
    if (to < 0 || to === by) {
      return;
    }
    if (weight !== plain) {
      this.lastUse[to] = by;
      return;
    }
    const count = this.plainUse[to] === by ? (this.plainCount[to] ?? 0) + 1 : 1;
    this.plainUse[to] = by;
    this.plainCount[to] = Math.min(255, count);
    if (count >= plainWords) {
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
    const { keys, first, newestResult, newestText, results, chain } = this;
    const size = keys.length * 2;
    this.keys = new Uint32Array(size);
    this.first = new Int32Array(size);
    this.newestResult = new Int32Array(size);
    this.newestText = new Int32Array(size);
    this.results = new Uint8Array(size);
    this.chain = new Int32Array(size);
    for (let old = 0; old < keys.length; old += 1) {
      const key = keys[old] ?? 0;
      if (key !== 0) {
        const slot = this.slotOf(key);
        this.keys[slot] = key;
        this.first[slot] = first[old] ?? 0;
        this.newestResult[slot] = newestResult[old] ?? 0;
        this.newestText[slot] = newestText[old] ?? 0;
        this.results[slot] = results[old] ?? 0;
        this.chain[slot] = chain[old] ?? -1;
      }
    }
  }
}

/** A hash that is never 0. */
const keyOf = (hash: number): number => hash >>> 0 || 1;
