/** Number of repeated words in a row that count as a repetition. */
const runLength = 12;

/** A text of instructions with its block. */
export interface InstructionText {
  readonly block: number;
  readonly text: string;
}

/** The part of a text that repeats an earlier text, or an earlier part of itself. */
export interface Repetition {
  readonly block: number;
  /** The block of the first occurrence. */
  readonly original: number;
  /** The repeated words with their spelling. */
  readonly text: string;
}

/**
 * Finds text that repeats earlier text: runs of at least twelve words in the same order. Line breaks, bullets and case
 * are ignored. Linear in the texts.
 */
export function repeatedWords(texts: readonly InstructionText[]): readonly Repetition[] {
  const seen = new Map<number, number>();
  return texts.flatMap(({ block, text }) => {
    const words = [...text.matchAll(/[\p{L}\p{N}_]+/gu)];
    const hashes = words.map(([word]) => hashOf(word.toLowerCase()));
    const runs = hashes.slice(runLength - 1).map((_, place) => runHash(hashes, place));
    const isRepeated = new Uint8Array(words.length);
    let original = -1;
    runs.forEach((run, place) => {
      const before = seen.get(run);
      if (before === undefined) {
        seen.set(run, block);
        return;
      }
      original = original < 0 ? before : original;
      isRepeated.fill(1, place, place + runLength);
    });
    if (original < 0) {
      return [];
    }
    const parts = words.map((match, place) =>
      isRepeated[place] === 1 ? text.slice(match.index, words[place + 1]?.index ?? text.length) : '',
    );
    return [{ block, original, text: parts.join('') }];
  });
}

function hashOf(word: string): number {
  let hash = 0x811c9dc5;
  for (let index = 0; index < word.length; index += 1) {
    hash = Math.imul(hash ^ word.charCodeAt(index), 0x01000193);
  }
  return hash;
}

/** A hash of 53 bits, so collisions are unlikely among a few hundred thousand words. */
function runHash(hashes: readonly number[], start: number): number {
  let one = 0;
  let other = 0;
  for (let place = start; place < start + runLength; place += 1) {
    const hash = hashes[place] ?? 0;
    one = Math.imul(one ^ hash, 0x85ebca6b);
    other = Math.imul(other + hash, 0xc2b2ae35) ^ (other >>> 13);
  }
  return (one >>> 0) * 2 ** 21 + (other >>> 11);
}
