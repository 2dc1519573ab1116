/**
 * The byte sequences of a vocabulary and their ranks, decoded from js-tiktoken's rank string: `! <first rank>`, then
 * the tokens in base64, separated by spaces. Bytes lie in one arena and are found through an open-addressed table.
 */
export interface RankTable {
  /** Bytes of the longest token. */
  readonly longest: number;
  /** Rank of the token that is exactly bytes[start, end), or -1. */
  rankOf(bytes: Uint8Array, start: number, end: number): number;
}

const space = 32;
const equals = 61;

const base64Letters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/';
const sextets = new Uint8Array(128);
for (let value = 0; value < base64Letters.length; value++) {
  sextets[base64Letters.charCodeAt(value)] = value;
}

function hashOf(bytes: Uint8Array, start: number, end: number): number {
  let hash = end - start;
  for (let at = start; at < end; at++) {
    hash = Math.imul(hash ^ (bytes[at] ?? 0), 0x01000193);
  }
  return hash ^ (hash >>> 15);
}

/** @throws Error when the string is not one run of ranks. */
export function decodeRankTable(ranks: string): RankTable {
  const header = /^! (\d+) /.exec(ranks);
  if (header === null || ranks.includes('\n')) {
    throw new Error('unknown form of rank table');
  }
  const firstRank = Number(header[1]);
  const arena = new Uint8Array(ranks.length);
  const starts: number[] = [];
  let written = 0;
  let longest = 0;
  let bits = 0;
  let pending = 0;
  let start = 0;
  for (let at = header[0].length; at <= ranks.length; at++) {
    const letter = at < ranks.length ? ranks.charCodeAt(at) : space;
    if (letter === space) {
      starts.push(start);
      longest = Math.max(longest, written - start);
      start = written;
      pending = 0;
    } else if (letter !== equals) {
      bits = (bits << 6) | (sextets[letter] ?? 0);
      pending += 6;
      if (pending >= 8) {
        pending -= 8;
        arena[written++] = bits >>> pending;
      }
    }
  }
  const tokens = starts.length;
  const ends = Uint32Array.from(starts, (_, token) => starts[token + 1] ?? written);
  const offsets = Uint32Array.from(starts);

  const size = 2 ** Math.ceil(Math.log2(tokens * 2));
  const mask = size - 1;
  const slots = new Int32Array(size).fill(-1);
  for (let token = 0; token < tokens; token++) {
    let slot = hashOf(arena, offsets[token] ?? 0, ends[token] ?? 0) & mask;
    while (slots[slot] !== -1) {
      slot = (slot + 1) & mask;
    }
    slots[slot] = token;
  }

  function equalsToken(token: number, bytes: Uint8Array, from: number, length: number): boolean {
    const offset = offsets[token] ?? 0;
    if ((ends[token] ?? 0) - offset !== length) {
      return false;
    }
    for (let at = 0; at < length; at++) {
      if (arena[offset + at] !== bytes[from + at]) {
        return false;
      }
    }
    return true;
  }

  return {
    longest,
    rankOf(bytes, from, to) {
      const length = to - from;
      if (length > longest) {
        return -1;
      }
      let slot = hashOf(bytes, from, to) & mask;
      for (;;) {
        const token = slots[slot] ?? -1;
        if (token === -1) {
          return -1;
        }
        if (equalsToken(token, bytes, from, length)) {
          return firstRank + token;
        }
        slot = (slot + 1) & mask;
      }
    },
  };
}
