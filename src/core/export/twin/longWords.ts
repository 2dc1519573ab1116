import type { Tokenizer } from '../../tokens/tokenizer';
import { randomWord, shapeOf } from './letterShapes';
import type { RandomNumbers } from './randomNumbers';
import type { VocabularyWords } from './vocabularyWords';

/** Letters of one piece of a long word. Tokens of letters beyond ASCII are shorter. */
const asciiLetters = 6;
const otherLetters = 3;
/** How many pieces of one shape and count are made to choose from, out of so many tries, and for how many shapes. */
const mostInPool = 64;
const poolTries = 160;
const mostPools = 2_048;
/** How many twins of one piece are tried. */
const pieceTries = 12;
/** How often a whole word is made, and mended. Each takes one count of the whole word. */
const mostAttempts = 3;
const mostRepairs = 6;
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
    private readonly vocabulary: VocabularyWords,
    private readonly randomFor: (text: string) => RandomNumbers,
  ) {}

  /**
   * A word of the same shape, whether it is exact or not.
   * @param difference how many tokens a twin has more than the word where it stands
   */
  find(
    word: string,
    before: string,
    random: RandomNumbers,
    difference: (twin: string) => number,
    fits: (twin: string) => boolean,
  ): { readonly twin: string; readonly isExact: boolean } {
    const pieces = piecesOf(word);
    let twin = '';
    for (let attempt = 0; attempt < mostAttempts; attempt += 1) {
      const made = this.made(pieces, before, random);
      for (let repair = 0; repair <= mostRepairs; repair += 1) {
        twin = made.join('');
        const more = difference(twin);
        if (more === 0) {
          if (fits(twin)) {
            return { twin, isExact: true };
          }
          break;
        }
        this.repair(pieces, made, before, more, random);
      }
    }
    return { twin, isExact: false };
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
    pieces: readonly string[],
    twins: string[],
    before: string,
    more: number,
    random: RandomNumbers,
  ): void {
    let left = more;
    let index = random.below(twins.length);
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
  private like(piece: string, tokens: number, random: RandomNumbers): string {
    const key = `${tokens} ${shapeOf(piece)}`;
    let pool = this.pools.get(key);
    if (pool === undefined) {
      if (this.pools.size === mostPools) {
        this.pools.clear();
      }
      pool = this.poolOf(piece, tokens, this.randomFor(key));
      this.pools.set(key, pool);
    }
    return random.oneOf(pool) ?? this.composed(piece, tokens, random);
  }

  /** The same pool whenever it is made, so that equal words become equal ones. */
  private poolOf(piece: string, tokens: number, random: RandomNumbers): readonly string[] {
    const pool: string[] = [];
    for (let attempt = 0; attempt < poolTries && pool.length < mostInPool; attempt += 1) {
      const twin = this.composed(piece, tokens, random);
      if (this.tokenizer.count(twin) === tokens) {
        pool.push(twin);
      }
    }
    return pool;
  }

  /** A word out of tokens and random letters, cut at random places. */
  private composed(piece: string, tokens: number, random: RandomNumbers): string {
    const letters = Array.from(piece);
    let twin = '';
    let left = Math.max(1, tokens);
    for (let from = 0; from < letters.length;) {
      const rest = letters.length - from;
      const isRare = left > rest;
      const size = isRare ? 1 : left <= 1 ? rest : 1 + random.below(rest - left + 1);
      const part = letters.slice(from, from + size).join('');
      const word = isRare ? undefined : random.oneOf(this.vocabulary.like(part, ''));
      const next = word ?? randomWord(part, random);
      left -= isRare ? this.tokenizer.count(next) : 1;
      twin += next;
      from += size;
    }
    return twin;
  }
}

function piecesOf(word: string): readonly string[] {
  const pieces: string[] = [];
  let piece = '';
  let letters = 0;
  for (const letter of word) {
    piece += letter;
    letters += 1;
    if (letters >= (letter.length === 1 && letter < '\u0080' ? asciiLetters : otherLetters)) {
      pieces.push(piece);
      piece = '';
      letters = 0;
    }
  }
  return piece === '' ? pieces : [...pieces, piece];
}
