import { entryOf } from '../../base/entryOf';
import type { Encoding } from '../../model/modelRow';
import type { Tokenizer } from '../../tokens/tokenizer';
import { lettersLike, shapeOf } from './letterShapes';
import { LearntWords, longestRemembered } from './learntWords';
import { LongWords } from './longWords';
import { OtherTwins } from './otherTwins';
import { pairedWords, wordsLike } from './pairedWords';
import type { RandomNumbers } from '../../base/randomNumbers';
import { RecentTexts } from './recentTexts';
import type { VocabularyWords } from './vocabularyWords';
import { type Place, type Surroundings, WordMaker } from './wordMaker';

/** English words that are one token together with a contraction. */
const contracted: ReadonlySet<string> = new Set(
  (
    'ain aren can couldn didn doesn don hadn hasn haven he here i isn it let mustn she shouldn that there they wasn we ' +
    'weren what where who won wouldn you'
  ).split(' '),
);
/** A run of one letter reveals nothing. */
const oneLetter = /^(.)\1*$/u;
/** Possible characters before the first word of a text or line when the text is written inside JSON. */
const quotedStarts: readonly string[] = ['"', '\\n', ' '];
/**
 * For each character before a word in a text, the possible ones before the same word if the text is written inside
 * JSON. After a sign, the backslash of an escape belongs to the sign's piece.
 */
const forms: Readonly<Record<string, readonly string[]>> = {
  '': ['', '"', '\\n', '\\r', 'n', 'r'],
  '\t': ['\\t', 't'],
  '\b': ['\\b', 'b'],
  '\f': ['\\f', 'f'],
  '"': [''],
  '\\': [''],
};
/**
 * Characters that few texts have before a word: the letter of an escape after a sign, or the space after a name that a
 * reader puts before the text.
 */
const rareForm = /^[ nrtbf]$/;

/** Maximum length of words of Latin letters that are matched together, because there are so few of them. */
const longestMatched = 2;
/**
 * Minimum number of letters for a word to reveal something alone. Shorter ones may be used for several words of the
 * same text.
 */
const leastTelling = 3;
/** Maximum length of a word that may stay the same if no other has its token count, because it reveals nothing. */
const longestStaying = 3;
/** Maximum length of a twin that may be a word of the transcript if no other is found. */
const longestRepeated = 5;
/**
 * Maximum length of a random word, in UTF-16 units. If no random one has its count, a longer word is composed token by
 * token.
 */
const longestDrawn = 12;
/**
 * Maximum length of a word with several attempts, in UTF-16 units. A longer word gets only one, because no other is
 * like it and each attempt takes long.
 */
const longestSought = 10_000;
/** The number of words made before the next attempt, and for a word with few attempts left. */
const fewTries = 60;
const manyTries = 2_000;

/**
 * The words allowed as twins: those that are no other word's twin, those outside the transcript, both, or any that is
 * not kept.
 */
type Choice = 'unused' | 'new' | 'free' | 'any';

/**
 * The forms of a word that its twin must fit: the plain text and its forms inside JSON; the same without rare forms; or
 * only the plain text.
 */
type Form = 'all' | 'usual' | 'asIs';

/** A way to find the twin of a word for one place. */
interface Attempt {
  readonly isFor: (word: string) => boolean;
  readonly form: Form;
  /** The tried words, or the word itself. */
  readonly choice: Choice | 'itself';
  /** Number of words to make if none of the vocabulary fits. */
  readonly tries: number;
}

/**
 * A random word for each word: of the same shape, and with the same token count in every piece in which the word
 * occurs. Different words get different ones. Before the first replacement, all words must be learnt and `settle` must
 * be called.
 */
export class WordTwins {
  readonly learnt = new LearntWords();
  /** Twins of learnt words for all their places; undefined for a word without one. */
  private readonly twins = new Map<string, string | undefined>();
  /** Twins of learnt words for single places, and of other words. */
  private readonly placed = new Map<string, string>();
  private readonly recent = new RecentTexts();
  private readonly used = new Set<string>();
  /** Words with their surroundings for which no exact twin was found. */
  private readonly inexact = new Set<string>();
  private readonly maker: WordMaker;
  private readonly longWords: LongWords;
  /** Twins for single places, if the usual twin would repeat a text or has another token count. */
  readonly others: OtherTwins;

