import { isLowSurrogate } from '../../base/unicodeText';
import type { Tokenizer } from '../../tokens/tokenizer';
import { randomWord, shapeOf } from './letterShapes';
import type { RandomNumbers } from '../../base/randomNumbers';
import type { Place, WordMaker } from './wordMaker';

/** Number of UTF-16 units searched for the next token of a word, and maximum length of a token beyond ASCII. */
const windowLength = 24;
const mostOtherLetters = 8;
/** Maximum tokens of one letter. */
const mostTokens = 4;
/** Maximum number of pieces made of one shape and count, maximum number of tries, and maximum number of shapes. */
const mostInPool = 64;
const poolTries = 160;
const mostPools = 2_048;
/** Maximum number of tried twins of one piece. */
const pieceTries = 12;
/** Attempts to make a whole word, and to repair it. Each attempt counts the whole word once. */
const mostAttempts = 3;
const mostRepairs = 6;
/** UTF-16 units counted for one word, after which the closest result is used. */
const mostCounted = 200_000;
/**
 * Maximum length of a counted word, in UTF-16 units. A longer word is not normal text and only gets the same shape,
 * because counting its pieces would take seconds.
 */
const longestCounted = 50_000;
/** Maximum number of pieces that one repair examines. */
const piecesRepaired = 64;

/**
 * Twins of long words, piece by piece. Each piece adds as many tokens as in the original, or a later one compensates.
 * The work grows with the length of the word.
 */
export class LongWords {
  private readonly pools = new Map<string, readonly string[]>();

  constructor(
    private readonly tokenizer: Tokenizer,
    private readonly maker: WordMaker,
    private readonly randomFor: (text: string) => RandomNumbers,
  ) {}

  /**
   * A word of the same shape, even if its count is not exact. It is counted only in the first place.
   * @param fits true if an exact word may be used
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

  /** A word's tokens, found in a window. Its letters if there are no tokens. */
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

  /** Replaces pieces so that the whole word has this many tokens fewer, judged by neighbouring pieces. */
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
      // Two joined pieces can have fewer tokens than the two separately.
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

  /** Number of tokens that a piece adds to the text before it. */
  private added(lead: string, piece: string): number {
    return this.tokenizer.count(lead + piece) - this.tokenizer.count(lead);
  }

  /** A word of the same shape with this token count, or the closest one found. */
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

  /** The pool of a piece. It is always the same, so that equal words get equal twins. */
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
