import { entryOf } from '../base/entryOf';
import type { FilePaths } from './filePaths';

/** Shorter lines are too common to identify a file. In UTF-16 units. */
const tellingUnits = 12;
/** A line of this length identifies its file even in a text that does not name the file. */
export const certainUnits = 40;

interface WordUse {
  /** The files of whose replaced lines it is the longest word. */
  readonly lines: Set<number>;
  /** The files of whose names it is the longest word. */
  readonly names: Set<number>;
}

/** The lines that edits replace. Finds the edited files that a text may show, in one pass over its words. */
export class WantedLines {
  private readonly byLine = new Map<string, Set<number>>();
  private readonly byWord = new Map<string, WordUse>();
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
    const lines = new Set<number>();
    const names = new Set<number>();
    for (const met of new Set(text.match(words))) {
      const use = this.byWord.get(met);
      use?.lines.forEach(file => lines.add(file));
      use?.names.forEach(file => names.add(file));
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

  private useOf(word: string | undefined): WordUse | undefined {
    return word === undefined
      ? undefined
      : entryOf(this.byWord, word, () => ({ lines: new Set<number>(), names: new Set<number>() }));
  }
}

/** Words by which lines are found. Every character that is not ASCII belongs to a word. */
const words = /[\w\u0080-\uffff]{3,}/g;

/** The longest word; undefined if all are short. */
const longestWord = (text: string): string | undefined =>
  text.match(words)?.reduce((longest, word) => (word.length > longest.length ? word : longest));
