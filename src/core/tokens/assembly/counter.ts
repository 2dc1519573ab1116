// AssemblyScript, compiled to WebAssembly by scripts/lib/tokenizerPlugin.mjs. Counts the tokens of UTF-8 text without
// making them: pieces are found byte by byte, looked up by their bytes, and merged only where they are no token.
// JavaScript lays the vocabulary into the memory and calls `prepare` once, then each text and `count`.

/** Fills the classes of one page of code points. Page 0 is filled before anything is counted. */
declare function classify(page: u32): void;

// Classes of a code point, one byte each; 0 says that its page has not been filled.
const other: u32 = 1;
const upper: u32 = 2;
const lower: u32 = 3;
/** Letters that have no case. */
const caseless: u32 = 4;
const mark: u32 = 5;
const numeral: u32 = 6;
const blank: u32 = 7;
const lineEnd: u32 = 8;

const apostrophe: u32 = 0x27;
const slash: u32 = 0x2f;
const space: u32 = 0x20;

// The memory, in this order; JavaScript relies on the exported addresses only.
const codePoints: usize = 0x110000;
const pageBits: u32 = 7;
/** What reading 16 bytes at any place of a region may run over. */
const slack: usize = 64;

export const classes: usize = 1024;
/** For keys of 0 to 12 bytes: 16 bytes whose first ones are set. */
const keyMasks: usize = classes + codePoints;
/** Rank + 1 of every token of two bytes, by those bytes; 0 for none. */
const pairRanks: usize = keyMasks + 256;
/** Tokens up to 12 bytes: key (12 bytes), then length (4 bits) and rank (28 bits). Length 0 is a free slot. */
const shortTokens: usize = pairRanks + 4 * 0x10000;
const shortBits: usize = 19;
/** Longer tokens: hash, address, length, rank. Length 0 is a free slot. */
const longTokens: usize = shortTokens + (16 << shortBits);
const longBits: usize = 16;
/** Pieces up to 12 bytes that are no token: key, then length (4 bits) and number of tokens. A newer one replaces an older one. */
const shortPieces: usize = longTokens + (16 << longBits);
const shortPieceBits: usize = 17;
/** Pieces of 13 to 28 bytes: key (28 bytes), then length (8 bits) and number of tokens. */
const longPieces: usize = shortPieces + (16 << shortPieceBits);
const longPieceBits: usize = 14;
/** Of a piece that is merged by scanning, for each byte where a part begins: the pair there, the next part, the part before. */
const longestScanned: usize = 240;
const scannedWords: usize = longPieces + (32 << longPieceBits);
const scannedEnds: usize = scannedWords + 4 * longestScanned + slack;
const scannedBefores: usize = scannedEnds + longestScanned + slack;
/** The numbers from 0 to 255, one byte each. */
const places: usize = scannedBefores + longestScanned + slack;
/** One bit, by the hash, for every short token: most pairs of parts are none, which is told here within the nearest cache. */
const tokenBits: usize = (places + 256 + slack + 63) & ~(<usize>63);
const tokenBitBits: usize = 21;
/** Number of tokens (4 bytes), the length of each (1 byte), then their bytes, in the order of their ranks. */
const vocabulary: usize = tokenBits + (1 << (tokenBitBits - 3));

const noRank: u32 = 0xffffffff;
/** Words from here on stand for no pair. */
const noPair: u32 = 0xffffff00;
const longestShort: usize = 12;
const longestRemembered: usize = 28;

/** Where texts are laid: behind the vocabulary. Until `prepare` has run, the place of the vocabulary itself. */
let textStart: usize = vocabulary;
let longestToken: usize = 0;
let isO200k: bool = false;

function grow(end: usize): void {
  const missing = <i32>((end + 0xffff) >>> 16) - memory.size();
  if (missing > 0 && memory.grow(missing) < 0) {
    unreachable();
  }
}

function keyHash(low: u64, high: u64): u64 {
  return (low * 0x9e3779b97f4a7c15) ^ (high * 0xc2b2ae3d27d4eb4f);
}

