import { entryOf } from '../../base/entryOf';
import { lazy } from '../../base/lazy';
import type { Encoding } from '../../model/modelRow';
import type { Tokenizer } from '../../tokens/tokenizer';
import { lettersLike, shapeOf } from './letterShapes';
import { LearntWords, longestRemembered } from './learntWords';
import { LongWords } from './longWords';
import { OtherTwins } from './otherTwins';
import { pairedWords, wordsLike } from './pairedWords';
import type { RandomNumbers } from './randomNumbers';
import { RecentTexts } from './recentTexts';
import type { VocabularyWords } from './vocabularyWords';
import { type Surroundings, WordMaker } from './wordMaker';
import { contractionStart } from './wordPattern';

/** English words that are one token together with a contraction. */
const contracted: ReadonlySet<string> = new Set(
  (
    'ain aren can couldn didn doesn don hadn hasn haven he here i isn it let mustn she shouldn that there they wasn we ' +
    'weren what where who won wouldn you'
  ).split(' '),
);
/** How many words of the vocabulary, and how many made ones, are tried for one. */
const mostListed = 200;
const mostTries = 60;
/** The same for a word that has found none. */
const lastTries = 400;
/** The same for a word that must fit in several forms at once. */
const formTries = 2_000;
/** Longer words, in UTF-16 units, of more tokens are replaced piece by piece. */
const longestWhole = 12;
const mostParts = 4;
/** A longer word, in UTF-16 units, is sought only once: no other is like it, and each search takes long. */
const longestSought = 10_000;
/** A word of so few letters says nothing and may stay where no other has its count of tokens. */
const longestStaying = 3;
/** A line of one letter says nothing. */
const oneLetter = /^(.)\1*$/u;
/** What stands before the first word of a text or line when the text is written inside JSON. */
const quotedStarts: readonly string[] = ['"', '\\n', ' '];
/**
 * What stands before a word in a text, and before the same word when the text is written inside JSON. After a sign, the
 * backslash of an escape belongs to the piece of the sign.
 */
const forms: Readonly<Record<string, readonly string[]>> = {
  '': ['', '"', '\\n', '\\r', 'n', 'r'],
  '\t': ['\\t', 't'],
  '\b': ['\\b', 'b'],
  '\f': ['\\f', 'f'],
  '"': [''],
  '\\': [''],
};

/** Words of fewer letters say nothing alone, so they may stand for other words of the same text. */
const leastTelling = 3;
/** How many further words are tried for one that shares no part with a word of the transcript. */
const mostFurther = 3;
/** Up to this length a twin may be a word of the transcript where no other is found. */
const longestRepeated = 5;
/** Words of Latin letters up to this length are so few that each needs a place found together with the others. */
const longestMatched = 2;

/**
 * A random word for each word: of the same shape, and with the same count of tokens in every piece in which the word
 * occurs. Different words get different ones. All words must be learnt, then `settle` must be called, before the first
 * one is replaced.
 */
export class WordTwins {
  readonly learnt = new LearntWords();
  private readonly twins = new Map<string, string>();
  private readonly used = new Set<string>();
  private readonly longWords: LongWords;
  private readonly maker: WordMaker;
  /** Words with their surroundings for which no exact twin was found. */
  private readonly inexact = new Set<string>();
  /** Twins of words that are not remembered otherwise: a text is made in several rounds. */
  private readonly derivedTwins = new RecentTexts();
  /** Twins for single places. */
  readonly others: OtherTwins;

  constructor(
    readonly tokenizer: Tokenizer,
    private readonly vocabulary: VocabularyWords,
    private readonly random: RandomNumbers,
    /** Words that stay; no other word may become one of them. */
    private readonly kept: ReadonlySet<string>,
  ) {
    this.longWords = new LongWords(tokenizer, vocabulary, text => random.for(text));
    this.maker = new WordMaker(tokenizer, vocabulary, this.longWords);
    const isNew = (twin: string): boolean => !this.isKept(twin) && !this.learnt.isRepeatedBy(twin);
    this.others = new OtherTwins(tokenizer, vocabulary, this.longWords, random, isNew);
  }

  get encoding(): Encoding {
    return this.tokenizer.encoding;
  }

  get size(): number {
    return this.twins.size;
  }

  /** Chooses the twins of all short words at once, because each can only become another of the few short words. */
  settle(): void {
    const groups = new Map<string, string[]>();
    for (const word of this.learnt.all()) {
      if (word.length <= longestMatched && /^[a-z]+$/i.test(word)) {
        entryOf(groups, shapeOf(word), () => []).push(word);
      }
    }
    for (const words of groups.values()) {
      const free = wordsLike(words[0] ?? '').filter(twin => !this.isTaken(twin));
      const fitting = new Map<string, (twin: string) => boolean>();
      const paired = pairedWords(
        words,
        () => this.random.all(free),
        (word, twin) =>
          twin !== word &&
          entryOf(fitting, word, () => this.fitting(word, this.freeSurroundings(word)))(twin),
      );
      for (const [twin, word] of paired) {
        this.twins.set(word, twin);
        this.used.add(twin);
      }
    }
  }

