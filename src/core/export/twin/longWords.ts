import { isLowSurrogate } from '../../base/unicodeText';
import type { Tokenizer } from '../../tokens/tokenizer';
import { randomWord, shapeOf } from './letterShapes';
import type { RandomNumbers } from './randomNumbers';
import type { Place, WordMaker } from './wordMaker';

/** In how many UTF-16 units the next token of a word is searched, and how many a token beyond ASCII has at most. */
const windowLength = 24;
const mostOtherLetters = 8;
/** Tokens of one letter at most. */
const mostTokens = 4;
/** How many pieces of one shape and count are made to choose from, out of so many tries, and for how many shapes. */
const mostInPool = 64;
const poolTries = 160;
const mostPools = 2_048;
/** How many twins of one piece are tried. */
const pieceTries = 12;
/** How often a whole word is made, and mended. Each takes one count of the whole word. */
const mostAttempts = 3;
const mostRepairs = 6;
/** UTF-16 units of what is counted for one word, after which the nearest is taken. */
const mostCounted = 200_000;
/** A longer word, in UTF-16 units, is of no text, and only gets the same shape: to count its pieces would take seconds. */
const longestCounted = 50_000;
/** How many pieces one repair may look at. */
const piecesRepaired = 64;

/**
 * Twins of long words, piece by piece: each piece adds as many tokens to the piece before it as in the original, or a
 * later one makes up for it. The work grows with the length of the word.
 */
export class LongWords {
  private readonly pools = new Map<string, readonly string[]>();

  constructor(
    private readonly tokenizer: Tokenizer,
    private readonly maker: WordMaker,
    private readonly randomFor: (text: string) => RandomNumbers,
  ) {}

  /**
   * A word of the same shape, whether it is exact or not. It is counted in the first place alone.
   * @param fits whether an exact one may be taken
   */
  find(
    word: string,
    [place = { before: '', after: '', tokens: this.tokenizer.count(word) }]: readonly Place[],
    random: RandomNumbers,
    fits: (twin: string) => boolean,
  ): { readonly twin: string; readonly isExact: boolean } {
    if (word.length > longestCounted) {
      return { twin: randomWord(word, random), isExact: false };
    }
    const tokens = this.tokensOf(word);
    let nearest = word;
    let least = Infinity;
    let counted = 0;
    for (let attempt = 0; attempt < mostAttempts && counted < mostCounted; attempt += 1) {
      const pieces = [...tokens];
      const made = this.made(pieces, place.before, random);
      for (let repair = 0; repair <= mostRepairs && counted < mostCounted; repair += 1) {
        const twin = made.join('');
        const more = this.maker.count(twin, place) - place.tokens;
        counted += twin.length;
        if (Math.abs(more) < least && twin !== word) {
          nearest = twin;
          least = Math.abs(more);
        }
        if (more === 0) {
          if (fits(twin)) {
            return { twin, isExact: true };
          }
          break;
        }
        this.repair(pieces, made, place.before, more, random);
      }
    }
    return { twin: nearest === word ? randomWord(word, random) : nearest, isExact: false };
  }

  /** A word's tokens, or its letters where they are none, found in a window. */
  private tokensOf(word: string): string[] {
    const { tokenizer } = this;
    const tokens: string[] = [];
    for (let from = 0; from < word.length;) {
      const window = word.slice(from, from + windowLength);
      const count = tokenizer.count(window);
      const first = sizeAt(window, 0);
      let size = Math.min(window.length, first > 1 || window > '\u0080' ? mostOtherLetters : window.length);
      while (
        size > first &&
        (tokenizer.count(window.slice(0, size)) !== 1 || tokenizer.count(window.slice(size)) !== count - 1)
      ) {
        size -= 1;
      }
      tokens.push(window.slice(0, size));
      from += size;
    }
    return tokens;
  }