function bytesHash(start: usize, length: usize): u64 {
  let hash: u64 = length;
  let at = start;
  const end = start + length;
  for (; at + 8 <= end; at += 8) {
    hash = rotl<u64>((hash ^ load<u64>(at)) * 0x9e3779b97f4a7c15, 29);
  }
  for (; at < end; at++) {
    hash = (hash ^ load<u8>(at)) * 0xc2b2ae3d27d4eb4f;
  }
  return (hash ^ (hash >>> 32)) * 0x9e3779b97f4a7c15;
}

function equalBytes(first: usize, second: usize, length: usize): bool {
  let at: usize = 0;
  for (; at + 8 <= length; at += 8) {
    if (load<u64>(first + at) !== load<u64>(second + at)) {
      return false;
    }
  }
  for (; at < length; at++) {
    if (load<u8>(first + at) !== load<u8>(second + at)) {
      return false;
    }
  }
  return true;
}

/** Slot of the short token that has this key, or the free slot where it belongs. `high` holds the length in bits 32 to 35. */
function shortSlot(low: u64, high: u64): usize {
  let index = <usize>(keyHash(low, high) >>> (<u64>(64 - shortBits)));
  while (true) {
    const slot = shortTokens + (index << 4);
    const there = load<u64>(slot, 8);
    if ((load<u64>(slot) === low && (there & 0xfffffffff) === high) || there === 0) {
      return slot;
    }
    index = (index + 1) & ((1 << shortBits) - 1);
  }
}

function longSlot(start: usize, length: usize): usize {
  const hash = bytesHash(start, length);
  let index = <usize>(hash >>> (<u64>(64 - longBits)));
  while (true) {
    const slot = longTokens + (index << 4);
    const there = load<u32>(slot, 8);
    if (
      there === 0 ||
      (there === <u32>length &&
        load<u32>(slot) === <u32>hash &&
        equalBytes(load<u32>(slot, 4), start, length))
    ) {
      return slot;
    }
    index = (index + 1) & ((1 << longBits) - 1);
  }
}

function rankOfLong(start: usize, length: usize): u32 {
  if (length > longestToken) {
    return noRank;
  }
  const slot = longSlot(start, length);
  return load<u32>(slot, 8) === 0 ? noRank : load<u32>(slot, 12);
}

/** Rank of the token that is exactly these bytes; at least two. */
function rankOf(start: usize, length: usize): u32 {
  if (length === 2) {
    return load<u32>(pairRanks + ((<usize>load<u16>(start)) << 2)) - 1;
  }
  if (length > longestShort) {
    return rankOfLong(start, length);
  }
  const key = v128.and(v128.load(start), v128.load(keyMasks + (length << 4)));
  const low = v128.extract_lane<u64>(key, 0);
  const high = v128.extract_lane<u64>(key, 1) | ((<u64>length) << 32);
  const bit = <u32>(keyHash(low, high) >>> (<u64>(64 - tokenBitBits)));
  if ((((<u32>load<u8>(tokenBits + (bit >>> 3))) >>> (bit & 7)) & 1) === 0) {
    return noRank;
  }
  const slot = shortSlot(low, high);
  const there = load<u64>(slot, 8);
  return there === 0 ? noRank : <u32>(there >>> 36);
}

