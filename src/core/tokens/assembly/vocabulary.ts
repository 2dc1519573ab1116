// AssemblyScript: the tokens as pairs of tokens that merge. Every token of more than one byte is made by one pair, so
// no other pair with the same bytes is needed. The number of a token is its rank; the number of a one-byte token is its
// byte. A pair is represented by a word with the number of the resulting token in the upper 24 bits, so the smallest
// word merges first. The lower 8 bits are free for a place.
import { bucketBits, bytePairs, displacements, pairBits, pairs } from './memory';

/** The smallest word that represents no pair. */
export const noPair: u32 = 0xffffff00;
/** A part that merges with nothing. */
export const noToken: u32 = 0x3ffff;
const firstPair: u32 = 256;

function pairKey(left: u32, right: u32): u64 {
  return ((<u64>left) << 18) | right;
}

/** A perfect hash: scripts/lib/packVocabulary.mjs finds displacements that give every pair its own slot. */
function slotOf(key: u64): usize {
  const hash = key * 0x9e3779b97f4a7c15;
  const displacement: u32 = load<u8>(displacements + <usize>(hash >>> (64 - <u64>bucketBits)));
  const slot = ((<u32>(hash >>> 16) + displacement) * 0x9e3779b1) >>> (32 - <u32>pairBits);
  return pairs + ((<usize>slot) << 3);
}

/** The word of the pair of two tokens. */
export function pairWord(left: u32, right: u32): u32 {
  const key = pairKey(left, right);
  const there = load<u64>(slotOf(key));
  return select<u32>((<u32>there) << 8, noPair, there >>> 28 === key);
}

/** The word of the pair of the two bytes here. */
export function bytePairWord(at: usize): u32 {
  return load<u32>(bytePairs + ((<usize>load<u16>(at)) << 2));
}

/**
 * Reads a vocabulary: the number of pairs (4 bytes); then, for all pairs in the order of their tokens, the lower 16
 * bits of the left token, those of the right one, and the upper 4 bits of both (left ones low); then the displacements.
 */
export function readVocabulary(start: usize): void {
  const count = load<u32>(start);
  const lefts = start + 4;
  const rights = lefts + 2 * <usize>count;
  const uppers = rights + 2 * <usize>count;
  memory.copy(displacements, uppers + count, 1 << bucketBits);
  memory.fill(bytePairs, 0xff, 4 * 0x10000);
  for (let pair: u32 = 0; pair < count; pair++) {
    const upper: u32 = load<u8>(uppers + pair);
    const left = <u32>load<u16>(lefts + 2 * pair) | ((upper & 15) << 16);
    const right = <u32>load<u16>(rights + 2 * pair) | ((upper >>> 4) << 16);
    const token = firstPair + pair;
    if (left < firstPair && right < firstPair) {
      store<u32>(bytePairs + ((left | (right << 8)) << 2), token << 8);
    } else {
      const key = pairKey(left, right);
      store<u64>(slotOf(key), (key << 28) | token);
    }
  }
}
