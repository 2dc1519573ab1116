import { entryOf } from '../base/entryOf';
import type { FilePaths } from './filePaths';

/** Shorter lines are too common to identify a file. In UTF-16 units. */
const tellingUnits = 12;
/** A line of this length identifies its file even in a text that does not name the file. */
export const certainUnits = 40;
/** The least length of a word by which lines are found. */
const leastWord = 3;

interface WordUse {
  /** The files of whose replaced lines it is the longest word. */
  readonly lines: Set<number>;
  /** The files of whose names it is the longest word. */
  readonly names: Set<number>;
}

/** The lines that edits replace. Finds the edited files that a text may show, in one pass over its words. */
export class WantedLines {
  private readonly byLine = new Map<string, Set<number>>();
  /** By the hash of a word. */
  private readonly byWord = new Map<number, WordUse>();
  /** Bits of these hashes, so that most words need no look into the map. */
  private readonly bits = new Int32Array(4096);
  private readonly namedFiles = new Set<number>();

  constructor(private readonly paths: FilePaths) {}

  /** Adds the text that an edit of a file replaces. */
  add(file: number, old: string): void {
    if (!this.namedFiles.has(file)) {
      this.namedFiles.add(file);
      this.useOf(longestWord(this.paths.nameOf(file)))?.names.add(file);
    }
    for (const written of old.split('\n')) {
      const line = written.trim();
      this.useOf(longestWord(line))?.lines.add(file);
      if (line.length >= tellingUnits) {
        entryOf(this.byLine, line, () => new Set()).add(file);
      }
    }
  }

  /**
   * The files that a text may show: of the words of their lines, it contains one.
   * `named`: it contains the file's name too.
   */
  wordsIn(text: string): { readonly some: boolean; readonly named: readonly number[] } {
    const met = new Set<WordUse>();
    let hash = 0;
    let length = 0;
    for (let at = 0; at <= text.length; at += 1) {
      const unit = at < text.length ? text.charCodeAt(at) : 0;
      if (unit > 127 || wordUnits[unit] === 1) {
        hash = Math.imul(hash ^ unit, factor);
        length += 1;
      } else if (length > 0) {
        if (length >= leastWord && ((this.bits[(hash >>> 5) & 4095] ?? 0) & (1 << (hash & 31))) !== 0) {
          const use = this.byWord.get(hash);
          if (use !== undefined) {
            met.add(use);
          }
        }
        hash = 0;
        length = 0;
      }
    }
    const lines = new Set<number>();
    const names = new Set<number>();
    for (const use of met) {
      use.lines.forEach(file => lines.add(file));
      use.names.forEach(file => names.add(file));
    }
    const named = [...names].filter(file => lines.has(file) && text.includes(this.paths.nameOf(file)));
    return { some: lines.size > 0, named };
  }

  /**
   * Adds the files of which a text contains a whole line.
   * @param shown the text as the tool gave it, which must name the file of a short line; undefined if it need not
   */
  addByLines(text: string, shown: string | undefined, found: Set<number>): void {
    let start = 0;
    while (start <= text.length) {
      const next = text.indexOf('\n', start);
      const end = next < 0 ? text.length : next;
      if (end - start >= tellingUnits) {
        const line = text.slice(start, end).trim();
        for (const file of this.byLine.get(line) ?? []) {
          if (shown === undefined || line.length >= certainUnits || shown.includes(this.paths.nameOf(file))) {
            found.add(file);
          }
        }
      }
      start = end + 1;
    }
  }

  private useOf(hash: number | undefined): WordUse | undefined {
    if (hash === undefined) {
      return undefined;
    }
    const place = (hash >>> 5) & 4095;
    this.bits[place] = (this.bits[place] ?? 0) | (1 << (hash & 31));
    return entryOf(this.byWord, hash, () => ({ lines: new Set<number>(), names: new Set<number>() }));
  }
}

/** The hash of the longest word; undefined if all are short. Every character that is not ASCII belongs to a word. */
function longestWord(text: string): number | undefined {
  const [longest = ''] = [...text.matchAll(/[\w\u0080-\uffff]+/g)]
    .map(([word]) => word)
    .sort((one, other) => other.length - one.length);
  let hash = 0;
  for (let at = 0; at < longest.length; at += 1) {
    hash = Math.imul(hash ^ longest.charCodeAt(at), factor);
  }
  return longest.length < leastWord ? undefined : hash;
}

/** Multiplier of FNV-1a. */
const factor = 0x01000193;

/** By ASCII code: 1 for letters, digits and the underscore. */
const wordUnits = Uint8Array.from({ length: 128 }, (_, unit) =>
  /\w/.test(String.fromCharCode(unit)) ? 1 : 0,
);