/** Takes in the vocabulary of this many bytes that has been laid where `reserve` said; whether it is o200k's or cl100k's. */
export function prepare(vocabularyLength: usize, o200k: bool): void {
  isO200k = o200k;
  for (let length: usize = 0; length <= longestShort; length++) {
    for (let at: usize = 0; at < length; at++) {
      store<u8>(keyMasks + (length << 4) + at, 0xff);
    }
  }
  for (let place: usize = 0; place < 256; place++) {
    store<u8>(places + place, <u8>place);
  }
  const tokens: u32 = load<u32>(vocabulary);
  let bytes = vocabulary + 4 + tokens;
  for (let rank: u32 = 0; rank < tokens; rank++) {
    const length = <usize>load<u8>(vocabulary + 4 + rank);
    if (length === 2) {
      store<u32>(pairRanks + ((<usize>load<u16>(bytes)) << 2), rank + 1);
    }
    if (length <= longestShort) {
      const key = v128.and(v128.load(bytes), v128.load(keyMasks + (length << 4)));
      const low = v128.extract_lane<u64>(key, 0);
      const high = v128.extract_lane<u64>(key, 1) | ((<u64>length) << 32);
      const bit = <u32>(keyHash(low, high) >>> (<u64>(64 - tokenBitBits)));
      const bits = tokenBits + (bit >>> 3);
      store<u8>(bits, <u8>((<u32>load<u8>(bits)) | (1 << (bit & 7))));
      const slot = shortSlot(low, high);
      store<u64>(slot, low);
      store<u64>(slot, high | ((<u64>rank) << 36), 8);
    } else {
      longestToken = max(longestToken, length);
      const slot = longSlot(bytes, length);
      store<u32>(slot, <u32>bytesHash(bytes, length));
      store<u32>(slot, <u32>bytes, 4);
      store<u32>(slot, <u32>length, 8);
      store<u32>(slot, rank, 12);
    }
    bytes += length;
  }
  textStart = (vocabulary + vocabularyLength + slack) & ~(<usize>15);
}

/** Makes room for a text of this many bytes; returns where it is to be laid. What lies there stays. */
export function reserve(length: usize): usize {
  grow(textStart + length + slack);
  return textStart;
}

/** What stands for the pair that begins at a place: without a rank it is greater than every pair that has one. */
function pairWord(rank: u32, place: usize): u32 {
  return (rank << 8) | (<u32>place);
}

/**
 * Number of tokens of a piece of 2 to `longestScanned` bytes. The smallest word, four looked at at a time, is the pair
 * that merges next: the lowest rank, the leftmost among equals.
 */
function mergeByScanning(start: usize, length: usize): u32 {
  const wordsEnd = scannedWords + (length << 2);
  for (let at: usize = 0; at < length; at += 16) {
    v128.store(scannedEnds + at, v128.load(places + 1 + at));
    v128.store(scannedBefores + at, v128.load(places - 1 + at));
  }
  for (let at: usize = 0; at + 1 < length; at++) {
    store<u32>(
      scannedWords + (at << 2),
      pairWord(load<u32>(pairRanks + ((<usize>load<u16>(start + at)) << 2)) - 1, at),
    );
  }
  v128.store(wordsEnd - 4, i32x4.splat(-1));
  let parts = <u32>length;
  while (true) {
    let lowest = v128.load(scannedWords);
    for (let words = scannedWords + 16; words < wordsEnd; words += 16) {
      lowest = v128.min<u32>(lowest, v128.load(words));
    }
    lowest = v128.min<u32>(lowest, v128.shuffle<u32>(lowest, lowest, 2, 3, 0, 1));
    const word = min(v128.extract_lane<u32>(lowest, 0), v128.extract_lane<u32>(lowest, 1));
    if (word >= noPair) {
      return parts;
    }
    parts--;
    const place = <usize>(word & 0xff);
    const right = <usize>load<u8>(scannedEnds + place);
    const after = <usize>load<u8>(scannedEnds + right);
    store<u8>(scannedEnds + place, <u8>after);
    store<u32>(scannedWords + (right << 2), noRank);
    let rank = noRank;
    if (after < length) {
      store<u8>(scannedBefores + after, <u8>place);
      rank = rankOf(start + place, <usize>load<u8>(scannedEnds + after) - place);
    }
    store<u32>(scannedWords + (place << 2), pairWord(rank, place));
    if (place > 0) {
      const before = <usize>load<u8>(scannedBefores + place);
      store<u32>(scannedWords + (before << 2), pairWord(rankOf(start + before, after - before), before));
    }
  }
}

// A binary heap of rank << 32 | place, smallest first, for pieces too long for scanning.
let heap: usize = 0;
let heapSize: usize = 0;