  /** Ways to find a twin, in the order of trying, for a word without a twin that fits all its places. */
  private readonly attempts: readonly Attempt[] = [
    // A twin of its own. For a word that was not learnt, the twin must always be the same.
    { isFor: word => this.learnt.has(word), form: 'all', choice: 'free', tries: fewTries },
    // A twin that other words have too.
    { isFor: () => true, form: 'all', choice: 'new', tries: manyTries },
    // A short word of the transcript.
    { isFor: isRepeated, form: 'all', choice: 'any', tries: manyTries },
    // A twin with other token counts in rare forms. Other words of such a text compensate for them.
    { isFor: isSought, form: 'usual', choice: 'new', tries: manyTries },
    // A word of much public code stays.
    { isFor: word => this.vocabulary.isIdiom(word), form: 'all', choice: 'itself', tries: 0 },
    // The same without the forms inside JSON.
    { isFor: isSought, form: 'asIs', choice: 'new', tries: manyTries },
    { isFor: isRepeated, form: 'asIs', choice: 'any', tries: manyTries },
    // A word that reveals nothing stays the same.
    { isFor: saysNothing, form: 'all', choice: 'itself', tries: 0 },
  ];

  constructor(
    readonly tokenizer: Tokenizer,
    private readonly vocabulary: VocabularyWords,
    private readonly random: RandomNumbers,
    /** Kept words. No other word may become one of them. */
    private readonly kept: ReadonlySet<string>,
  ) {
    this.maker = new WordMaker(tokenizer, vocabulary);
    this.longWords = new LongWords(tokenizer, this.maker, text => random.for(text));
    this.others = new OtherTwins(tokenizer, this.maker, random, twin => this.isOf('new', twin));
  }

  get encoding(): Encoding {
    return this.tokenizer.encoding;
  }

  /** Number of different replaced words. */
  get size(): number {
    return this.twins.size;
  }

  /** Chooses the twins of all short words together, because each can only become another of the few short words. */
  settle(): void {
    const groups = new Map<string, string[]>();
    for (const word of this.learnt.all()) {
      if (word.length <= longestMatched && /^[a-z]+$/i.test(word)) {
        entryOf(groups, shapeOf(word), () => []).push(word);
      }
    }
    for (const words of groups.values()) {
      const free = wordsLike(words[0] ?? '').filter(twin => this.isOf('unused', twin));
      const placesOf = new Map<string, readonly Place[]>();
      const paired = pairedWords(
        words,
        () => this.random.all(free),
        (word, twin) =>
          twin !== word &&
          this.maker.fits(
            word,
            twin,
            entryOf(placesOf, word, () => this.placesOf(word)),
          ),
      );
      for (const [twin, word] of paired) {
        this.twins.set(word, twin);
        this.used.add(twin);
      }
    }
  }

  /** True if the twin of a word in this place has the same token count, as far as known. */
  isExact(word: string, before: string, after: string): boolean {
    return this.inexact.size === 0 || !this.inexact.has(keyOf(word, before, after));
  }

  /** The twin of a word that stands between these parts of its piece. */
  twinOf(word: string, before: string, after: string): string {
    if (after !== '' && contracted.has(word.toLowerCase())) {
      return word;
    }
    if (!this.learnt.has(word)) {
      return this.twinBetween(word, before, after);
    }
    if (!this.twins.has(word)) {
      const choice = word.length < leastTelling ? 'unused' : 'free';
      const twin = this.found(word, this.placesOf(word), choice, fewTries, this.random);
      this.twins.set(word, twin);
      if (twin !== undefined) {
        this.used.add(twin);
      }
    }
    return this.twins.get(word) ?? this.twinBetween(word, before, after);
  }

  /** The twin of a word in one place: always the same. */
  private twinBetween(word: string, before: string, after: string): string {
    const key = keyOf(word, before, after);
    const isLearnt = this.learnt.has(word);
    const known = isLearnt ? this.placed : this.recent;
    return entryOf(known, key, () => {
      const forms = isLearnt ? this.learntForms(word, before, after) : quotedForms(word, before, after);
      const all = this.placesOf(word, forms);
      const twin = this.attempted(word, all, this.random.for(word));
      if (!this.maker.fits(word, twin, all)) {
        this.inexact.add(key);
      }
      if (isLearnt) {
        this.used.add(twin);
      }
      return twin;
    });
  }

