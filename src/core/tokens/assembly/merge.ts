// AssemblyScript: byte pair encoding of one piece, without creating its tokens. The pair that merges next is the one
// with the smallest word: the lowest rank, the leftmost among equals.
import { growTo } from '../../base/assembly/memory';
import {
  longestScanned,
  places,
  queues,
  scannedBefores,
  scannedEnds,
  scannedTokens,
  scannedWords,
  slack,
  tokenNumbers,
  waitingTokens,
} from './memory';
import { bytePairWord, noPair, noToken, pairWord } from './vocabulary';

/** The smallest of four words. */
function smallest(words: v128): u32 {
  const both = v128.min<u32>(words, v128.shuffle<u32>(words, words, 2, 3, 0, 1));
  return min(v128.extract_lane<u32>(both, 0), v128.extract_lane<u32>(both, 1));
}

/** Writes the tokens of the bytes, with a part on both sides that merges with nothing. */
function layTokens(start: usize, length: usize, into: usize): void {
  store<u32>(into - 4, noToken);
  for (let at: usize = 0; at < length; at += 16) {
    const bytes = v128.load(start + at);
    const low = v128.extend_low<u8>(bytes);
    const high = v128.extend_high<u8>(bytes);
    const tokens = into + (at << 2);
    v128.store(tokens, v128.extend_low<u16>(low));
    v128.store(tokens, v128.extend_high<u16>(low), 16);
    v128.store(tokens, v128.extend_low<u16>(high), 32);
    v128.store(tokens, v128.extend_high<u16>(high), 48);
  }
  store<u32>(into + (length << 2), noToken);
}

/** The words of the pairs at four places of a piece; `noPair` from the last byte on. */
function wordsAt(start: usize, four: v128, last: v128): v128 {
  const words = i32x4(
    bytePairWord(start),
    bytePairWord(start + 1),
    bytePairWord(start + 2),
    bytePairWord(start + 3),
  );
  return v128.or(v128.or(words, four), v128.ge<i32>(four, last));
}

/** Four words after a merge: those at `place` and `before` are new, the one at `right` is removed. */
function renewed(
  words: v128,
  four: v128,
  place: v128,
  here: v128,
  before: v128,
  there: v128,
  right: v128,
): v128 {
  const cleared = v128.or(words, i32x4.eq(four, right));
  return v128.bitselect(here, v128.bitselect(there, cleared, i32x4.eq(four, before)), i32x4.eq(four, place));
}

// The state of a short piece: its 16 words, the tokens of its parts, a bit for each place where a part begins, the
// number of parts, and the piece itself. A step mostly waits for memory, so several pieces are merged in turns.
const wordsOf: usize = 0;
const tokensOf: usize = 80;
const beginsOf: usize = 144;
const partsOf: usize = 148;
const startOf: usize = 152;
const lengthOf: usize = 156;

/** Starts a piece of 2 to 15 bytes. */
export function beginMerging(piece: usize, start: usize, length: usize): void {
  const last = i32x4.splat(<i32>length - 1);
  v128.store(piece + wordsOf, wordsAt(start, i32x4(0, 1, 2, 3), last));
  v128.store(piece + wordsOf, wordsAt(start + 4, i32x4(4, 5, 6, 7), last), 16);
  v128.store(piece + wordsOf, wordsAt(start + 8, i32x4(8, 9, 10, 11), last), 32);
  v128.store(piece + wordsOf, wordsAt(start + 12, i32x4(12, 13, 14, 15), last), 48);
  layTokens(start, length, piece + tokensOf);
  store<u32>(piece + beginsOf, (2 << (<u32>length)) - 1);
  store<u32>(piece + partsOf, <u32>length);
  store<u32>(piece + startOf, <u32>start);
  store<u32>(piece + lengthOf, <u32>length);
}

