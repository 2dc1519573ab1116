import type { Tokenizer } from '../../tokens/tokenizer';
import { randomWord } from './letterShapes';
import type { LongWords } from './longWords';
import type { RandomNumbers } from './randomNumbers';
import type { VocabularyWords } from './vocabularyWords';

/** What stands before and after a word in its piece. */
export interface Surroundings {
  readonly before: string;
  readonly after: string;
  /** How much of the word is there, in UTF-16 units, where a reader cuts the text inside it. */
  readonly length?: number | undefined;
}

/** How many parts are tried for one part of a word. */
const partTries = 20;

/** Makes words that could stand for another one, out of the words of a vocabulary and of random letters. */
export class WordMaker {
  constructor(
    private readonly tokenizer: Tokenizer,
    private readonly vocabulary: VocabularyWords,
    private readonly longWords: LongWords,
  ) {}

  /** Words of the same shape in random order: tokens where the word is one, then made from tokens, then from letters. */
  *othersLike(
    word: string,
    surroundings: readonly Surroundings[],
    random: RandomNumbers,
    tries: number,
    listed: number,
  ): Generator<string> {
    const { before, parts, first } = this.narrowestParts(word, surroundings);
    if (parts.length === 1) {
      let tried = 0;
      for (const twin of random.all(first)) {
        yield twin;
        tried += 1;
        if (tried >= listed) {
          break;
        }
      }
    }
    // One word may be two tokens at the beginning of a text and four after a sign: made for the one, it may fit the other.
    const counts = [...new Set(surroundings.map(place => this.tokenizer.count(place.before + word)))];
    for (let attempt = 0; attempt < tries; attempt += 1) {
      const tokens = counts.length > 1 && attempt % 4 === 1 ? random.oneOf(counts) : undefined;
      yield attempt % 4 === 3
        ? randomWord(word, random)
        : tokens === undefined
          ? this.built(before, parts, first, random)
          : this.longWords.composed(word, tokens, random);
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
      if (
        narrowest === undefined ||
        (first.length > 0 &&
          (parts.length === 1) === (narrowest.parts.length === 1) &&
          first.length < narrowest.first.length) ||
        (first.length > 0 && parts.length === 1 && narrowest.parts.length > 1)
      ) {
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
