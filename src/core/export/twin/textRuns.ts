import type { KeptPart } from './keptParts';

/** A twin has no run of this many letters, digits and spaces of its original. */
export const runLength = 12;
/** Minimum number of letters and digits for a run to reveal something. */
const leastTelling = 8;
/** If a word shares no run of this many letters, every longer run with it is new. */
const partLength = 5;
/** Bits of memory for each byte of the file, with limits. With this many, few new runs look like known ones. */
const bitsPerByte = 512;
const leastBits = 2 ** 16;
const mostBits = 2 ** 30;

const space = 0x20;
const backslash = 0x5c;

/** By UTF-16 unit: 0 unknown, 1 ends a run, 2 a digit, 3 a letter. */
const kinds = new Uint8Array(2 ** 16);

function kindOf(unit: number): number {
  let kind = kinds[unit] ?? 1;
  if (kind === 0) {
    const character = String.fromCharCode(unit);
    kind = /[\p{L}\p{M}]/u.test(character) ? 3 : unit === space || /\p{N}/u.test(character) ? 2 : 1;
    kinds[unit] = kind;
  }
  return kind;
}

/** A set of hashes. It may return true for a hash that is not in the set. */
class HashSet {
  private readonly words: Uint32Array;

  constructor(bits: number) {
    this.words = new Uint32Array(bits / 32);
  }

  private static mask(hash: number): number {
    return (1 << (hash & 31)) | (1 << ((hash >>> 5) & 31)) | (1 << ((hash >>> 10) & 31));
  }

  add(first: number, second: number): void {
    const at = (first >>> 0) % this.words.length;
    this.words[at] = (this.words[at] ?? 0) | HashSet.mask(second);
  }

  has(first: number, second: number): boolean {
    const mask = HashSet.mask(second);
    return ((this.words[(first >>> 0) % this.words.length] ?? 0) & mask) === mask;
  }
}

const firstBase = 0x01000193;
const secondBase = 0x9e3779b1;

function power(base: number, exponent: number): number {
  return exponent === 0 ? 1 : Math.imul(base, power(base, exponent - 1));
}

function mixed(hash: number): number {
  const once = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  return Math.imul(once ^ (once >>> 13), 0xc2b2ae35);
}

/** The hash of the last units of a text, whatever its length. */
class Rolling {
  private readonly ring: Uint16Array;
  private readonly firstGone: number;
  private readonly secondGone: number;
  private at = 0;
  length = 0;
  first = 0;
  second = 0;
  letters = 0;
  spaces = 0;

  constructor(readonly size: number) {
    this.ring = new Uint16Array(size);
    this.firstGone = power(firstBase, size);
    this.secondGone = power(secondBase, size);
  }

  clear(): void {
    if (this.length > 0) {
      this.ring.fill(0);
      this.length = this.first = this.second = this.letters = this.spaces = 0;
    }
  }

  push(unit: number, isLetter: boolean): void {
    const gone = this.ring[this.at] ?? 0;
    this.ring[this.at] = unit;
    this.at = this.at + 1 === this.size ? 0 : this.at + 1;
    this.first = (Math.imul(this.first, firstBase) + unit - Math.imul(gone, this.firstGone)) | 0;
    this.second = (Math.imul(this.second, secondBase) + unit - Math.imul(gone, this.secondGone)) | 0;
    this.letters += (isLetter ? 1 : 0) - (kindOf(gone) === 3 ? 1 : 0);
    this.spaces += (unit === space ? 1 : 0) - (gone === space ? 1 : 0);
    this.length += 1;
  }

  /**
   * True if the run is full, has a letter, and reveals something. A word of 11 letters with a space reveals nothing
   * alone.
   */
  get isTelling(): boolean {
    return (
      this.length >= this.size &&
      this.letters > 0 &&
      this.size - this.spaces >= leastTelling &&
      !(
        this.spaces === 1 &&
        (this.ring[this.at] === space || this.ring[(this.at + this.size - 1) % this.size] === space)
      )
    );
  }
}

/** The range of a word in a text, in UTF-16 units. */
export interface WordRange {
  readonly from: number;
  readonly to: number;
}

/**
 * The runs of letters, digits and spaces in all texts of a transcript, so that its twin can avoid them. A run ends at
 * kept parts of the allow-list and at JSON escapes.
 */
export class TextRuns {
  private readonly runs: HashSet;
  private readonly parts: HashSet;
  private readonly run = new Rolling(runLength);
  private readonly part = new Rolling(partLength);

  /** @param size bytes of the transcript */
  constructor(size: number) {
    const bits = Math.min(mostBits, Math.max(leastBits, 2 ** Math.ceil(Math.log2(size * bitsPerByte + 1))));
    this.runs = new HashSet(bits);
    this.parts = new HashSet(bits / 4);
  }

  add(text: string, kept: readonly KeptPart[]): void {
    const { run, part } = this;
    this.read(text, kept, [], () => {
      if (run.isTelling) {
        this.runs.add(mixed(run.first), mixed(run.second));
      }
      if (part.length >= partLength && part.letters === partLength) {
        this.parts.add(mixed(part.first), mixed(part.second));
      }
    });
  }

  /** True if a word shares no run of letters with any word of the transcript. */
  isNew(word: string): boolean {
    const { part } = this;
    if (word.length < partLength) {
      return false;
    }
    part.clear();
    for (let index = 0; index < word.length; index += 1) {
      part.push(word.charCodeAt(index), true);
      if (part.length >= partLength && this.parts.has(mixed(part.first), mixed(part.second))) {
        return false;
      }
    }
    return true;
  }

  /**
   * The ends of the transcript's runs in a twin.
   * @param fresh words of the twin that are new, in order
   */
  endsIn(twin: string, kept: readonly KeptPart[], fresh: readonly WordRange[]): readonly number[] {
    const { run } = this;
    const ends: number[] = [];
    this.read(twin, kept, fresh, index => {
      if (run.isTelling && this.runs.has(mixed(run.first), mixed(run.second))) {
        ends.push(index + 1);
      }
    });
    return ends;
  }

  private read(
    text: string,
    kept: readonly KeptPart[],
    fresh: readonly WordRange[],
    visit: (index: number) => void,
  ): void {
    const { run, part } = this;
    run.clear();
    part.clear();
    let nextKept = 0;
    let nextFresh = 0;
    let keptStart = kept[0]?.start ?? Infinity;
    let freshStart = (fresh[0]?.from ?? Infinity) + partLength - 1;
    for (let index = 0; index < text.length; index += 1) {
      if (index >= keptStart || index >= freshStart) {
        run.clear();
        part.clear();
        if (index >= keptStart) {
          index = Math.max(index, kept[nextKept]?.end ?? 0) - 1;
          nextKept += 1;
          keptStart = kept[nextKept]?.start ?? Infinity;
        } else {
          // A run that ends with few letters of a new word could be a known one.
          index = (fresh[nextFresh]?.to ?? 0) - partLength;
          nextFresh += 1;
          freshStart = (fresh[nextFresh]?.from ?? Infinity) + partLength - 1;
        }
        continue;
      }
      const unit = text.charCodeAt(index);
      const kind = kindOf(unit);
      if (kind > 1) {
        run.push(unit, kind === 3);
        part.push(unit, kind === 3);
        visit(index);
      } else if (unit !== backslash) {
        run.clear();
        part.clear();
      } else if ('nrtbfu'.includes(text.charAt(index + 1)) && index + 1 < text.length) {
        run.clear();
        part.clear();
        index += 1;
      }
    }
  }
}
