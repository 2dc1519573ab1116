import { entryOf } from '../../base/entryOf';
import type { Tokenizer } from '../../tokens/tokenizer';
import { randomWord } from './letterShapes';
import { longestRemembered } from './learntWords';
import type { RandomNumbers } from '../../base/randomNumbers';
import type { Place, WordMaker } from './wordMaker';

/** Maximum number of words made for one. */
const mostMade = 120;
/** UTF-16 units of all words made for one word. A longer word has fewer tries, and a word above this has none. */
const mostUnits = 40_000;
/** Maximum number of remembered results. They are useful because texts repeat their words. */
const mostRemembered = 20_000;
/** Minimum length of a word of the transcript that reveals something alone. */
const leastTelling = 8;

/** The number of tokens that a twin has more than its text: in plain form, and written inside JSON. */
export interface Difference {
  readonly plain: number;
  readonly quoted: number;
}

const none: Difference = { plain: 0, quoted: 0 };

/** A word in a text, with its surroundings in its piece: in plain form, and written inside JSON. */
export interface WordInText {
  readonly word: string;
  readonly before: string;
  readonly quotedBefore: string;
  readonly after: string;
}

/**
 * Twins of words for one place: used if the usual twin would repeat a run, or if a token difference must be
 * compensated.
 */
export class OtherTwins {
  private readonly found = new Map<string, { readonly twin: string | undefined }>();

  constructor(
    private readonly tokenizer: Tokenizer,
    private readonly maker: WordMaker,
    private readonly random: RandomNumbers,
    private readonly isAllowed: (twin: string) => boolean,
  ) {}

  /** Number of words tried. */
  get tried(): number {
    return this.maker.tried;
  }

  /**
   * Number of tokens that a twin has more than its word. For the form inside JSON, this is skipped if the word is as
   * long as a file.
   */
  difference({ word, before, quotedBefore, after }: WordInText, twin: string): Difference {
    const { tokenizer } = this;
    const plain = tokenizer.count(before + twin + after) - tokenizer.count(before + word + after);
    return {
      plain,
      quoted:
        before === quotedBefore || word.length > mostUnits
          ? plain
          : tokenizer.count(quotedBefore + twin + after) - tokenizer.count(quotedBefore + word + after),
    };
  }

  /**
   * A word of the same length with this many tokens more; undefined if none is found. Always the same for the same word
   * and attempt.
   */
  find(place: WordInText, more: Difference, attempt: number): string | undefined {
    const { word, before, quotedBefore, after } = place;
    if (word.length > mostUnits) {
      return undefined;
    }
    const key = `${attempt} ${more.plain} ${more.quoted} ${before}\0${word}\0${after}\0${quotedBefore}`;
    const make = (): { readonly twin: string | undefined } => ({
      twin: this.firstWith(place, more, this.random.for(key)),
    });
    if (word.length > longestRemembered) {
      return make().twin;
    }
    if (this.found.size >= mostRemembered) {
      this.found.clear();
    }
    return entryOf(this.found, key, make).twin;
  }

  private firstWith(place: WordInText, more: Difference, random: RandomNumbers): string | undefined {
    return this.maker.make(
      place.word,
      this.placesOf(place, more),
      this.triesFor(place.word),
      random,
      this.isAllowed,
    );
  }

  /** The piece of a word with this many tokens more: in plain form, and written inside JSON. */
  private placesOf({ word, before, quotedBefore, after }: WordInText, more: Difference): readonly Place[] {
    const placeOf = (start: string, extra: number): Place => ({
      before: start,
      after,
      tokens: this.tokenizer.count(start + word + after) + extra,
    });
    return [
      placeOf(before, more.plain),
      ...(quotedBefore === before ? [] : [placeOf(quotedBefore, more.quoted)]),
    ];
  }

  private triesFor(word: string): number {
    return Math.min(mostMade, Math.floor(mostUnits / word.length));
  }

  /** A word for the first of these steps that has one; undefined if none has. */
  firstOf(place: WordInText, steps: readonly Difference[], attempt: number): string | undefined {
    for (const more of steps) {
      const twin = this.find(place, more, attempt);
      if (twin !== undefined) {
        return twin;
      }
    }
    return undefined;
  }

  /**
   * Another word of the same length with a similar token count. It does not occur in the transcript, unless it is
   * short.
   */
  nearest(place: WordInText, attempt: number): string {
    const { word, before, after } = place;
    const random = this.random.for(`${attempt} ${before}${word}${after}`);
    if (word.length > mostUnits) {
      return randomWord(word, random);
    }
    let nearest = word;
    let least = Infinity;
    for (const twin of this.maker.candidates(word, this.placesOf(place, none), this.triesFor(word), random)) {
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
          break;
        }
      }
    }
    return nearest === word ? randomWord(word, random) : nearest;
  }
}

/** The token differences that a word can compensate: all that is owed so far, or a part. The best comes first. */
export function stepsOf(
  { word, before, quotedBefore }: WordInText,
  { plain, quoted }: Difference,
): readonly Difference[] {
  const apart = quoted - plain;
  if (apart !== 0 && before !== quotedBefore) {
    const parts = partsOf(apart, word.length).map(more => ({ plain: 0, quoted: more }));
    return Math.abs(plain) > word.length || Math.abs(quoted) > word.length
      ? parts
      : [{ plain: -plain, quoted: -quoted }, ...parts];
  }
  const common = Math.sign(plain) === Math.sign(quoted) ? Math.min(Math.abs(plain), Math.abs(quoted)) : 0;
  return partsOf(Math.sign(plain) * common, word.length).map(more => ({ plain: more, quoted: more }));
}

/** The token reductions that a word of this length can make: all, or two, or one. */
function partsOf(tokens: number, length: number): readonly number[] {
  const most = Math.min(Math.abs(tokens), length);
  return most === 0 ? [] : [...new Set([most, Math.min(most, 2), 1])].map(part => -Math.sign(tokens) * part);
}
