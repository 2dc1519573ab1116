import type { Encoding } from '../../model/modelRow';
import type { Tokenizer } from '../../tokens/tokenizer';
import { lettersLike, randomWord, shapeOf } from './letterShapes';
import { LongWords } from './longWords';
import type { RandomNumbers } from './randomNumbers';
import type { VocabularyWords } from './vocabularyWords';
import { contractionStart } from './wordPattern';

/** What stands before and after a word in its piece. */
interface Surroundings {
  readonly before: string;
  readonly after: string;
  /** How much of the word is there, in UTF-16 units, where a reader cuts the text inside it. */
  readonly length?: number | undefined;
}

/** English words that are one token together with a contraction. */
const contracted: ReadonlySet<string> = new Set(
  (
    'ain aren can couldn didn doesn don hadn hasn haven he i isn it let mustn she shouldn that there they wasn we ' +
    'weren what where who won wouldn you'
  ).split(' '),
);
/** How many words of the vocabulary, and how many made ones, are tried for one. */
const mostListed = 200;
const mostTries = 60;
/** The same for a word that has found none. */
const lastTries = 400;
/** How many parts are tried for one part of a word. */
const partTries = 20;
/** Longer words, in UTF-16 units, of more tokens are replaced piece by piece. */
const longestWhole = 12;
const mostParts = 4;
/** A word that is one token together with the sign before it, and up to so long, may stay where no other is one. */
const longestStaying = 20;
/** So may a word of the vocabulary that needs one twin inside JSON and outside. */
const longestQuoted = 20;
/** No more words than these, and none that is longer, are remembered; others get their twins from themselves alone. */
const mostRemembered = 200_000;
const longestRemembered = 64;
/** A line of one letter says nothing. */
const oneLetter = /^(.)\1*$/u;
/** How many different surroundings of one word are heeded. */
const mostSurroundings = 64;
/** What stands before the first word of a text or line when the text is written inside JSON. */
const quotedStarts: readonly string[] = ['"', '\\n', ' '];
/** What a text has before its first word, or a line has, written inside JSON or not. */
const starts: ReadonlySet<string> = new Set(['', '"', '\\n', '\t', '\\t', '\r', '\\r']);
/** Words of fewer letters say nothing alone, so they may stand for other words of the same text. */
const leastTelling = 3;
/** Words of Latin letters up to this length are so few that each needs a place found together with the others. */
const longestMatched = 2;

/**
 * A random word for each word: of the same shape, and with the same count of tokens in every piece in which the word
 * occurs. Different words get different ones. All words must be learnt, then `settle` must be called, before the first
 * one is replaced.
 */
export class WordTwins {
  private readonly surroundings = new Map<string, Map<string, Surroundings>>();
  private readonly twins = new Map<string, string>();
  private readonly used = new Set<string>();
  private readonly longWords: LongWords;
  /** Words for which no exact twin was found. */
  inexact = 0;

  constructor(
    private readonly tokenizer: Tokenizer,
    private readonly vocabulary: VocabularyWords,
    private readonly random: RandomNumbers,
    /** Words that stay; no other word may become one of them. */
    private readonly kept: ReadonlySet<string>,
  ) {
    this.longWords = new LongWords(tokenizer, vocabulary, text => random.for(text));
  }

  get encoding(): Encoding {
    return this.tokenizer.encoding;
  }

  get size(): number {
    return this.twins.size;
  }

  learn(word: string, before: string, after: string, length?: number): void {
    let known = this.surroundings.get(word);
    if (known === undefined) {
      if (this.surroundings.size >= mostRemembered || word.length > longestRemembered) {
        return;
      }
      known = new Map();
      this.surroundings.set(word, known);
    }
    const key = `${before}\0${after}\0${length ?? ''}`;
    if (known.size < mostSurroundings && !known.has(key)) {
      known.set(key, { before, after, length });
    }
  }

  /** Chooses the twins of all short words at once, because each can only become another of the few short words. */
  settle(): void {
    const groups = new Map<string, string[]>();
    for (const word of this.surroundings.keys()) {
      if (word.length <= longestMatched && /^[a-z]+$/i.test(word)) {
        const shape = shapeOf(word);
        const group = groups.get(shape);
        if (group === undefined) {
          groups.set(shape, [word]);
        } else {
          group.push(word);
        }
      }
    }
    for (const group of groups.values()) {
      this.match(group);
    }
  }