  /** The first word that an attempt finds, or the one with the nearest count. */
  private attempted(word: string, all: readonly Place[], random: RandomNumbers): string {
    const placesOf: Readonly<Record<Form, readonly Place[]>> = {
      all,
      usual: all.filter((place, index) => index === 0 || !rareForm.test(place.before)),
      asIs: all.slice(0, 1),
    };
    for (const { isFor, form, choice, tries } of this.attempts) {
      const places = placesOf[form];
      // With the same number of places, the attempt would repeat an earlier one.
      if ((form === 'all' || places.length < all.length) && isFor(word)) {
        const twin = choice === 'itself' ? word : this.found(word, places, choice, tries, random);
        if (twin !== undefined) {
          return twin;
        }
      }
    }
    return this.longWords.find(word, all, random, () => true).twin;
  }

  /** A word that fits all places; undefined if none is found. */
  private found(
    word: string,
    places: readonly Place[],
    choice: Choice,
    tries: number,
    random: RandomNumbers,
  ): string | undefined {
    const isAllowed = (twin: string): boolean => this.isOf(choice, twin);
    const drawn =
      word.length <= longestRemembered ? this.maker.make(word, places, tries, random, isAllowed) : undefined;
    if (drawn !== undefined || word.length <= longestDrawn) {
      return drawn;
    }
    const fits = (twin: string): boolean => isAllowed(twin) && this.maker.fits(word, twin, places);
    if (oneLetter.test(word)) {
      const lines = lettersLike(word.charAt(0)).map(letter => letter.repeat(word.length));
      const line = lines.find(twin => twin !== word && fits(twin));
      if (line !== undefined) {
        return line;
      }
    }
    const { twin, isExact } = this.longWords.find(word, places, random, fits);
    return isExact ? twin : undefined;
  }

  /** True if a word may be a twin. */
  private isOf(choice: Choice, twin: string): boolean {
    const isUnused = choice === 'any' || choice === 'new' || !this.used.has(twin);
    const isNew = choice === 'any' || choice === 'unused' || !this.learnt.isRepeatedBy(twin);
    return isUnused && isNew && !this.kept.has(twin) && !contracted.has(twin.toLowerCase());
  }

  private placesOf(word: string, surroundings = this.surroundingsOf(word)): readonly Place[] {
    return surroundings.map(place => ({ ...place, tokens: this.maker.count(word, place) }));
  }

  /** The surroundings of a word, without the contractions that keep it. */
  private surroundingsOf(word: string): readonly Surroundings[] {
    const all = this.learnt.surroundingsOf(word);
    return contracted.has(word.toLowerCase()) ? all.filter(({ after }) => after === '') : all;
  }

  /** The surroundings of a learnt word in this place, and those in the form inside JSON. */
  private learntForms(word: string, before: string, after: string): readonly Surroundings[] {
    const written = [
      ...(forms[before] ?? []),
      // The letter of an escape before a capital is a separate piece.
      ...(/^[\t\b\f]$/.test(before) && /^\p{Lu}/u.test(word) ? [''] : []),
      ...this.learnt.startsOf(word, before),
    ];
    const others = this.surroundingsOf(word).filter(
      other => other.after === after && other.before !== before && written.includes(other.before),
    );
    return [{ before, after }, ...others];
  }
}

/** The surroundings of a word that was not learnt, and those it has as the first word of a text inside JSON. */
function quotedForms(word: string, before: string, after: string): readonly Surroundings[] {
  const starts = before === '' && isSought(word) ? ['', ...quotedStarts] : [before];
  return starts.map(start => ({ before: start, after }));
}

function isSought(word: string): boolean {
  return word.length <= longestSought;
}

function isRepeated(word: string): boolean {
  return word.length <= longestRepeated;
}

function saysNothing(word: string): boolean {
  return word.length <= longestStaying || oneLetter.test(word);
}

function keyOf(word: string, before: string, after: string): string {
  return `${word}\0${before}\0${after}`;
}
