import type { Tokenizer } from '../../tokens/tokenizer';
import { randomWord } from './letterShapes';
import type { RandomNumbers } from '../../base/randomNumbers';
import type { VocabularyWords } from './vocabularyWords';
import { contractionStart } from './wordPattern';

/** One in this many words is made only of random letters, for words that no tokens compose. */
const randomShare = 4;

/** The text before and after a word in its piece. */
export interface Surroundings {
  readonly before: string;
  readonly after: string;
  /** How much of the word is there, in UTF-16 units, if a reader cuts the text inside it. */
  readonly length?: number | undefined;
}

/** A place for a word, with the token count that the piece must have. */
export interface Place extends Surroundings {
  readonly tokens: number;
}

/** Finds words of a length with a given token count in each of several places. */
export class WordMaker {
  /** Number of words tried. */
  tried = 0;

  constructor(
    private readonly tokenizer: Tokenizer,
    private readonly vocabulary: VocabularyWords,
  ) {}

  /** Number of tokens of a piece with this word in it. */
  count(word: string, { before, after, length }: Surroundings): number {
    return this.tokenizer.count(before + word.slice(0, length) + after);
  }

  /** An allowed word of the same length that fits all places; undefined if none is found within this many tries. */
  make(
    word: string,
    places: readonly Place[],
    tries: number,
    random: RandomNumbers,
    isAllowed: (twin: string) => boolean,
  ): string | undefined {
    for (const twin of this.candidates(word, places, tries, random)) {
      this.tried += 1;
      if (twin.length === word.length && twin !== word && isAllowed(twin) && this.fits(word, twin, places)) {
        return twin;
      }
    }
    return undefined;
  }

  /** True if the pieces have the right counts with the twin, and none becomes a contraction. */
  fits(word: string, twin: string, places: readonly Place[]): boolean {
    const isOtherStart = contractionStart.test(twin) && !contractionStart.test(word);
    return places.every(
      place => !(isOtherStart && place.before.endsWith("'")) && this.count(twin, place) === place.tokens,
    );
  }

  /**
   * Words that may fit: all words of the vocabulary for places with one token, then composed words for each place in
   * turn.
   */
  *candidates(
    word: string,
    places: readonly Place[],
    tries: number,
    random: RandomNumbers,
  ): Generator<string> {
    const { vocabulary } = this;
    const starts = this.startsOf(word, places);
    const singles = starts.filter(({ tokens }) => tokens === 1);
    yield* random.all(shortest(singles.map(({ before }) => vocabulary.like(word, before))));
    yield* random.all(shortest(singles.map(({ before }) => vocabulary.ofLength(word, before))));
    for (let attempt = 0; attempt < tries; attempt += 1) {
      const start = starts[attempt % starts.length];
      yield start === undefined || attempt % randomShare === randomShare - 1
        ? randomWord(word, random)
        : this.composed(word, start.before, start.tokens, random);
    }
  }

  /**
   * The distinct starts that a fitting word has in its places: the text that shares a token with the word, and the
   * number of tokens from there to its end. Text before the word with tokens of its own is left out.
   */
  private startsOf(
    word: string,
    places: readonly Place[],
  ): readonly { readonly before: string; readonly tokens: number }[] {
    const { tokenizer } = this;
    const alone = tokenizer.count(word);
    const starts = places.map(({ before, after, tokens: all }) => {
      const lead = tokenizer.count(before);
      const tokens = all - tokenizer.count(after);
      return tokenizer.count(before + word) < lead + alone
        ? { before, tokens }
        : { before: '', tokens: tokens - lead };
    });
    return [
      ...new Map(
        starts.filter(({ tokens }) => tokens > 0).map(start => [`${start.before} ${start.tokens}`, start]),
      ).values(),
    ];
  }

  /**
   * A word composed of this many tokens, cut at random places. Random letters are used where the vocabulary has no
   * word.
   */
  composed(word: string, before: string, tokens: number, random: RandomNumbers): string {
    const letters = Array.from(word);
    let twin = '';
    let left = Math.max(1, tokens);
    for (let from = 0; from < letters.length;) {
      const rest = letters.length - from;
      const isRare = left > rest;
      const even = Math.round(rest / left) - 1 + random.below(3);
      const size = isRare ? 1 : left <= 1 ? rest : Math.min(rest - left + 1, Math.max(1, even));
      const part = letters.slice(from, from + size).join('');
      const found = isRare ? undefined : random.oneOf(this.vocabulary.like(part, from === 0 ? before : ''));
      const next = found ?? randomWord(part, random);
      left -= isRare ? this.tokenizer.count(next) : 1;
      twin += next;
      from += size;
    }
    return twin;
  }
}

function shortest(lists: readonly (readonly string[])[]): readonly string[] {
  return lists.reduce(
    (least, list) => (list.length > 0 && (least.length === 0 || list.length < least.length) ? list : least),
    [],
  );
}