  /** Pairs the words of one shape with words of the same shape, by augmenting paths; each can always keep its own. */
  private match(words: readonly string[]): void {
    const all = Array.from(words[0] ?? '', lettersLike).reduce<readonly string[]>(
      (starts, letters) => starts.flatMap(start => letters.map(letter => start + letter)),
      [''],
    );
    const ownerOf = new Map<string, string>();
    const choices = new Map(
      words.map(word => [
        word,
        [...this.random.all(all.filter(twin => twin !== word && !this.isTaken(twin))), word],
      ]),
    );
    const place = (word: string, visited: Set<string>, mayKeep: boolean): boolean => {
      for (const twin of choices.get(word) ?? []) {
        if (
          visited.has(twin) ||
          (twin === word && !mayKeep) ||
          !this.fits(word, twin, this.freeSurroundings(word))
        ) {
          continue;
        }
        visited.add(twin);
        const owner = ownerOf.get(twin);
        if (owner === undefined || place(owner, visited, mayKeep)) {
          ownerOf.set(twin, word);
          return true;
        }
      }
      return false;
    };
    for (const word of words) {
      if (!place(word, new Set(), false)) {
        place(word, new Set(), true);
      }
    }
    for (const [twin, word] of ownerOf) {
      this.twins.set(word, twin);
      this.used.add(twin);
    }
  }

