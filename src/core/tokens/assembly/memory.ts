// AssemblyScript: the layout of the counter's memory. Frequently used tables are kept small: random look-ups are cheap
// within 4 MB, and many times slower beyond a core's caches.

/** The number of bytes that a 16-byte read inside a region may go past its end. */
export const slack: usize = 64;

/** Classes of all code points, one byte each. */
export const classes: usize = 1024;
const codePoints: usize = 0x110000;

/**
 * Masks for keys of 0 to 15 bytes. Each has 16 bytes, of which the first 0 to 15 are set. The mask for 16 bytes has
 * none set.
 */
export const keyMasks: usize = classes + codePoints;

/** For any two bytes, the word of their pair; see vocabulary.ts. */
export const bytePairs: usize = keyMasks + 17 * 16;

/** For each bucket of pairs, 1 byte that is added to their hashes, so no two pairs share a slot. */
export const displacements: usize = bytePairs + 4 * 0x10000;
export const bucketBits: usize = 16;

/** Pairs of tokens that merge: the two (18 bits each), then the token that they make (28 bits). 0 marks a free slot. */
export const pairs: usize = displacements + (1 << bucketBits);
export const pairBits: usize = 18;

/**
 * Pieces of up to 15 bytes that have been counted, in sets of two: key (15 bytes), then number of tokens (4 bits) and
 * length (4 bits). The second entry of a set is the former first one.
 */
export const shortPieces: usize = pairs + (8 << pairBits);
export const shortPieceBits: usize = 16;

/** Pieces of 16 to 30 bytes that have been counted: key (30 bytes), then length and number of tokens, 1 byte each. */
export const longPieces: usize = shortPieces + (32 << shortPieceBits);
export const longPieceBits: usize = 14;

/** The numbers from 0 to 255, one byte each. Used as places in a piece. */
export const places: usize = longPieces + (32 << longPieceBits) + slack;

/**
 * Maximum length of a piece that is merged by scanning. The tables below have an entry for each byte at which a part
 * begins:
 */
export const longestScanned: usize = 240;
/** the word of the pair there, */
export const scannedWords: usize = places + 256 + slack;
/** the token of the part, */
export const scannedTokens: usize = scannedWords + 4 * longestScanned + slack;
/** the next part, and the previous part. */
export const scannedEnds: usize = scannedTokens + 4 * longestScanned + slack;
export const scannedBefores: usize = scannedEnds + longestScanned + slack;

/** Slots for short pieces that are merged in turns; see merge.ts. Four at once are fastest. */
export const merging: usize = (scannedBefores + longestScanned + slack) & ~(<usize>63);
export const mergingSize: usize = 192;
export const mostMerging: usize = 4;

/** The ends of the pieces that were found but not looked up yet. */
export const foundPieces: usize = merging + mostMerging * mergingSize;
export const mostFound: usize = 256;
/** The pieces among them that have not been counted before: length and start, 4 bytes each. */
export const newPieces: usize = foundPieces + 4 * mostFound;

/** More than the number of tokens. */
export const tokenNumbers: usize = 1 << 18;
/**
 * For each token, a queue of the places where it can be made: its first entry, or 0, and its last, 4 bytes each; see
 * merge.ts.
 */
export const queues: usize = (newPieces + 8 * mostFound + slack) & ~(<usize>63);
/** For each token, a bit that is set if its queue has entries. */
export const waitingTokens: usize = queues + 8 * tokenNumbers;

/** The address of the vocabulary at first, and of texts later. */
export const text: usize = waitingTokens + (tokenNumbers >>> 3);
