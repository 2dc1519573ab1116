// AssemblyScript: remembers the number of tokens of pieces by their bytes, because most pieces of a text have occurred
// before. Tokens of the vocabulary are learnt like all others, so these tables contain only pieces that occur in the
// texts.
import {
  foundPieces,
  keyMasks,
  longPieceBits,
  longPieces,
  merging,
  mergingSize,
  mostMerging,
  newPieces,
  shortPieceBits,
  shortPieces,
} from './memory';
import { beginMerging, mergedLength, mergedParts, mergedStart, mergeLong, mergeOnce } from './merge';

const longestShort: usize = 15;
const longestRemembered: usize = 30;
/** The bits of the upper half of a short piece's slot that are not its number of tokens. */
const keyBits: u64 = 0xf0ffffffffffffff;
const countShift: u64 = 56;
const lengthShift: u64 = 60;

/** The first `length` bytes here, then zeros. */
function keyAt(start: usize, length: usize): v128 {
  return v128.and(v128.load(start), v128.load(keyMasks + (length << 4)));
}

function hashOf(low: u64, high: u64): u64 {
  return (low * 0x9e3779b97f4a7c15) ^ (high * 0xc2b2ae3d27d4eb4f);
}

function setOf(low: u64, high: u64): usize {
  return shortPieces + ((<usize>(hashOf(low, high) >>> (64 - <u64>shortPieceBits))) << 5);
}

/** Number of tokens of a piece of up to 15 bytes; 0 if it is not among the last ones learnt. */
function knownShort(start: usize, length: usize): u32 {
  const key = keyAt(start, length);
  const low = v128.extract_lane<u64>(key, 0);
  const high = v128.extract_lane<u64>(key, 1) | ((<u64>length) << lengthShift);
  const set = setOf(low, high);
  const there = load<u64>(set, 8);
  return load<u64>(set) === low && (there & keyBits) === high ? <u32>(there >>> countShift) & 15 : 0;
}

/** Remembers the number of tokens of a piece of up to 15 bytes. */
function learnShort(start: usize, length: usize, count: u32): void {
  const key = keyAt(start, length);
  const low = v128.extract_lane<u64>(key, 0);
  const high = v128.extract_lane<u64>(key, 1) | ((<u64>length) << lengthShift);
  const set = setOf(low, high);
  v128.store(set, v128.load(set), 16);
  store<u64>(set, low);
  store<u64>(set, high | ((<u64>count) << countShift), 8);
}

/** Number of tokens of a piece of more than 15 bytes. */
function countLongPiece(start: usize, length: usize, textEnd: usize): u32 {
  if (length > longestRemembered) {
    return mergeLong(start, length, textEnd);
  }
  const first = v128.load(start);
  const second = i8x16.replace_lane(keyAt(start + 16, length - 16), 14, <i8>length);
  const hash = hashOf(
    v128.extract_lane<u64>(first, 0) ^ rotl<u64>(v128.extract_lane<u64>(second, 0), 32),
    v128.extract_lane<u64>(first, 1) ^ rotl<u64>(v128.extract_lane<u64>(second, 1), 32),
  );
  const slot = longPieces + ((<usize>(hash >>> (64 - <u64>longPieceBits))) << 5);
  const there = v128.load(slot, 16);
  const sameFirst = i8x16.eq(first, v128.load(slot));
  const sameSecond = i8x16.eq(second, i8x16.replace_lane(there, 15, 0));
  if (i8x16.all_true(v128.and(sameFirst, sameSecond))) {
    return <u32>i8x16.extract_lane_u(there, 15);
  }
  const count = mergeLong(start, length, textEnd);
  v128.store(slot, first);
  v128.store(slot, i8x16.replace_lane(second, 15, <i8>count), 16);
  return count;
}

/**
 * Number of tokens of the pieces whose ends `findPieces` has written, up to `found`. The first pass has no branches, so
 * many look-ups overlap; pieces it does not know are counted in the second.
 */
export function countFound(from: usize, found: usize, textEnd: usize): u32 {
  let tokens: u32 = 0;
  let start = from;
  let unknown = newPieces;
  for (let piece = foundPieces; piece < found; piece += 4) {
    const end = <usize>load<u32>(piece);
    const length = end - start;
    // A longer piece looks like a free slot, which counts as 0 tokens.
    const keyLength = min(length, longestShort + 1);
    const key = keyAt(start, keyLength);
    const low = v128.extract_lane<u64>(key, 0);
    const high = v128.extract_lane<u64>(key, 1) | ((<u64>keyLength) << lengthShift);
    const set = setOf(low, high);
    const first = load<u64>(set, 8);
    const second = load<u64>(set, 24);
    const isFirst = ((load<u64>(set) ^ low) | ((first ^ high) & keyBits)) === 0;
    const isSecond = ((load<u64>(set, 16) ^ low) | ((second ^ high) & keyBits)) === 0;
    const known = select<u64>(first, select<u64>(second, 0, isSecond), isFirst);
    const count = <u32>(known >>> countShift) & 15;
    tokens += count;
    store<u32>(unknown, <u32>length);
    store<u32>(unknown, <u32>start, 4);
    unknown += (<usize>(count === 0)) << 3;
    start = end;
  }
  return tokens + countNew(unknown, textEnd);
}

// The pieces in `newPieces` that are still to be counted, and the tokens of those that have been.
let nextNew: usize = 0;
let newEnd: usize = 0;
let newTokens: u32 = 0;

/** Starts the next piece that is merged in turns, after counting those before it; false at the end. */
function beginNext(place: usize, textEnd: usize): bool {
  while (nextNew < newEnd) {
    const length = <usize>load<u32>(nextNew);
    const start = <usize>load<u32>(nextNew, 4);
    nextNew += 8;
    if (length > longestShort) {
      newTokens += countLongPiece(start, length, textEnd);
      continue;
    }
    // The piece may have been learnt since the look-up.
    const known = knownShort(start, length);
    newTokens += known;
    if (known === 0) {
      if (length > 1) {
        beginMerging(place, start, length);
        return true;
      }
      learnShort(start, 1, 1);
      newTokens++;
    }
  }
  return false;
}

/** Number of tokens of the pieces in `newPieces`, each of which is merged and learnt. */
function countNew(end: usize, textEnd: usize): u32 {
  nextNew = newPieces;
  newEnd = end;
  newTokens = 0;
  let under: usize = 0;
  while (under < mostMerging && beginNext(merging + under * mergingSize, textEnd)) {
    under++;
  }
  while (under > 0) {
    for (let number: usize = 0; number < under;) {
      const place = merging + number * mergingSize;
      if (mergeOnce(place)) {
        number++;
        continue;
      }
      const count = mergedParts(place);
      newTokens += count;
      learnShort(mergedStart(place), mergedLength(place), count);
      if (!beginNext(place, textEnd)) {
        under--;
        memory.copy(place, merging + under * mergingSize, mergingSize);
      }
    }
  }
  return newTokens;
}
