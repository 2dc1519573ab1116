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
}

/** English words that are one token together with a contraction. */
const contracted: ReadonlySet<string> = new Set(
  (
    "ain aren can couldn didn doesn don hadn hasn haven he i isn it let mustn she shouldn that there they wasn we " +
    'weren what where who won wouldn you'
  ).split(' '),
);
/** How many words are tried for one. */
const mostTries = 400;
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

  learn(word: string, before: string, after: string): void {
    let known = this.surroundings.get(word);
    if (known === undefined) {
      known = new Map();
      this.surroundings.set(word, known);
    }
    const key = `${before}\0${after}`;
    if (!known.has(key)) {
      known.set(key, { before, after });
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
        [...this.random.all(all.filter(twin => twin !== word && !this.kept.has(twin))), word],
      ]),
    );
    const place = (word: string, visited: Set<string>, mayKeep: boolean): boolean => {
      for (const twin of choices.get(word) ?? []) {
        if (visited.has(twin) || (twin === word && !mayKeep) || !this.fits(word, twin)) {
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

  twinOf(word: string): string {
    if (contracted.has(word.toLowerCase())) {
      return word;
    }
    let twin = this.twins.get(word);
    if (twin === undefined) {
      twin = this.find(word);
      this.twins.set(word, twin);
      this.used.add(twin);
    }
    return twin;
  }

  private find(word: string): string {
    const others = this.othersLike(word);
    let near = '';
    for (const mayBeFound of [false, true]) {
      for (const twin of others()) {
        if (twin.length !== word.length || twin === word || this.used.has(twin) || this.kept.has(twin)) {
          continue;
        }
        // A word of the same transcript could make a text of it again.
        const isFound = word.length >= leastTelling && this.surroundings.has(twin);
        if (!isFound || (mayBeFound && !this.isToken(twin))) {
          near ||= twin;
          if (this.fits(word, twin)) {
            return twin;
          }
        }
      }
    }
    // A word of the vocabulary is nobody's secret.
    if (!this.used.has(word) && this.isToken(word)) {
      return word;
    }
    this.inexact += 1; if (typeof process !== 'undefined') console.error('INEXACT', JSON.stringify(word), JSON.stringify([...(this.surroundings.get(word)?.values() ?? [])].slice(0,40)));
    return near === '' ? randomWord(word, this.random) : near;
  }

  /** Whether a word is one token somewhere in the transcript. */
  private isToken(word: string): boolean {
    const surroundings = this.surroundings.get(word)?.values() ?? [];
    return [...surroundings].some(({ before, after }) => this.tokenizer.count(before + word + after) === 1);
  }

  /** Words of the same shape in random order: tokens where the word is one, then made from tokens, then from letters. */
  private othersLike(word: string): () => Generator<string> {
    const { random, vocabulary } = this;
    const surroundings = [...(this.surroundings.get(word)?.values() ?? [])];
    const isSpaced = surroundings.some(({ before }) => before === ' ');
    const parts = this.partsOf(word, isSpaced);
    const whole = surroundings
      .filter(({ before, after }) => after === '' && this.tokenizer.count(before + word) === 1)
      .map(({ before }) => vocabulary.like(word, before))
      .reduce<readonly string[] | undefined>(
        (fewest, words) => (fewest === undefined || words.length < fewest.length ? words : fewest),
        undefined,
      );
    const guess = (): string =>
      parts
        .map(({ text, tokens }, index) => {
          const words = tokens > 1 ? [] : vocabulary.like(text, isSpaced && index === 0 ? ' ' : '');
          return random.oneOf(words) ?? randomWord(text, random);
        })
        .join('');
    return function* () {
      if (whole !== undefined) {
        yield* random.all(whole);
      }
      for (let attempt = 0; attempt < mostTries; attempt += 1) {
        yield attempt % 4 === 3 ? randomWord(word, random) : guess();
      }
    };
  }

  private fits(word: string, twin: string): boolean {
    for (const { before, after } of this.surroundings.get(word)?.values() ?? []) {
      if (
        (before.endsWith("'") && contractionStart.test(twin)) ||
        this.tokenizer.count(before + word + after) !== this.tokenizer.count(before + twin + after)
      ) {
        return false;
      }
    }
    return true;
  }

  /** A word's parts of one token each, as far as it has such parts; a word of several tokens may be cut elsewhere. */
  private partsOf(word: string, isSpaced: boolean): readonly Part[] {
    const parts: Part[] = [];
    let before = isSpaced ? ' ' : '';
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

interface Part {
  readonly text: string;
  readonly tokens: number;
}
