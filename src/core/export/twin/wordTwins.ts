import type { Encoding } from '../../model/modelRow';
import type { Tokenizer } from '../../tokens/tokenizer';
import { lettersLike, randomWord, shapeOf } from './letterShapes';
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
/** How many words are tried for one. */
const mostTries = 200;
/** How many parts are tried for one part of a word. */
const partTries = 40;
/** Words of fewer letters say nothing alone, so they may stand for other words of the same text. */
const leastTelling = 3;
/** Words of Latin letters up to this length are so few that each needs a place found together with the others. */
const longestMatched = 2;
/** Where a word of the vocabulary has no twin for all its surroundings, a short one stays; a long one gets several twins. */
const longestKept = 6;

/**
 * A random word for each word: of the same shape, and with the same count of tokens in every piece in which the word
 * occurs. Different words get different ones. All words must be learnt, then `settle` must be called, before the first
 * one is replaced.
 */
export class WordTwins {
  private readonly surroundings = new Map<string, Map<string, Surroundings>>();
  private readonly twins = new Map<string, string>();
  private readonly used = new Set<string>();
  /** Words for which no exact twin was found. */
  inexact = 0;

  constructor(
    private readonly tokenizer: Tokenizer,
    private readonly vocabulary: VocabularyWords,
    private readonly random: RandomNumbers,
    /** Words that stay; no other word may become one of them. */
    private readonly kept: ReadonlySet<string>,
  ) {}

  get encoding(): Encoding {
    return this.tokenizer.encoding;
  }

  get size(): number {
    return this.twins.size;
  }

  learn(word: string, before: string, after: string, length?: number): void {
    let known = this.surroundings.get(word);
    if (known === undefined) {
      known = new Map();
      this.surroundings.set(word, known);
    }
    const key = `${before}\0${after}\0${length ?? ''}`;
    if (!known.has(key)) {
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
    let twin = this.twins.get(word);
    if (twin === undefined) {
      twin =
        this.find(word, this.freeSurroundings(word)) ??
        ((word.length <= longestKept || this.isEscaped(word)) && this.mayStay(word) ? word : '');
      this.twins.set(word, twin);
      this.used.add(twin);
    }
    return twin === '' ? this.twinBetween(word, before, after) : twin;
  }

  /** Whether a word also stands behind an escape or a quote of JSON, where the twin must be the same as without it. */
  private isEscaped(word: string): boolean {
    return this.freeSurroundings(word).some(({ before }) => /["\\a-z]/.test(before));
  }

  /** The surroundings of a word, but for the contractions with which it stays. */
  private freeSurroundings(word: string): readonly Surroundings[] {
    const all = [...(this.surroundings.get(word)?.values() ?? [])];
    return contracted.has(word.toLowerCase()) ? all.filter(({ after }) => after === '') : all;
  }

  /** A word of the vocabulary is nobody's secret, and neither is a line of one letter. */
  private mayStay(word: string): boolean {
    return !this.used.has(word) && (this.isToken(word) || /^(.)\1*$/u.test(word));
  }

  /** A word that has no twin for all its surroundings has one for each of them. */
  private twinBetween(word: string, before: string, after: string): string {
    const key = `${word}\0${before}\0${after}`;
    let twin = this.twins.get(key);
    if (twin === undefined) {
      const found = this.find(word, [{ before, after }]);
      twin = found ?? (this.mayStay(word) ? word : undefined);
      this.inexact += twin === undefined ? 1 : 0;
      twin ??= randomWord(word, this.random);
      this.twins.set(key, twin);
      this.used.add(twin);
    }
    return twin;
  }

  private find(word: string, surroundings: readonly Surroundings[]): string | undefined {
    const others = this.othersLike(word, surroundings);
    for (const mayBeFound of [false, true]) {
      for (const twin of others()) {
        if (twin.length !== word.length || twin === word || this.isTaken(twin)) {
          continue;
        }
        // A word of the same transcript could make a text of it again.
        const isFound = word.length >= leastTelling && this.surroundings.has(twin);
        if ((!isFound || (mayBeFound && !this.isToken(twin))) && this.fits(word, twin, surroundings)) {
          return twin;
        }
      }
    }
    return undefined;
  }

  private isTaken(twin: string): boolean {
    return this.used.has(twin) || this.kept.has(twin) || contracted.has(twin.toLowerCase());
  }

  /** Whether a word is one token somewhere in the transcript. */
  private isToken(word: string): boolean {
    const surroundings = this.surroundings.get(word)?.values() ?? [];
    return [...surroundings].some(({ before, after }) => this.tokenizer.count(before + word + after) === 1);
  }

  /** Words of the same shape in random order: tokens where the word is one, then made from tokens, then from letters. */
  private othersLike(word: string, surroundings: readonly Surroundings[]): () => Generator<string> {
    const { random } = this;
    const { before, parts, first } = this.narrowestParts(word, surroundings);
    const build = (): string => this.built(before, parts, first);
    return function* () {
      if (parts.length === 1) {
        yield* random.all(first);
      }
      for (let attempt = 0; attempt < mostTries; attempt += 1) {
        yield attempt % 4 === 3 ? randomWord(word, random) : build();
      }
    };
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
  private built(before: string, parts: readonly Part[], first: readonly string[]): string {
    let twin = '';
    let tokens = 0;
    for (const [index, part] of parts.entries()) {
      tokens += part.tokens;
      const words = index === 0 ? first : part.tokens === 1 ? this.vocabulary.like(part.text, '') : [];
      let next = '';
      for (let attempt = 0; attempt < partTries; attempt += 1) {
        next =
          (attempt % 3 === 2 ? undefined : this.random.oneOf(words)) ?? randomWord(part.text, this.random);
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
