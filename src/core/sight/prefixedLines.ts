import { type PlainLines, unwrapped } from './plainLines';

/** A path with an extension, as tools print it. */
const path = String.raw`(?:\.{0,2}\/|\w:[/\\])?[\w@.+-]+(?:[/\\][\w@.+-]+)*\.\w+`;
/** The prefixes of a line, outside in: the mark of a quote, the file's path, the line's number. */
const prefix = new RegExp(
  String.raw`^(?:\s*(?:> ?)+)?(?:(${path})[:-])?(?:\s*L?(\d{1,7})(?:→|\t|:|-| ?\| ?)(?: (?=\S))?)?`,
);
/** True for a text in which at least one line may have a prefix. */
const mayHavePrefix = new RegExp(
  String.raw`^@@|^\*\*\* (?:Update|Add) File: |^[ \t]*(?:>|L?\d{1,7}(?:[→\t:-]| ?\|))|^${path}[:-]`,
  'm',
);
/** The head of a part of a diff: the number of lines before, and the first line and their number after. */
const hunkHead = /^@@ -\d+(?:,(\d+))? \+(\d+)(?:,(\d+))? @@/;
const changedFile = /^(?:\+\+\+ (?:b\/)?|\*\*\* (?:Update|Add) File: )(.+?)\s*$/;

type Side = 'both' | 'before' | 'after';

interface ShownLine {
  readonly text: string;
  /** Its number in the file; 0 if it is not known. */
  readonly number: number;
  readonly side: Side;
  /** The name of its file, without folders; empty if the text does not say. */
  readonly name: string;
}

/**
 * The lines of a text without their prefixes. For texts with several kinds of lines: diffs, patches, searches, quotes
 * and listings, one after the other.
 */
export class PrefixedLines {
  private readonly lines: readonly ShownLine[];
  private readonly isDiff: boolean;
  /** It names the files of its lines. */
  readonly hasNames: boolean;

  constructor(shown: string) {
    const text = unwrapped(shown).replaceAll('\r\n', '\n');
    this.lines = mayHavePrefix.test(text) ? [...linesOf(text)] : [];
    this.isDiff = this.lines.some(({ side }) => side !== 'both');
    this.hasNames = this.lines.some(({ name }) => name !== '');
  }

  /** Its texts with the lines of all files. */
  get allTexts(): readonly PlainLines[] {
    return this.textsIn(this.lines);
  }

  /**
   * The texts that it may show of a file: of a diff, the lines before and after the change. Empty if no line has a
   * prefix.
   * @param name the file's name without folders
   */
  textsOf(name: string): readonly PlainLines[] {
    return this.textsIn(
      this.hasNames ? this.lines.filter(line => line.name === '' || line.name === name) : this.lines,
    );
  }

  private textsIn(lines: readonly ShownLine[]): readonly PlainLines[] {
    return lines.length === 0
      ? []
      : this.isDiff
        ? [sideOf(lines, 'before'), sideOf(lines, 'after')]
        : [plainOf(lines)];
  }
}

const sideOf = (lines: readonly ShownLine[], wanted: Side): PlainLines =>
  plainOf(lines.filter(({ side }) => side === 'both' || side === wanted));

const plainOf = (lines: readonly ShownLine[]): PlainLines => ({
  text: lines.map(({ text }) => text).join('\n'),
  numbers: Int32Array.from(lines, ({ number }) => number),
});

function* linesOf(text: string): Generator<ShownLine> {
  /** The file of a diff, and the number of its lines that are still to come. */
  let name = '';
  let [removed, added, next] = [0, 0, 0];
  for (const line of text.split('\n')) {
    const [, file] = changedFile.exec(line) ?? [];
    const head = hunkHead.exec(line);
    if (file !== undefined) {
      name = lastPart(file);
      // A patch of `apply_patch` does not number its lines.
      [removed, added, next] = line.startsWith('*') ? [Infinity, Infinity, -1] : [0, 0, 0];
    } else if (/^(?:@@(?: |$)|diff --git |--- (?:a\/|\/dev\/null))/.test(line) && head === null) {
      // Other heads of diffs and patches are no lines of a file.
    } else if (line.startsWith('*** ')) {
      [removed, added] = [0, 0];
    } else if (head !== null) {
      [removed, added, next] = [Number(head[1] ?? 1), Number(head[3] ?? 1), Number(head[2])];
    } else if ((removed > 0 || added > 0) && /^(?:[ +-]|$)/.test(line)) {
      const side = line.startsWith('+') ? 'after' : line.startsWith('-') ? 'before' : 'both';
      yield { text: line.slice(1), number: side === 'before' || next < 0 ? 0 : next, side, name };
      removed -= side === 'after' ? 0 : 1;
      added -= side === 'before' ? 0 : 1;
      next += side === 'before' || next < 0 ? 0 : 1;
    } else {
      const [found = '', of = '', number = '0'] = prefix.exec(line) ?? [];
      yield { text: line.slice(found.length), number: Number(number), side: 'both', name: lastPart(of) };
    }
  }
}

const lastPart = (name: string): string =>
  name.slice(Math.max(name.lastIndexOf('/'), name.lastIndexOf('\\')) + 1);