function siftDown(place: usize, item: u64): void {
  let at = place;
  while (true) {
    let child: usize = 2 * at + 1;
    if (child >= heapSize) {
      break;
    }
    if (child + 1 < heapSize && load<u64>(heap + (child << 3), 8) < load<u64>(heap + (child << 3))) {
      child++;
    }
    const below = load<u64>(heap + (child << 3));
    if (below >= item) {
      break;
    }
    store<u64>(heap + (at << 3), below);
    at = child;
  }
  store<u64>(heap + (at << 3), item);
}

function push(item: u64): void {
  let at = heapSize++;
  while (at > 0) {
    const parent = (at - 1) >>> 1;
    const above = load<u64>(heap + (parent << 3));
    if (above <= item) {
      break;
    }
    store<u64>(heap + (at << 3), above);
    at = parent;
  }
  store<u64>(heap + (at << 3), item);
}

/**
 * Number of tokens of a piece of any length, in n log n. Works behind the text: for each byte the end of the part that
 * begins there, the start of the part before and the rank of the pair, and a heap. Every merge takes one entry off the
 * heap and adds two at most, so that it never holds more than two for each byte.
 */
function mergeByHeap(start: usize, length: usize, textEnd: usize): u32 {
  const ends = (textEnd + slack) & ~(<usize>15);
  const befores = ends + 4 * length;
  const ranks = befores + 4 * length;
  heap = (ranks + 4 * length + 15) & ~(<usize>15);
  heapSize = 0;
  grow(heap + 16 * length + slack);
  for (let at: usize = 0; at < length; at++) {
    store<u32>(ends + (at << 2), <u32>(at + 1));
    store<u32>(befores + (at << 2), <u32>(at - 1));
    const rank = at + 1 < length ? load<u32>(pairRanks + ((<usize>load<u16>(start + at)) << 2)) - 1 : noRank;
    store<u32>(ranks + (at << 2), rank);
    if (rank !== noRank) {
      store<u64>(heap + (heapSize++ << 3), ((<u64>rank) << 32) | at);
    }
  }
  for (let at = heapSize >>> 1; at > 0; at--) {
    siftDown(at - 1, load<u64>(heap + ((at - 1) << 3)));
  }
  let parts: u32 = <u32>length;
  while (heapSize > 0) {
    const entry = load<u64>(heap);
    heapSize--;
    if (heapSize > 0) {
      siftDown(0, load<u64>(heap + (heapSize << 3)));
    }
    const left = <usize>(entry & 0xffffffff);
    if (load<u32>(ranks + (left << 2)) !== <u32>(entry >>> 32)) {
      continue; // a part of this pair has merged with another in the meantime
    }
    const right = <usize>load<u32>(ends + (left << 2));
    const after = <usize>load<u32>(ends + (right << 2));
    store<u32>(ends + (left << 2), <u32>after);
    store<u32>(ranks + (right << 2), noRank);
    parts--;
    let rank = noRank;
    if (after < length) {
      store<u32>(befores + (after << 2), <u32>left);
      rank = rankOf(start + left, <usize>load<u32>(ends + (after << 2)) - left);
      if (rank !== noRank) {
        push(((<u64>rank) << 32) | left);
      }
    }
    store<u32>(ranks + (left << 2), rank);
    if (left > 0) {
      const before = <usize>load<u32>(befores + (left << 2));
      rank = rankOf(start + before, after - before);
      store<u32>(ranks + (before << 2), rank);
      if (rank !== noRank) {
        push(((<u64>rank) << 32) | before);
      }
    }
  }
  return parts;
}

/** Number of tokens of a piece of up to 12 bytes that is no token. */
function countShortPiece(start: usize, length: usize, low: u64, high: u64): u32 {
  const slot = shortPieces + ((<usize>(keyHash(low, high) >>> (<u64>(64 - shortPieceBits)))) << 4);
  const there = load<u64>(slot, 8);
  if (load<u64>(slot) === low && (there & 0xfffffffff) === high) {
    return <u32>(there >>> 36);
  }
  const count = mergeByScanning(start, length);
  store<u64>(slot, low);
  store<u64>(slot, high | ((<u64>count) << 36), 8);
  return count;
}