  private made(pieces: readonly string[], before: string, random: RandomNumbers): string[] {
    const twins: string[] = [];
    let missing = 0;
    for (const [index, piece] of pieces.entries()) {
      const lead = pieces[index - 1] ?? before;
      const twinLead = twins[index - 1] ?? before;
      const wanted = this.added(lead, piece) + missing;
      let best = piece;
      let least = Infinity;
      const leadCount = this.tokenizer.count(twinLead);
      for (let attempt = 0; attempt < pieceTries && least > 0; attempt += 1) {
        const twin = this.like(piece, wanted + (attempt % 3 === 2 ? 1 : 0), random);
        const off = Math.abs(wanted - this.tokenizer.count(twinLead + twin) + leadCount);
        if (off < least && twin !== piece) {
          best = twin;
          least = off;
        }
      }
      if (least === Infinity) {
        best = randomWord(piece, random);
      }
      missing = wanted - this.added(twinLead, best);
      twins.push(best);
    }
    return twins;
  }

  /** Replaces pieces so that the whole has so many tokens fewer, judged by the pieces next to each. */
  private repair(
    pieces: string[],
    twins: string[],
    before: string,
    more: number,
    random: RandomNumbers,
  ): void {
    let left = more;
    let index = random.below(twins.length);
    if (more > 0) {
      // Two pieces together can become fewer tokens than each alone.
      for (
        let at = random.below(2);
        at + 1 < pieces.length && pieces.length > 2 && at < piecesRepaired;
        at += 1
      ) {
        pieces.splice(at, 2, pieces.slice(at, at + 2).join(''));
        twins.splice(at, 2, twins.slice(at, at + 2).join(''));
      }
      index = 0;
    }
    for (let step = 0; step < Math.min(twins.length, piecesRepaired) && left !== 0; step += 1) {
      const piece = pieces[index] ?? '';
      const old = twins[index] ?? '';
      const lead = twins[index - 1] ?? before;
      const tail = twins[index + 1] ?? '';
      const count = this.tokenizer.count(lead + old + tail);
      const wanted = this.tokenizer.count(old) - Math.sign(left);
      for (let attempt = 0; attempt < pieceTries; attempt += 1) {
        const twin = this.like(piece, wanted, random);
        const change = this.tokenizer.count(lead + twin + tail) - count;
        if (twin !== piece && change !== 0 && Math.abs(left + change) < Math.abs(left)) {
          twins[index] = twin;
          left += change;
          break;
        }
      }
      index = (index + 1) % twins.length;
    }
  }

  /** How many tokens a piece adds to what stands before it. */
  private added(lead: string, piece: string): number {
    return this.tokenizer.count(lead + piece) - this.tokenizer.count(lead);
  }

  /** A word of the same shape with this count of tokens, as far as one is found. */
  private like(piece: string, wanted: number, random: RandomNumbers): string {
    const tokens = Math.min(mostTokens * piece.length, Math.max(1, wanted));
    const key = `${tokens} ${shapeOf(piece)}`;
    let pool = this.pools.get(key);
    if (pool === undefined) {
      if (this.pools.size === mostPools) {
        this.pools.clear();
      }
      pool = this.poolOf(piece, tokens, this.randomFor(key));
      this.pools.set(key, pool);
    }
    return random.oneOf(pool) ?? this.maker.composed(piece, '', tokens, random);
  }

  /** The same pool whenever it is made, so that equal words become equal ones. */
  private poolOf(piece: string, tokens: number, random: RandomNumbers): readonly string[] {
    const pool: string[] = [];
    for (let attempt = 0; attempt < poolTries && pool.length < mostInPool; attempt += 1) {
      const twin = this.maker.composed(piece, '', tokens, random);
      if (this.tokenizer.count(twin) === tokens) {
        pool.push(twin);
      }
    }
    return pool;
  }
}

function sizeAt(text: string, index: number): number {
  return isLowSurrogate(text.charCodeAt(index + 1)) ? 2 : 1;
}