/** Merges one pair of a piece, if there is one. */
export function mergeOnce(piece: usize): bool {
  const words0 = v128.load(piece + wordsOf);
  const words1 = v128.load(piece + wordsOf, 16);
  const words2 = v128.load(piece + wordsOf, 32);
  const words3 = v128.load(piece + wordsOf, 48);
  const word = smallest(v128.min<u32>(v128.min<u32>(words0, words1), v128.min<u32>(words2, words3)));
  if (word >= noPair) {
    return false;
  }
  const token = word >>> 8;
  const place = word & 0xff;
  const begins = load<u32>(piece + beginsOf);
  const following = begins & (0xfffffffe << place);
  const right = ctz(following);
  const after = ctz(following & (following - 1));
  // Before the first part this is -1, a place at which no pair merges.
  const before = 31 - clz(begins & ((1 << place) - 1));
  const tokens = piece + tokensOf;
  const here = pairWord(token, load<u32>(tokens + (after << 2))) | place;
  const there = pairWord(load<u32>(tokens + (before << 2)), token) | before;
  store<u32>(tokens + (place << 2), token);
  store<u32>(piece + beginsOf, begins ^ (1 << right));
  store<u32>(piece + partsOf, load<u32>(piece + partsOf) - 1);
  const places = i32x4.splat(place);
  const befores = i32x4.splat(before);
  const rights = i32x4.splat(right);
  const heres = i32x4.splat(here);
  const theres = i32x4.splat(there);
  v128.store(piece + wordsOf, renewed(words0, i32x4(0, 1, 2, 3), places, heres, befores, theres, rights));
  v128.store(piece + wordsOf, renewed(words1, i32x4(4, 5, 6, 7), places, heres, befores, theres, rights), 16);
  v128.store(
    piece + wordsOf,
    renewed(words2, i32x4(8, 9, 10, 11), places, heres, befores, theres, rights),
    32,
  );
  v128.store(
    piece + wordsOf,
    renewed(words3, i32x4(12, 13, 14, 15), places, heres, befores, theres, rights),
    48,
  );
  return true;
}

export function mergedStart(piece: usize): usize {
  return <usize>load<u32>(piece + startOf);
}

export function mergedLength(piece: usize): usize {
  return <usize>load<u32>(piece + lengthOf);
}

/** Number of tokens, once nothing merges. */
export function mergedParts(piece: usize): u32 {
  return load<u32>(piece + partsOf);
}

/** Number of tokens of a piece of 2 to `longestScanned` bytes; its words are compared four at a time. */
function mergeByScanning(start: usize, length: usize): u32 {
  const wordsEnd = scannedWords + (length << 2);
  for (let at: usize = 0; at < length; at += 16) {
    v128.store(scannedEnds + at, v128.load(places + 1 + at));
    v128.store(scannedBefores + at, v128.load(places - 1 + at));
  }
  for (let at: usize = 0; at + 1 < length; at++) {
    store<u32>(scannedWords + (at << 2), bytePairWord(start + at) | <u32>at);
  }
  v128.store(wordsEnd - 4, i32x4.splat(-1));
  layTokens(start, length, scannedTokens);
  let parts = <u32>length;
  while (true) {
    let lowest = v128.load(scannedWords);
    for (let words = scannedWords + 16; words < wordsEnd; words += 16) {
      lowest = v128.min<u32>(lowest, v128.load(words));
    }
    const word = smallest(lowest);
    if (word >= noPair) {
      return parts;
    }
    parts--;
    const token = word >>> 8;
    const place = <usize>(word & 0xff);
    const right = <usize>load<u8>(scannedEnds + place);
    const after = <usize>load<u8>(scannedEnds + right);
    store<u8>(scannedEnds + place, <u8>after);
    store<u8>(scannedBefores + after, <u8>place);
    store<u32>(scannedTokens + (place << 2), token);
    store<u32>(scannedWords + (right << 2), noPair);
    const here = pairWord(token, load<u32>(scannedTokens + (after << 2)));
    store<u32>(scannedWords + (place << 2), here | <u32>place);
    if (place > 0) {
      const before = <usize>load<u8>(scannedBefores + place);
      const there = pairWord(load<u32>(scannedTokens + (before << 2)), token);
      store<u32>(scannedWords + (before << 2), there | <u32>before);
    }
  }
}

// The state of a part: the next and the previous part, its token, and the token that it makes with the next part.
const partSize: usize = 16;
const behindOf: usize = 0;
const beforeOf: usize = 4;
const tokenOf: usize = 8;
const madeOf: usize = 12;
const nothing: u32 = noPair >>> 8;

// An entry of a queue: a part that made the queue's token with the next part when it was added, and the next entry.
const entrySize: usize = 8;
const nextOf: usize = 4;