function countUnremembered(start: usize, length: usize, textEnd: usize): u32 {
  if (rankOfLong(start, length) !== noRank) {
    return 1;
  }
  return length <= longestScanned ? mergeByScanning(start, length) : mergeByHeap(start, length, textEnd);
}

/** Number of tokens of a piece of more than 12 bytes. */
function countLongPiece(start: usize, length: usize, textEnd: usize): u32 {
  if (length > longestRemembered) {
    return countUnremembered(start, length, textEnd);
  }
  const slot = longPieces + ((<usize>(bytesHash(start, length) >>> (<u64>(64 - longPieceBits)))) << 5);
  if (load<u8>(slot, 28) === <u8>length && equalBytes(slot, start, length)) {
    return load<u8>(slot, 29);
  }
  const count = countUnremembered(start, length, textEnd);
  memory.copy(slot, start, length);
  store<u8>(slot, <u8>length, 28);
  store<u8>(slot, <u8>count, 29);
  return count;
}

// The pattern, by code points. Where one code point of ASCII decides, `pieceEnd` has done without these.

/** Bytes of the code point whose first byte this is. */
function sizeOf(first: u32): usize {
  return first < 0x80 ? 1 : first < 0xe0 ? 2 : first < 0xf0 ? 3 : 4;
}

/** Class of the code point here; 0 at the end of the text, which no class has. */
function classAt(at: usize, end: usize): u32 {
  if (at >= end) {
    return 0;
  }
  const first: u32 = load<u8>(at);
  let codePoint = first;
  if (first >= 0xf0) {
    codePoint =
      ((first & 7) << 18) |
      (((<u32>load<u8>(at, 1)) & 63) << 12) |
      (((<u32>load<u8>(at, 2)) & 63) << 6) |
      ((<u32>load<u8>(at, 3)) & 63);
  } else if (first >= 0xe0) {
    codePoint = ((first & 15) << 12) | (((<u32>load<u8>(at, 1)) & 63) << 6) | ((<u32>load<u8>(at, 2)) & 63);
  } else if (first >= 0x80) {
    codePoint = ((first & 31) << 6) | ((<u32>load<u8>(at, 1)) & 63);
  }
  const known: u32 = load<u8>(classes + codePoint);
  if (known !== 0) {
    return known;
  }
  classify(codePoint >>> pageBits);
  return load<u8>(classes + codePoint);
}

function isLetter(kind: u32): bool {
  return kind === lower || kind === upper || kind === caseless;
}

/** End of an English contraction (`'s`, `'LL`) that begins here, or `at`. */
function afterContraction(at: usize, end: usize): usize {
  if (at + 1 >= end || <u32>load<u8>(at) !== apostrophe) {
    return at;
  }
  const first = (<u32>load<u8>(at, 1)) | 0x20;
  if (first === 0x73 || first === 0x74 || first === 0x6d || first === 0x64) {
    return at + 2;
  }
  if (at + 2 >= end) {
    return at;
  }
  const second = (<u32>load<u8>(at, 2)) | 0x20;
  return (first === 0x72 && second === 0x65) ||
    (first === 0x76 && second === 0x65) ||
    (first === 0x6c && second === 0x6c)
    ? at + 3
    : at;
}

/** o200k: `[Lu Lt Lm Lo M]*[Ll Lm Lo M]+`, or 0. What the first class took is given back up to its last caseless one. */
function lowerWordEnd(start: usize, end: usize): usize {
  let at = start;
  let shared: usize = 0;
  let kind = classAt(at, end);
  while (kind === upper || kind === caseless || kind === mark) {
    at += sizeOf(load<u8>(at));
    if (kind !== upper) {
      shared = at;
    }
    kind = classAt(at, end);
  }
  if (kind !== lower) {
    return shared;
  }
  while (kind === lower || kind === caseless || kind === mark) {
    at += sizeOf(load<u8>(at));
    kind = classAt(at, end);
  }
  return at;
}

