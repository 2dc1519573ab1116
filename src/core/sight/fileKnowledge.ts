import { type EditPart, placeOf } from './patchText';
import { looseText } from './plainLines';
import type { EvidenceKind } from './sightReport';

/** A part of a file as one block of the session shows it. */
export interface Piece {
  readonly kind: EvidenceKind;
  /** The block with the text. */
  readonly block: number;
  /** Its place in time: the block of the call that it answers, or its own. */
  readonly time: number;
  readonly text: string;
  /** The number of each line in the file, 0 if it is not known. */
  readonly numbers: Int32Array;
  /** It shows the whole file. */
  readonly isWhole: boolean;
  /** Its text is not recorded: a notice replaces it. */
  readonly isMasked: boolean;
  /** A text of another file, or a call. It has the same lines, but does not show that this file has them. */
  readonly isElsewhere?: boolean;
}

/** The effect of a call on the file. */
export interface Change {
  readonly block: number;
  readonly parts: readonly EditPart[];
}

/** A piece of a file, brought up to date. The changes of its file are applied on access. */
export class KnownPiece {
  /** The changes that altered it, oldest first. */
  readonly changes: Change[] = [];
  private text: string;
  private lines: { readonly of: string; readonly set: ReadonlySet<string> } | undefined;
  private loose: { readonly of: string; readonly text: string } | undefined;

  /**
   * @param all the changes of the file, to which later ones are added
   * @param made how many of them the piece shows already
   */
  constructor(
    readonly piece: Piece,
    private readonly all: readonly Change[],
    private made: number,
  ) {
    this.text = piece.text;
  }

  /** The piece's text with all later changes. */
  get current(): string {
    for (; this.made < this.all.length; this.made += 1) {
      const change = this.all[this.made];
      const after = change === undefined ? this.text : changed(this.text, change.parts);
      if (change !== undefined && after !== this.text) {
        this.text = after;
        this.changes.push(change);
      }
    }
    return this.text;
  }

  /** The text with the changes that `counts` accepts. */
  replayed(counts: (change: Change) => boolean): string {
    const { current } = this;
    return this.changes.every(counts)
      ? current
      : this.changes.reduce(
          (text, change) => (counts(change) ? changed(text, change.parts) : text),
          this.piece.text,
        );
  }

  /** The first change that removes a text, or whole lines of it, from the piece. */
  changeWithout(old: string, isLines: boolean): Change | undefined {
    let text = this.piece.text;
    for (const change of this.changes) {
      text = changed(text, change.parts);
      if (placeOf(text, old, isLines) < 0) {
        return change;
      }
    }
    return undefined;
  }

  /**
   * True if it contains a text, or whole lines of it, ignoring white space, with the changes that `counts` accepts;
   * `old` is normalised already.
   */
  hasLoosely(old: string, isLines: boolean, counts: (change: Change) => boolean): boolean {
    const of = this.replayed(counts);
    if (this.loose?.of !== of) {
      this.loose = { of, text: looseText(of) };
    }
    return old !== '' && placeOf(this.loose.text, old, isLines) >= 0;
  }

  /** Its lines with the changes that `counts` accepts, without white space at their ends. */
  lineSet(counts: (change: Change) => boolean): ReadonlySet<string> {
    const of = this.replayed(counts);
    if (this.lines?.of !== of) {
      this.lines = { of, set: new Set(of.split('\n').map(line => line.trim())) };
    }
    return this.lines.set;
  }

  /** The numbers of the first and the last line of a text in the piece as it was; undefined if they are not known. */
  linesOf(old: string, isLines: boolean): readonly [number, number] | undefined {
    const start = this.piece.isElsewhere === true ? -1 : placeOf(this.piece.text, old, isLines);
    if (start < 0) {
      return undefined;
    }
    const index = countLines(this.piece.text, start);
    const first = this.piece.numbers[index] ?? 0;
    const last = this.piece.numbers[index + countLines(old.replace(/\n$/, ''))] ?? 0;
    return first === 0 || last < first ? undefined : [first, last];
  }
}

/** Line ends in a text up to an offset. */
function countLines(text: string, end = text.length): number {
  let count = 0;
  for (let at = text.indexOf('\n'); at >= 0 && at < end; at = text.indexOf('\n', at + 1)) {
    count += 1;
  }
  return count;
}

/** The text of a file after an edit. If the edit does not match, the text is unchanged. */
function changed(text: string, parts: readonly EditPart[]): string {
  return parts.reduce((current, part) => {
    switch (part.kind) {
      case 'text':
        return replaced(current, part);
      case 'whole':
      case 'new':
        // The call shows the new text itself.
        return '';
      case 'unsaid':
        return current;
    }
  }, text);
}

function replaced(
  text: string,
  { old, text: by, isEverywhere, isLines = false }: EditPart & { readonly kind: 'text' },
): string {
  const at = old === '' ? -1 : placeOf(text, old, isLines);
  return at < 0
    ? text
    : isEverywhere
      ? text.replaceAll(old, () => by)
      : text.slice(0, at) + by + text.slice(at + old.length);
}

/** Limits of the search for one edit, newest first: text in UTF-16 units, and pieces. */
const searchedUnits = 1_000_000;
const searchedPieces = 2_000;

/** Knowledge about one file up to the current point of the session. */
export class FileKnowledge {
  private readonly pieces: KnownPiece[] = [];
  private readonly elsewhere: KnownPiece[] = [];
  private readonly changes: Change[] = [];
  /** A reading of the file is recorded without its text. */
  isMasked = false;

  add(piece: Piece): void {
    this.isMasked ||= piece.isMasked;
    const list = piece.isElsewhere === true ? this.elsewhere : this.pieces;
    list.push(new KnownPiece(piece, this.changes, this.changes.length));
  }

  /** Applies an edit of the file: updates earlier knowledge and adds the written text. */
  apply(change: Change): void {
    this.changes.push(change);
    this.addWritten(change);
  }

  /** Adds the text that an edit wrote. */
  addWritten(change: Change): void {
    for (const part of change.parts) {
      const text = 'text' in part ? (part.text ?? '') : '';
      if (text.trim() !== '') {
        const isWhole = part.kind === 'whole' || part.kind === 'new';
        const count = isWhole ? text.split('\n').length : 0;
        this.add({
          kind: 'ownEdit',
          block: change.block,
          time: change.block,
          text,
          numbers: Int32Array.from({ length: count }, (_, index) => index + 1),
          isWhole,
          isMasked: false,
        });
      }
    }
  }

  /** Limits the text, so that edits stay cheap if a session reads one file very often. */
  newestFirst(): Generator<KnownPiece> {
    return newestOf(this.pieces);
  }

  /** The same lines in other files and in calls. */
  newestElsewhere(): Generator<KnownPiece> {
    return newestOf(this.elsewhere);
  }
}

function* newestOf(pieces: readonly KnownPiece[]): Generator<KnownPiece> {
  let left = searchedUnits;
  const last = Math.max(0, pieces.length - searchedPieces);
  for (let at = pieces.length - 1; at >= last && left > 0; at -= 1) {
    const piece = pieces[at];
    if (piece !== undefined) {
      left -= piece.piece.text.length;
      yield piece;
    }
  }
}
