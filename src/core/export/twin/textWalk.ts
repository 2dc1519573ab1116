import { isLowSurrogate } from '../../base/unicodeText';
import type { Encoding } from '../../model/modelRow';
import type { KeptPart } from './keptParts';
import { contractionAlone, contractionAtEnd, letterPattern, piecePattern } from './wordPattern';

/** The results of a walk over a text. Places are in UTF-16 units. */
export interface TextVisitor {
  /**
   * Called for a piece that is a word with at most one sign before it and may be replaced as a whole. Returns true if
   * its words need no call.
   */
  piece(start: number, end: number, gap: number): boolean;
  /** Called for a word in such a piece. `gap` is the start of the signs and blanks before the piece. */
  word(start: number, from: number, to: number, end: number, gap: number): void;
  digits(from: number, to: number): void;
}

const apostrophe = 0x27;
const backslash = 0x5c;

/** Finds the words and numbers of texts, in the pieces into which an encoding splits them. */
export class TextWalk {
  private readonly pieces: RegExp;
  private readonly quotedPieces: RegExp;
  private readonly letter: RegExp;
  /** True if a contraction is a separate piece. */
  private readonly hasContractions: boolean;

  constructor(encoding: Encoding) {
    this.pieces = piecePattern(encoding);
    this.quotedPieces = piecePattern(encoding);
    this.letter = letterPattern(encoding);
    this.hasContractions = encoding === 'cl100k_base';
  }

  /** Calls the visitor for each word and number, in order. `kept` are the parts to keep, in order. */
  through(text: string, kept: readonly KeptPart[], visitor: TextVisitor): void {
    const { pieces } = this;
    let next = 0;
    let gap = 0;
    const keptAt = (index: number): boolean => {
      while ((kept[next]?.end ?? Infinity) <= index) {
        next += 1;
      }
      return (kept[next]?.start ?? Infinity) <= index;
    };
    let start = 0;
    while (start < text.length) {
      pieces.lastIndex = start;
      const end = pieces.test(text) ? pieces.lastIndex : text.length;
      const unit = text.charCodeAt(start);
      if (isDigit(unit)) {
        if (!keptAt(start)) {
          let last = start;
          while (isDigit(text.charCodeAt(last)) && !keptAt(last)) {
            last += 1;
          }
          visitor.digits(start, last);
          start = Math.max(end, last);
        } else {
          start = end;
        }
        gap = start;
        continue;
      }
      const signs = this.isLetter(text, start) ? 0 : sizeAt(text, start);
      const isWord =
        start + signs < end &&
        this.isLetter(text, start + signs) &&
        !(this.hasContractions && unit === apostrophe && contractionAlone.test(text.slice(start, end)));
      if (isWord) {
        const isEscape = signs === 0 && text.charCodeAt(start - 1) === backslash;
        const isWhole = !keptAt(start) && (kept[next]?.start ?? Infinity) >= end && !isEscape;
        if (!(isWhole && visitor.piece(start, end, gap))) {
          this.wordsIn(text, start, end, keptAt, (from, to) => visitor.word(start, from, to, end, gap));
        }
        gap = end;
      } else if (/\p{N}/u.test(text.charAt(end - 1))) {
        gap = end;
      }
      start = end;
    }
  }

  private wordsIn(
    text: string,
    start: number,
    end: number,
    keptAt: (index: number) => boolean,
    visit: (from: number, to: number) => void,
  ): void {
    const piece = text.slice(start, end);
    const contraction = piece.includes("'") ? contractionAtEnd.exec(piece) : null;
    const lettersEnd = contraction === null || contraction.index === 0 ? end : start + contraction.index;
    let index = start;
    while (index < lettersEnd) {
      const from = index;
      while (index < lettersEnd && this.isFree(text, index) && !keptAt(index)) {
        index += sizeAt(text, index);
      }
      if (index > from) {
        visit(from, index);
      }
      index += index < lettersEnd ? sizeAt(text, index) : 0;
    }
  }

  /**
   * The text before a word in its piece if the text is written inside JSON; undefined if it is the same as in the text
   * itself.
   */
  quotedBefore(
    text: string,
    gap: number,
    start: number,
    from: number,
    to: number,
  ): { readonly before: string; readonly isFirst: boolean } | undefined {
    const letters = this.isLetter(text, start) ? start : start + sizeAt(text, start);
    if (!(gap === 0 && letters <= 2) && !isEscaped(text, gap, letters)) {
      return undefined;
    }
    const quoted = JSON.stringify(text.slice(gap, letters)).slice(gap === 0 ? 0 : 1, -1);
    const written = quoted + text.slice(letters, to);
    const { quotedPieces } = this;
    let piece = 0;
    quotedPieces.lastIndex = 0;
    while (quotedPieces.test(written) && quotedPieces.lastIndex <= quoted.length) {
      piece = quotedPieces.lastIndex;
    }
    return {
      before: written.slice(piece, quoted.length) + text.slice(letters, from),
      isFirst: piece === 0 && gap === 0,
    };
  }

  private isLetter(text: string, index: number): boolean {
    const unit = text.charCodeAt(index);
    return unit < 128
      ? (unit | 0x20) >= 0x61 && (unit | 0x20) <= 0x7a
      : this.letter.test(String.fromCodePoint(text.codePointAt(index) ?? 0));
  }

  /** True if a letter belongs to a word: not the letter of an escape such as `\n`. */
  private isFree(text: string, index: number): boolean {
    return (
      this.isLetter(text, index) &&
      !(text.charCodeAt(index - 1) === backslash && 'nrtbfu'.includes(text.charAt(index)))
    );
  }
}

/** True if a part of a text has a character that JSON escapes. */
export function isEscaped(text: string, from: number, to: number): boolean {
  for (let index = from; index < to; index += 1) {
    const unit = text.charCodeAt(index);
    if (unit < 0x20 || unit === 0x22 || unit === backslash) {
      return true;
    }
  }
  return false;
}

function sizeAt(text: string, index: number): number {
  return isLowSurrogate(text.charCodeAt(index + 1)) && (text.codePointAt(index) ?? 0) > 0xffff ? 2 : 1;
}

export function isDigit(unit: number): boolean {
  return unit >= 0x30 && unit <= 0x39;
}