/** o200k: `[Lu Lt Lm Lo M]+` where `lowerWordEnd` found nothing, or 0. */
function upperWordEnd(start: usize, end: usize): usize {
  let at = start;
  while (classAt(at, end) === upper) {
    at += sizeOf(load<u8>(at));
  }
  return at > start ? at : 0;
}

/** End of the word that begins here, with the one character before it that both encodings allow, or 0. */
function wordEnd(start: usize, end: usize, kind: u32): usize {
  const inner = isLetter(kind) ? start : start + sizeOf(load<u8>(start));
  if (isO200k) {
    let word = lowerWordEnd(inner, end);
    if (word === 0 && kind === mark) {
      word = lowerWordEnd(start, end);
    }
    if (word === 0) {
      word = upperWordEnd(inner, end);
    }
    return word === 0 ? 0 : afterContraction(word, end);
  }
  let at = inner;
  while (isLetter(classAt(at, end))) {
    at += sizeOf(load<u8>(at));
  }
  return at > inner ? at : 0;
}

function numberEnd(start: usize, end: usize): usize {
  let at = start;
  for (let digits = 0; digits < 3 && classAt(at, end) === numeral; digits++) {
    at += sizeOf(load<u8>(at));
  }
  return at;
}

/** Line ends, and in o200k slashes, that follow signs. */
function afterSigns(start: usize, end: usize): usize {
  let at = start;
  for (; at < end; at++) {
    const byte: u32 = load<u8>(at);
    if (byte !== 10 && byte !== 13 && !(isO200k && byte === slash)) {
      break;
    }
  }
  return at;
}

function signsEnd(start: usize, end: usize): usize {
  let at = start;
  let kind = classAt(at, end);
  while (kind === other || kind === mark) {
    at += sizeOf(load<u8>(at));
    kind = classAt(at, end);
  }
  return afterSigns(at, end);
}

/** Up to the last line end; else all but the last blank, which goes with what follows; all at the end of the text. */
function blanksEnd(start: usize, end: usize): usize {
  let at = start;
  let last = start;
  let lines: usize = 0;
  let kind = classAt(at, end);
  while (kind === blank || kind === lineEnd) {
    last = at;
    at += sizeOf(load<u8>(at));
    if (kind === lineEnd) {
      lines = at;
    }
    kind = classAt(at, end);
  }
  return lines !== 0 ? lines : at >= end || last === start ? at : last;
}

/** End of the piece that begins here. */
function anyPieceEnd(start: usize, end: usize): usize {
  if (!isO200k) {
    const contraction = afterContraction(start, end);
    if (contraction > start) {
      return contraction;
    }
  }
  const kind = classAt(start, end);
  if (kind === numeral) {
    return numberEnd(start, end);
  }
  if (kind !== lineEnd) {
    const word = wordEnd(start, end, kind);
    if (word !== 0) {
      return word;
    }
  }
  if (kind === other || kind === mark) {
    return signsEnd(start, end);
  }
  if (<u32>load<u8>(start) === space) {
    const next = classAt(start + 1, end);
    if (next === other || next === mark) {
      return signsEnd(start + 1, end);
    }
  }
  return blanksEnd(start, end);
}

