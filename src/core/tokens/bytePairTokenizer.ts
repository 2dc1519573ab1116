import { createPairMerge } from './pairMerge';
import { decodeRankTable } from './rankTable';
import type { Encoding, Tokenizer } from './tokenizer';

/** What js-tiktoken's `ranks/*` modules hold: the pattern that cuts text into pieces, and the vocabulary. */
interface Ranks {
  readonly pat_str: string;
  readonly bpe_ranks: string;
}

/**
 * Only pieces below 13 UTF-16 units are remembered: V8 copies so short a slice, a longer one would keep its whole text
 * in memory. They are 98 % of all pieces.
 */
const rememberedLength = 12;
const rememberedPieces = 2 ** 17;

/**
 * Longest stretch, in UTF-16 units, that the pattern is applied to: V8's regular expressions run out of stack on a run
 * of about four million letters.
 */
const windowLength = 2 ** 20;

/** No piece of either encoding goes over this place: a letter or number, then what cannot continue it. */
const pieceBoundary = /[\p{L}\p{N}][^\p{L}\p{N}\p{M}\p{Cs}']/u;

/** End of the window that begins at `start`: a piece boundary, except in a megabyte of text that has none. */
function windowEnd(text: string, start: number): number {
  const limit = start + windowLength;
  if (limit >= text.length) {
    return text.length;
  }
  for (let at = limit; at > start + 1; at--) {
    if (pieceBoundary.test(text.slice(at - 1, at + 1))) {
      return at;
    }
  }
  return limit;
}

/** A tokenizer whose counts equal the length of js-tiktoken 1.0.21's `encode(text, [], [])`. */
export function createBytePairTokenizer(encoding: Encoding, ranks: Ranks): Tokenizer {
  const table = decodeRankTable(ranks.bpe_ranks);
  const countMerged = createPairMerge(table);
  const pattern = new RegExp(ranks.pat_str, 'gu');
  const encoder = new TextEncoder();
  const shared = new Uint8Array(4096);
  const remembered = new Map<string, number>();

  function countPiece(piece: string): number {
    const bytes = piece.length * 3 <= shared.length ? shared : new Uint8Array(piece.length * 3);
    const { written } = encoder.encodeInto(piece, bytes);
    return table.rankOf(bytes, 0, written) === -1 ? countMerged(bytes, written) : 1;
  }

  function countRemembered(piece: string): number {
    const known = remembered.get(piece);
    if (known !== undefined) {
      return known;
    }
    const count = countPiece(piece);
    if (remembered.size >= rememberedPieces) {
      remembered.clear();
    }
    remembered.set(piece, count);
    return count;
  }

  /** The pattern's alternatives cover every character, so that a piece begins where the last one ended. */
  function countWindow(text: string): number {
    let count = 0;
    let start = 0;
    pattern.lastIndex = 0;
    while (pattern.test(text)) {
      const end = pattern.lastIndex;
      const piece = text.slice(start, end);
      count += piece.length <= rememberedLength ? countRemembered(piece) : countPiece(piece);
      start = end;
    }
    return count;
  }

  return {
    encoding,
    count(text) {
      let count = 0;
      for (let start = 0; start < text.length;) {
        const end = windowEnd(text, start);
        count += countWindow(start === 0 && end === text.length ? text : text.slice(start, end));
        start = end;
      }
      return count;
    },
  };
}

async function loadRanks(encoding: Encoding): Promise<Ranks> {
  switch (encoding) {
    case 'o200k_base':
      return (await import('js-tiktoken/ranks/o200k_base')).default;
    case 'cl100k_base':
      return (await import('js-tiktoken/ranks/cl100k_base')).default;
  }
}

const loaded = new Map<Encoding, Promise<Tokenizer>>();

/** Loads the rank table of the encoding on its first use; later calls give the same tokenizer. */
export function loadTokenizer(encoding: Encoding): Promise<Tokenizer> {
  const known = loaded.get(encoding);
  if (known !== undefined) {
    return known;
  }
  const loading = loadRanks(encoding).then(ranks => createBytePairTokenizer(encoding, ranks));
  loaded.set(encoding, loading);
  return loading;
}