  /** The twin of a word that stands between these parts of its piece. */
  twinOf(word: string, before: string, after: string): string {
    if (after !== '' && contracted.has(word.toLowerCase())) {
      return word;
    }
    if (!this.surroundings.has(word)) {
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
    const random = this.random.for(word);
    const surroundings = [
      { before, after },
      ...(before === '' ? quotedStarts.map(start => ({ before: start, after })) : []),
    ];
    const found =
      this.search(word, surroundings, random, twin => !this.isKept(twin)) ??
      (before === '' ? this.search(word, [{ before, after }], random, () => true) : undefined);
    if (found === undefined && oneLetter.test(word)) {
      return word;
    }
    this.inexact += found === undefined ? 1 : 0;
    return found ?? this.nearest(word, surroundings, random, () => true).twin;
  }

  /** The surroundings of a word, but for the contractions with which it stays. */
  private freeSurroundings(word: string): readonly Surroundings[] {
    const all = [...(this.surroundings.get(word)?.values() ?? [])];
    return contracted.has(word.toLowerCase()) ? all.filter(({ after }) => after === '') : all;
  }

  /** A word that has no twin for all its surroundings has one for each of them. */
  private twinBetween(word: string, before: string, after: string): string {
    const key = `${word}\0${before}\0${after}`;
    let twin = this.twins.get(key);
    if (twin === undefined) {
      const here = [{ before, after }];
      const quoted = starts.has(before)
        ? this.freeSurroundings(word).filter(other => other.after === after && starts.has(other.before))
        : [];
      const isFree = (other: string): boolean => !this.isTaken(other);
      const isOther = (other: string): boolean => !this.isKept(other);
      let found =
        this.search(word, [...here, ...quoted], this.random, isFree) ??
        this.search(word, [...here, ...quoted], this.random, isOther, lastTries) ??
        (quoted.length > 0 && word.length <= longestQuoted && this.isToken(word) ? word : undefined) ??
        this.search(word, here, this.random, isOther, lastTries) ??
        (word.length <= longestStaying && this.tokenizer.count(before + word) === 1 ? word : undefined);
      if (found === undefined) {
        const nearest = this.nearest(word, here, this.random, isOther);
        found = nearest.twin;
        this.inexact += nearest.isExact ? 0 : 1;
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
        twin => isFree(twin) && !(isTelling && this.surroundings.has(twin)),
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
  ): string | undefined {
    const fits = (twin: string): boolean =>
      twin.length === word.length && twin !== word && isAllowed(twin) && this.fits(word, twin, surroundings);
    const isLong =
      word.length > longestRemembered ||
      (word.length > longestWhole && this.tokenizer.count(word) > mostParts);
    if (!isLong) {
      for (const twin of this.othersLike(word, surroundings, random, tries)) {
        if (fits(twin)) {
          return twin;
        }
      }
      return undefined;
    }
    if (oneLetter.test(word)) {
      const line = lettersLike(word.charAt(0)).find(letter => fits(letter.repeat(word.length)));
      if (line !== undefined) {
        return line.repeat(word.length);
      }
    }
    const { twin, isExact } = this.nearest(word, surroundings, random, fits);
    return isExact ? twin : undefined;
  }

  private nearest(
    word: string,
    surroundings: readonly Surroundings[],
    random: RandomNumbers,
    fits: (twin: string) => boolean,
  ): { readonly twin: string; readonly isExact: boolean } {
    const { before = '', after = '' } = surroundings[0] ?? {};
    const count = this.tokenizer.count(before + word + after);
    const difference = (twin: string): number => this.tokenizer.count(before + twin + after) - count;
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
    const surroundings = this.surroundings.get(word)?.values() ?? [];
    return [...surroundings].some(({ before, after }) => this.tokenizer.count(before + word + after) === 1);
  }

  /** Words of the same shape in random order: tokens where the word is one, then made from tokens, then from letters. */
  private *othersLike(
    word: string,
    surroundings: readonly Surroundings[],
    random: RandomNumbers,
    tries: number,
  ): Generator<string> {
    const { before, parts, first } = this.narrowestParts(word, surroundings);
    if (parts.length === 1) {
      let tried = 0;
      for (const twin of random.all(first)) {
        yield twin;
        tried += 1;
        if (tried === mostListed) {
          break;
        }
      }
    }
    for (let attempt = 0; attempt < tries; attempt += 1) {
      yield attempt % 4 === 3 ? randomWord(word, random) : this.built(before, parts, first, random);
    }
  }

  /** The parts of a word in the surroundings that leave the fewest choices for the first part. */
  private narrowestParts(word: string, surroundings: readonly Surroundings[]): Parts {
    let narrowest: Parts | undefined;
    for (const { before } of surroundings) {
      const lead = this.mergesWith(before, word) ? before : '';
      const parts = this.partsOf(word, lead);
      const [part] = parts;
      const first = part?.tokens === 1 ? this.vocabulary.like(part.text, lead) : [];
      if (narrowest === undefined || (first.length > 0 && first.length < narrowest.first.length)) {
        narrowest = { before: lead, parts, first };
      }
    }
    return (
      narrowest ?? { before: '', parts: [{ text: word, tokens: this.tokenizer.count(word) }], first: [] }
    );
  }

  /** Whether a token holds the end of what stands before a word together with the word's beginning. */
  private mergesWith(before: string, word: string): boolean {
    const { tokenizer } = this;
    return before !== '' && tokenizer.count(before + word) < tokenizer.count(before) + tokenizer.count(word);
  }

  /** Puts a word together part by part, so that no part merges with the one before it, as far as that is possible. */
  private built(
    before: string,
    parts: readonly Part[],
    first: readonly string[],
    random: RandomNumbers,
  ): string {
    let twin = '';
    let tokens = 0;
    for (const [index, part] of parts.entries()) {
      tokens += part.tokens;
      const words = index === 0 ? first : part.tokens === 1 ? this.vocabulary.like(part.text, '') : [];
      let next = '';
      for (let attempt = 0; attempt < partTries; attempt += 1) {
        next = (attempt % 3 === 2 ? undefined : random.oneOf(words)) ?? randomWord(part.text, random);
        if (this.tokenizer.count(before + twin + next) === tokens) {
          break;
        }
      }
      twin += next;
    }
    return twin;
  }

  private fits(word: string, twin: string, surroundings: Iterable<Surroundings>): boolean {
    for (const { before, after, length } of surroundings) {
      if (
        (before.endsWith("'") && contractionStart.test(twin) && !contractionStart.test(word)) ||
        this.tokenizer.count(before + word.slice(0, length) + after) !==
          this.tokenizer.count(before + twin.slice(0, length) + after)
      ) {
        return false;
      }
    }
    return true;
  }

  /** A word's parts of one token each, as far as it has such parts; a word of several tokens may be cut elsewhere. */
  private partsOf(word: string, lead: string): readonly Part[] {
    const parts: Part[] = [];
    let before = lead;
    let rest = word;
    let tokens = this.tokenizer.count(before + rest);
    while (tokens > 1) {
      let length = rest.length - 1;
      while (
        length > 0 &&
        (this.tokenizer.count(before + rest.slice(0, length)) !== 1 ||
          this.tokenizer.count(rest.slice(length)) !== tokens - 1)
      ) {
        length -= 1;
      }
      if (length <= 0) {
        break;
      }
      parts.push({ text: rest.slice(0, length), tokens: 1 });
      rest = rest.slice(length);
      before = '';
      tokens -= 1;
    }
    return [...parts, { text: rest, tokens }];
  }
}

interface Parts {
  readonly before: string;
  readonly parts: readonly Part[];
  /** What can stand for the first part. */
  readonly first: readonly string[];
}

interface Part {
  readonly text: string;
  readonly tokens: number;
}