  /** Whether the twin that was made of a word there has as many tokens, as far as is known. */
  isExact(word: string, before: string, after: string): boolean {
    return this.inexact.size === 0 || !this.inexact.has(keyOf(word, before, after));
  }

  /** The twin of a word that stands between these parts of its piece. */
  twinOf(word: string, before: string, after: string): string {
    if (after !== '' && contracted.has(word.toLowerCase())) {
      return word;
    }
    if (!this.learnt.has(word)) {
      return this.derived(word, before, after);
    }
    let twin = this.twins.get(word);
    if (twin === undefined) {
      twin = this.find(word, this.freeSurroundings(word)) ?? (oneLetter.test(word) ? word : '');
      this.twins.set(word, twin);
      this.used.add(twin);
    }
    return twin === '' ? this.twinBetween(word, before, after) : twin;
  }

  /** The twin of a word that is not remembered: always the same in the same surroundings. */
  private derived(word: string, before: string, after: string): string {
    const key = keyOf(word, before, after);
    let twin = this.derivedTwins.get(key);
    if (twin === undefined) {
      twin = this.makeDerived(word, before, after);
      this.derivedTwins.set(key, twin);
    }
    return twin;
  }

  private makeDerived(word: string, before: string, after: string): string {
    const random = this.random.for(word);
    const surroundings = [
      { before, after },
      ...(before === '' ? quotedStarts.map(start => ({ before: start, after })) : []),
    ];
    const isNew = (twin: string): boolean => !this.isKept(twin) && !this.learnt.isRepeatedBy(twin);
    const again = (): string | undefined =>
      (before === '' ? this.search(word, [{ before, after }], random, isNew) : undefined) ??
      this.search(word, surroundings, random, twin => !this.isKept(twin)) ??
      (before === '' ? this.search(word, [{ before, after }], random, () => true) : undefined);
    const found =
      this.search(word, surroundings, random, isNew) ?? (word.length > longestSought ? undefined : again());
    if (found === undefined && oneLetter.test(word)) {
      return word;
    }
    if (found === undefined) {
      this.inexact.add(keyOf(word, before, after));
    }
    return found ?? this.nearest(word, surroundings, random, () => true).twin;
  }

  /** The surroundings of a word, but for the contractions with which it stays. */
  private freeSurroundings(word: string): readonly Surroundings[] {
    const all = this.learnt.surroundingsOf(word);
    return contracted.has(word.toLowerCase()) ? all.filter(({ after }) => after === '') : all;
  }

  /**
   * A word that has no twin for all its surroundings has one for each of them: the same where a text is counted as it
   * is and as it is written inside JSON, as far as that is possible.
   */
  private twinBetween(word: string, before: string, after: string): string {
    const key = keyOf(word, before, after);
    let twin = this.twins.get(key);
    if (twin === undefined) {
      const here = [{ before, after }];
      const written = [
        ...(forms[before] ?? []),
        // The letter of an escape before a capital is a piece of its own.
        ...(/^[\t\b\f]$/.test(before) && /^\p{Lu}/u.test(word) ? [''] : []),
        ...this.learnt.startsOf(word, before),
      ];
      const known = this.freeSurroundings(word).filter(other => other.after === after);
      const both = [
        ...here,
        ...known.filter(other => other.before !== before && written.includes(other.before)),
      ];
      const isFree = (other: string): boolean => !this.isTaken(other) && !this.learnt.isRepeatedBy(other);
      const isNew = (other: string): boolean => !this.isKept(other) && !this.learnt.isRepeatedBy(other);
      const isOther = (other: string): boolean =>
        !this.isKept(other) && (word.length <= longestRepeated || !this.learnt.isRepeatedBy(other));
      let found = this.search(word, both, this.random, isFree);
      const real = both.filter((place, index) => index === 0 || place.before !== ' ');
      // After a sign alone: the texts in which such a place has other tokens make up for them.
      const usual = both.filter((place, index) => index === 0 || !/^[nrtbf]$/.test(place.before));
      for (const places of new Set([
        both,
        usual.length < both.length ? usual : both,
        real.length < both.length ? real : both,
        both.length > 1 ? here : both,
      ])) {
        found ??=
          this.search(
            word,
            places,
            this.random,
            isNew,
            places.length > 1 ? formTries : lastTries,
            Infinity,
          ) ??
          this.vocabulary
            .ofLength(word, before)
            .find(other => other !== word && isNew(other) && this.fits(word, other, places)) ??
          this.search(word, places, this.random, isOther, lastTries, Infinity);
      }
      if (
        (found === undefined && word.length <= longestStaying) ||
        ((found === undefined || !this.fits(word, found, both)) && this.vocabulary.isIdiom(word))
      ) {
        found = word;
      }
      found ??= this.nearest(word, here, this.random, isOther).twin;
      if (!this.fits(word, found, both)) {
        this.inexact.add(key);
      }
      twin = found;
      this.twins.set(key, twin);
      this.used.add(twin);
    }
    return twin;
  }

