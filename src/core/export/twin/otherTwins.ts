import type { Tokenizer } from '../../tokens/tokenizer';
import { randomWord } from './letterShapes';
import type { LongWords } from './longWords';
import type { RandomNumbers } from './randomNumbers';
import type { VocabularyWords } from './vocabularyWords';

/** How many words of the vocabulary, and how many made ones, are tried for one. */
const mostListed = 300;
const mostMade = 120;

/** Tokens that a twin has more than its text: as it is, and as it is written inside JSON. */
export interface Difference {
  readonly plain: number;
  readonly quoted: number;
}

/** A word in a text, with what stands around it in its piece, as it is and as it is written inside JSON. */
export interface WordInText {
  readonly word: string;
  readonly before: string;
  readonly quotedBefore: string;
  readonly after: string;
}

/** Twins of words for one place alone: where the usual one would repeat a run, or where tokens must be made up for. */
export class OtherTwins {
  constructor(
    private readonly tokenizer: Tokenizer,
    private readonly vocabulary: VocabularyWords,
    private readonly longWords: LongWords,
    private readonly random: RandomNumbers,
    private readonly isAllowed: (twin: string) => boolean,
  ) {}

  /** How many tokens a twin has more than its word. */
  difference({ word, before, quotedBefore, after }: WordInText, twin: string): Difference {
    const { tokenizer } = this;
    const plain = tokenizer.count(before + twin + after) - tokenizer.count(before + word + after);
    return {
      plain,
      quoted:
        before === quotedBefore
          ? plain
          : tokenizer.count(quotedBefore + twin + after) - tokenizer.count(quotedBefore + word + after),
    };
  }

  /**
   * A word of the same length with so many tokens more; undefined if none is found. Always the same for the same word
   * and attempt.
   */
  find(place: WordInText, more: Difference, attempt: number): string | undefined {
    const { word, before, after } = place;
    const random = this.random.for(`${attempt} ${more.plain} ${more.quoted} ${before}${word}${after}`);
    const wanted = this.tokenizer.count(before + word + after) + more.plain;
    for (const twin of this.candidates(word, before, wanted, random)) {
      if (twin.length === word.length && twin !== word && this.isAllowed(twin)) {
        const found = this.difference(place, twin);
        if (found.plain === more.plain && found.quoted === more.quoted) {
          return twin;
        }
      }
    }
    return undefined;
  }

  /** Another word of the same shape, whatever its count of tokens. */
  nearest({ word }: WordInText, attempt: number): string {
    return randomWord(word, this.random.for(`${attempt} ${word}`));
  }

  private *candidates(
    word: string,
    before: string,
    wanted: number,
    random: RandomNumbers,
  ): Generator<string> {
    if (wanted < 1) {
      return;
    }
    if (wanted === 1) {
      for (const list of [this.vocabulary.like(word, before), this.vocabulary.ofLength(word, before)]) {
        let listed = 0;
        for (const twin of random.all(list)) {
          yield twin;
          listed += 1;
          if (listed >= mostListed) {
            break;
          }
        }
      }
    }
    for (let attempt = 0; attempt < mostMade; attempt += 1) {
      yield attempt % 3 === 2
        ? randomWord(word, random)
        : this.longWords.composed(word, wanted + (attempt % 4 === 3 ? 1 : 0), random);
    }
  }
}