/** Adds a part to the queue of the token that it makes, using a free entry. */
function enter(part: usize, made: u32, entry: usize): void {
  const queue = queues + ((<usize>made) << 3);
  store<u64>(entry, part);
  if (load<u32>(queue) === 0) {
    const waiting = waitingTokens + ((<usize>made >>> 6) << 3);
    store<u64>(waiting, load<u64>(waiting) | ((<u64>1) << (made & 63)));
    store<u32>(queue, <u32>entry);
  } else {
    store<u32>(<usize>load<u32>(queue, 4), <u32>entry, nextOf);
  }
  store<u32>(queue, <u32>entry, 4);
}

// The first free entry, and how many parts have merged with the one before them.
let freeEntries: usize = 0;
let mergedAway: u32 = 0;

/** Makes a token at every place in its queue. */
function makeAll(token: u32): void {
  const queue = queues + ((<usize>token) << 3);
  let next = <usize>load<u32>(queue);
  store<u32>(queue, 0);
  while (next !== 0) {
    const entry = next;
    const part = <usize>load<u32>(entry);
    next = <usize>load<u32>(entry, nextOf);
    if (load<u32>(part, madeOf) !== token) {
      continue; // a part of this pair has merged with another in the meantime
    }
    const right = <usize>load<u32>(part, behindOf);
    const behind = <usize>load<u32>(right, behindOf);
    const before = <usize>load<u32>(part, beforeOf);
    store<u32>(right, nothing, madeOf);
    store<u32>(part, <u32>behind, behindOf);
    store<u32>(part, token, tokenOf);
    store<u32>(behind, <u32>part, beforeOf);
    mergedAway++;
    const here = pairWord(token, load<u32>(behind, tokenOf)) >>> 8;
    const there = pairWord(load<u32>(before, tokenOf), token) >>> 8;
    store<u32>(part, here, madeOf);
    store<u32>(before, there, madeOf);
    if (here !== nothing) {
      enter(part, here, entry);
    }
    if (there !== nothing) {
      enter(before, there, freeEntries);
      freeEntries += entrySize;
    }
  }
}

/**
 * Number of tokens of a piece of any length, in linear time: token by token, each wherever it can be made, from left to
 * right. A pair makes a token with a higher number than its two, so no queue grows once its turn has come. All pairs of
 * a queue arise while the later of their two tokens is made, so they are added from left to right. The memory after the
 * text is used for a part for each byte, one more at each end that merges with nothing, and two entries for each byte.
 */
function mergeByQueues(start: usize, length: usize, textEnd: usize): u32 {
  const parts = ((textEnd + slack) & ~(<usize>15)) + partSize;
  const end = parts + partSize * length;
  freeEntries = end + partSize;
  growTo(freeEntries + 2 * entrySize * length + slack);
  store<u32>(parts - partSize, noToken, tokenOf);
  store<u32>(end, noToken, tokenOf);
  let part = parts;
  for (let at: usize = 0; at < length; at++) {
    const made = at + 1 < length ? bytePairWord(start + at) >>> 8 : nothing;
    store<u32>(part, <u32>(part + partSize), behindOf);
    store<u32>(part, <u32>(part - partSize), beforeOf);
    store<u32>(part, <u32>load<u8>(start + at), tokenOf);
    store<u32>(part, made, madeOf);
    if (made !== nothing) {
      enter(part, made, freeEntries);
      freeEntries += entrySize;
    }
    part += partSize;
  }
  mergedAway = 0;
  for (let word: usize = 0; word < tokenNumbers >>> 6; word++) {
    const waiting = waitingTokens + (word << 3);
    for (let tokens = load<u64>(waiting); tokens !== 0; tokens = load<u64>(waiting)) {
      store<u64>(waiting, tokens & (tokens - 1));
      makeAll(<u32>((word << 6) | <usize>ctz<u64>(tokens)));
    }
  }
  return <u32>length - mergedAway;
}

/**
 * Number of tokens of a piece of two or more bytes, which ends before `textEnd`; the memory after that is overwritten.
 */
export function mergeLong(start: usize, length: usize, textEnd: usize): u32 {
  return length <= longestScanned ? mergeByScanning(start, length) : mergeByQueues(start, length, textEnd);
}
