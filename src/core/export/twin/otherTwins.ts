import type { Tokenizer } from '../../tokens/tokenizer';
import { randomWord } from './letterShapes';
import type { LongWords } from './longWords';
import type { RandomNumbers } from './randomNumbers';
import type { VocabularyWords } from './vocabularyWords';

/** How many words of the vocabulary, and how many made ones, are tried for one. */
const mostListed = 300;
const mostMade = 120;
/** UTF-16 units of all that are made for one word: a longer word has fewer tries, and one above this none. */
const mostUnits = 40_000;
/** A shorter word of the transcript says nothing alone. */
const leastTelling = 8;

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
    if (word.length > mostUnits) {
      return undefined;
    }
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

  /** A word that makes up for tokens that the words before it have more, or for some of them; undefined for none. */
  makingUp(place: WordInText, owed: Difference, attempt: number): string | undefined {
    if (owed.plain !== owed.quoted) {
      return this.find(place, { plain: -owed.plain, quoted: -owed.quoted }, attempt);
    }
    const most = Math.abs(owed.plain);
    for (const step of new Set([most, Math.min(most, 2), Math.min(most, 1)])) {
      const more = -Math.sign(owed.plain) * step;
      const twin = more === 0 ? undefined : this.find(place, { plain: more, quoted: more }, attempt);
      if (twin !== undefined) {
        return twin;
      }
    }
    return undefined;
  }

  /** Another word of the same length, with about as many tokens. A longer one is none of the transcript. */
  nearest(place: WordInText, attempt: number): string {
    const { word, before, after } = place;
    const random = this.random.for(`${attempt} ${before}${word}${after}`);
    const count = this.tokenizer.count(before + word + after);
    let nearest = randomWord(word, random);
    let least = Infinity;
    for (const wanted of [count, count + 1]) {
      for (const twin of this.candidates(word, before, wanted, random)) {
        if (
          twin.length === word.length &&
          twin !== word &&
          (twin.length < leastTelling || this.isAllowed(twin))
        ) {
          const off = Math.abs(this.difference(place, twin).plain);
          if (off < least) {
            nearest = twin;
            least = off;
          }
          if (least === 0) {
            return nearest;
          }
        }
      }
    }
    return nearest;
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
    const tries = Math.min(mostMade, Math.floor(mostUnits / word.length));
    for (let attempt = 0; attempt < tries; attempt += 1) {
      yield attempt % 3 === 2
        ? randomWord(word, random)
        : this.longWords.composed(word, wanted + (attempt % 4 === 3 ? 1 : 0), random);
    }
  }
}