  private find(word: string, surroundings: readonly Surroundings[]): string | undefined {
    // A word of the same transcript could make a text of it again.
    const isTelling = word.length >= leastTelling;
    const isFree = (twin: string): boolean => !this.isTaken(twin);
    return (
      this.search(
        word,
        surroundings,
        this.random,
        twin => isFree(twin) && !(isTelling && this.learnt.isRepeatedBy(twin)),
      ) ??
      (isTelling
        ? this.search(word, surroundings, this.random, twin => isFree(twin) && !this.isToken(twin))
        : undefined)
    );
  }

  private search(
    word: string,
    surroundings: readonly Surroundings[],
    random: RandomNumbers,
    isAllowed: (twin: string) => boolean,
    tries = mostTries,
    listed = mostListed,
  ): string | undefined {
    const inThem = this.fitting(word, surroundings);
    const fits = (twin: string): boolean =>
      twin.length === word.length && twin !== word && isAllowed(twin) && inThem(twin);
    const isLong =
      word.length > longestRemembered ||
      (word.length > longestWhole && this.tokenizer.count(word) > mostParts);
    const listedTwin = (): string | undefined => {
      let found: string | undefined;
      let further = 0;
      for (const twin of this.maker.othersLike(word, surroundings, random, tries, listed)) {
        further += found === undefined ? 0 : 1;
        if (further > mostFurther) {
          break;
        }
        if (fits(twin)) {
          if (!this.learnt.hasPartIn(twin)) {
            return twin;
          }
          found ??= twin;
        }
      }
      return found;
    };
    if (!isLong) {
      return listedTwin();
    }
    if (oneLetter.test(word)) {
      const line = lettersLike(word.charAt(0)).find(letter => fits(letter.repeat(word.length)));
      if (line !== undefined) {
        return line.repeat(word.length);
      }
    }
    const { twin, isExact } = this.nearest(word, surroundings, random, fits);
    return isExact
      ? twin
      : word.length <= longestRemembered && surroundings.length > 1
        ? listedTwin()
        : undefined;
  }

  private nearest(
    word: string,
    surroundings: readonly Surroundings[],
    random: RandomNumbers,
    fits: (twin: string) => boolean,
  ): { readonly twin: string; readonly isExact: boolean } {
    const { before = '', after = '' } = surroundings[0] ?? {};
    const count = lazy(() => this.tokenizer.count(before + word + after));
    const difference = (twin: string): number => this.tokenizer.count(before + twin + after) - count();
    return this.longWords.find(word, before, random, difference, fits);
  }

  private isTaken(twin: string): boolean {
    return this.used.has(twin) || this.isKept(twin);
  }

  private isKept(twin: string): boolean {
    return this.kept.has(twin) || contracted.has(twin.toLowerCase());
  }

  /** Whether a word is one token somewhere in the transcript. */
  private isToken(word: string): boolean {
    return this.learnt
      .surroundingsOf(word)
      .some(({ before, after }) => this.tokenizer.count(before + word + after) === 1);
  }

  private fits(word: string, twin: string, surroundings: readonly Surroundings[]): boolean {
    return this.fitting(word, surroundings)(twin);
  }

  /** Tells of a twin whether it has as many tokens as the word in all surroundings. */
  private fitting(word: string, surroundings: readonly Surroundings[]): (twin: string) => boolean {
    const { tokenizer } = this;
    const counts: number[] = [];
    const isStart = contractionStart.test(word);
    return twin => {
      const isOtherStart = !isStart && contractionStart.test(twin);
      for (const [index, { before, after, length }] of surroundings.entries()) {
        counts[index] ??= tokenizer.count(before + word.slice(0, length) + after);
        if (
          (isOtherStart && before.endsWith("'")) ||
          counts[index] !== tokenizer.count(before + twin.slice(0, length) + after)
        ) {
          return false;
        }
      }
      return true;
    };
  }
}

function keyOf(word: string, before: string, after: string): string {
  return `${word}\0${before}\0${after}`;
}