/** Number of tokens of the text of this many bytes, which is well-formed UTF-8. */
export function count(length: usize): u32 {
  const end = textStart + length;
  // No letter, digit or blank goes on behind the end.
  v128.store(end, i64x2.splat(0));
  const letterA = i8x16.splat(0x61);
  const letters = i8x16.splat(26);
  const caseBit = i8x16.splat(0x20);
  const o200k = isO200k;
  let tokens: u32 = 0;
  let start = textStart;
  while (start < end) {
    const first: u32 = load<u8>(start);
    let at: usize = 0;
    if (first < 0x80) {
      const kind: u32 = load<u8>(classes + first);
      const bytes = v128.load(start);
      const lowers = i8x16.bitmask(i8x16.lt_u(i8x16.sub(bytes, letterA), letters));
      const all = i8x16.bitmask(i8x16.lt_u(i8x16.sub(v128.or(bytes, caseBit), letterA), letters));
      const before = <i32>(kind !== lower && kind !== upper);
      const word = all >>> before;
      if ((word & 1) !== 0 && kind !== numeral && kind !== lineEnd) {
        let size = before;
        if (o200k) {
          const uppers = ctz<i32>(~(word & ~(lowers >>> before)));
          size += uppers + ctz<i32>(~(lowers >>> (before + uppers)));
        } else {
          size += ctz<i32>(~word);
        }
        if (size < 16) {
          const next: u32 = load<u8>(start + size);
          if (next < 0x80 && (o200k ? next !== apostrophe : first !== apostrophe)) {
            at = start + size;
          }
        }
      } else if (kind === numeral) {
        at = start + 1;
        if (<u32>load<u8>(classes + <usize>load<u8>(at)) === numeral) {
          at++;
          if (<u32>load<u8>(classes + <usize>load<u8>(at)) === numeral) {
            at++;
          }
        }
        if (at < start + 3 && <u32>load<u8>(at) >= 0x80) {
          at = 0;
        }
      } else if (
        kind === other ||
        (first === space && <u32>load<u8>(classes + <usize>load<u8>(start, 1)) === other)
      ) {
        at = start + 1;
        let next: u32 = load<u8>(at);
        while (<u32>load<u8>(classes + next) === other && next < 0x80 && at < end) {
          next = load<u8>(++at);
        }
        at = next >= 0x80 && at < end ? 0 : afterSigns(min(at, end), end);
      } else {
        at = blanksEndOfAscii(start, end);
      }
    }
    if (at === 0) {
      at = anyPieceEnd(start, end);
    }
    const size = at - start;
    if (size <= longestShort) {
      const key = v128.and(v128.load(start), v128.load(keyMasks + (size << 4)));
      const low = v128.extract_lane<u64>(key, 0);
      const high = v128.extract_lane<u64>(key, 1) | ((<u64>size) << 32);
      tokens += load<u64>(shortSlot(low, high), 8) !== 0 ? 1 : countShortPiece(start, size, low, high);
    } else {
      tokens += countLongPiece(start, size, end);
    }
    start = at;
  }
  return tokens;
}

/** As `blanksEnd`, or 0 where a code point beyond ASCII may go on. */
function blanksEndOfAscii(start: usize, end: usize): usize {
  let at = start;
  let lines: usize = 0;
  let byte: u32 = load<u8>(at);
  while (true) {
    if (byte === space || byte === 9) {
      at++;
    } else if (byte === 10 || byte === 13) {
      lines = ++at;
    } else if (byte === 11 || byte === 12) {
      at++;
    } else {
      break;
    }
    byte = load<u8>(at);
  }
  if (byte >= 0x80 && at < end) {
    return 0;
  }
  return lines !== 0 ? lines : at >= end || at === start + 1 ? at : at - 1;
}

/** Whether the text of this many bytes is well-formed UTF-8. */
export function isWellFormed(length: usize): bool {
  const end = textStart + length;
  v128.store(end, i64x2.splat(0));
  let at = textStart;
  while (at < end) {
    while (at < end && i8x16.bitmask(v128.load(at)) === 0) {
      at += 16;
    }
    if (at >= end) {
      return true;
    }
    at += ctz<i32>(i8x16.bitmask(v128.load(at)));
    if (at >= end) {
      return true;
    }
    const first: u32 = load<u8>(at);
    const second: u32 = load<u8>(at, 1);
    const size = sizeOf(first);
    if (first < 0xc2 || first > 0xf4 || (second & 0xc0) !== 0x80 || at + size > end) {
      return false;
    }
    if (
      (first === 0xe0 && second < 0xa0) ||
      (first === 0xed && second > 0x9f) ||
      (first === 0xf0 && second < 0x90) ||
      (first === 0xf4 && second > 0x8f)
    ) {
      return false;
    }
    if ((size > 2 && (load<u8>(at, 2) & 0xc0) !== 0x80) || (size > 3 && (load<u8>(at, 3) & 0xc0) !== 0x80)) {
      return false;
    }
    at += size;
  }
  return true;
}
