import { isLowSurrogate } from '../../base/unicodeText';
import type { KeptParts } from './keptParts';
import { lettersLike } from './letterShapes';
import type { NumberTwins } from './numberTwins';
import type { RandomNumbers } from './randomNumbers';
import { contractionAtEnd, letterPattern, piecePattern } from './wordPattern';
import type { WordTwins } from './wordTwins';

/**
 * Replaces the words and numbers of texts. White space and signs stay, and so do the parts that readers recognise
 * texts by. In a first pass `learn` sees every text; `replace` then gives the twin of each: with the same length in
 * UTF-16 units and UTF-8 bytes, and the same count of tokens.
 */
export class TextTwins {
  private readonly pieces: RegExp;
  private readonly letter: RegExp;
  private readonly escapes = new Map<string, string>();

  constructor(
    private readonly words: WordTwins,
    private readonly numbers: NumberTwins,
    private readonly kept: KeptParts,
    private readonly random: RandomNumbers,
    /** Where a reader may cut a text, in UTF-16 units. */
    private readonly cut: number,
  ) {
    this.pieces = piecePattern(words.encoding);
    this.letter = letterPattern(words.encoding);
  }

  /** Sees a text as it is and as it is written inside JSON. */
  learn(text: string): void {
    this.walk(text, true);
    if (/["\\\p{Cc}]|^[^\p{L}\p{N}\s]?\p{L}/u.test(text)) {
      this.walk(JSON.stringify(text), true);
    }
  }

  replace(text: string): string {
    return this.walk(text, false);
  }

  private walk(text: string, isLearning: boolean): string {
    const kept = this.kept.of(text);
    const output: string[] = [];
    const { pieces } = this;
    let next = 0;
    let copied = 0;
    const put = (start: number, end: number, twin: string): void => {
      output.push(text.slice(copied, start), twin);
      copied = end;
    };
    const keptAt = (index: number): boolean => {
      while ((kept[next]?.end ?? Infinity) <= index) {
        next += 1;
      }
      return (kept[next]?.start ?? Infinity) <= index;
    };
    pieces.lastIndex = 0;
    for (let found = pieces.exec(text); found !== null; found = pieces.exec(text)) {
      const start = found.index;
      const end = pieces.lastIndex;
      if (found[1] !== undefined) {
        const contraction = contractionAtEnd.exec(found[1]);
        const lettersEnd = contraction === null || contraction.index === 0 ? end : start + contraction.index;
        let index = start;
        while (index < lettersEnd) {
          const from = index;
          while (index < lettersEnd && this.isFree(text, index) && !keptAt(index)) {
            index += sizeAt(text, index);
          }
          if (index > from) {
            const word = text.slice(from, index);
            if (isLearning) {
              this.words.learn(word, text.slice(start, from), text.slice(index, end));
              if (from < this.cut && index > this.cut) {
                this.words.learn(word, text.slice(start, from), '', this.cut - from);
              }
              if (start === 0) {
                this.words.learnFirst(word, text.slice(0, from), text.slice(index, end));
              }
            } else {
              put(from, index, this.words.twinOf(word, text.slice(start, from), text.slice(index, end)));
            }
          }
          index += index < lettersEnd ? sizeAt(text, index) : 0;
        }
      } else if (!isLearning && isDigit(text.charCodeAt(start)) && start >= copied && !keptAt(start)) {
        let last = start;
        while (isDigit(text.charCodeAt(last)) && !keptAt(last)) {
          last += 1;
        }
        const digits = text.slice(start, last);
        const isFraction = text.charCodeAt(start - 1) === 0x2e && isDigit(text.charCodeAt(start - 2));
        put(start, last, isFraction ? this.numbers.fractionTwin(digits) : this.numbers.twinOf(digits));
        pieces.lastIndex = Math.max(end, last);
      }
    }
    if (isLearning) {
      return text;
    }
    output.push(text.slice(copied));
    const replaced = output.join('');
    return replaced.includes('\\u') ? this.replaceEscapes(replaced) : replaced;
  }

  /** Whether a letter belongs to a word: not the letter of an escape such as `\n`. */
  private isFree(text: string, index: number): boolean {
    const letter = String.fromCodePoint(text.codePointAt(index) ?? 0);
    return this.letter.test(letter) && !(text.charCodeAt(index - 1) === 0x5c && 'nrtbfu'.includes(letter));
  }

  /** Letters that are written as `\u4e2d`: another letter whose digits stand in the same places. */
  private replaceEscapes(text: string): string {
    return text.replace(/\\u([\da-fA-F]{4})/g, (whole, digits: string) => {
      const letter = String.fromCharCode(parseInt(digits, 16));
      if (!/\p{L}/u.test(letter)) {
        return whole;
      }
      let twin = this.escapes.get(digits);
      if (twin === undefined) {
        const isUpper = /[A-F]/.test(digits);
        const form = digits.replace(/\d/g, '0');
        const others = lettersLike(letter).flatMap(other => {
          const hex = other.charCodeAt(0).toString(16).padStart(4, '0');
          const written = isUpper ? hex.toUpperCase() : hex;
          return written !== digits && written.replace(/\d/g, '0') === form ? [written] : [];
        });
        const used = new Set(this.escapes.values());
        twin = this.random.oneOf(others.filter(other => !used.has(other))) ?? digits;
        this.escapes.set(digits, twin);
      }
      return `\\u${twin}`;
    });
  }
}

function sizeAt(text: string, index: number): number {
  return isLowSurrogate(text.charCodeAt(index + 1)) && (text.codePointAt(index) ?? 0) > 0xffff ? 2 : 1;
}

function isDigit(unit: number): boolean {
  return unit >= 0x30 && unit <= 0x39;
}
