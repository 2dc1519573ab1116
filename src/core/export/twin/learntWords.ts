import type { Surroundings } from './wordMaker';

/**
 * Maximum number of remembered words, and their maximum length. The twin of any other word is derived only from the
 * word itself.
 */
const mostRemembered = 200_000;
export const longestRemembered = 64;
/** Maximum number of different surroundings of one word. */
const mostSurroundings = 64;
/** A call's arguments follow its name. After a cut inside a JSON text, the rest is on its own line. */
const textStarts: readonly string[] = [' ', '\\n'];
/** A twin with this many letters shares no run of this length with a word of the transcript. */
const runLength = 8;

/** The words of a transcript, with their surroundings in their pieces. */
export class LearntWords {
  private readonly words = new Map<string, Map<string, Surroundings>>();
  /** Runs of letters in the longer words. */
  private readonly runs = new Set<string>();
  /** Words at the beginning of a text. */
  private readonly leading = new Set<string>();

  /** @param length how much of the word is kept, in UTF-16 units, if a reader cuts the text inside it */
  learn(word: string, before: string, after: string, length?: number): void {
    let known = this.words.get(word);
    if (known === undefined) {
      if (this.words.size >= mostRemembered || word.length > longestRemembered) {
        return;
      }
      known = new Map();
      this.words.set(word, known);
      addRuns(word, this.runs);
    }
    const key = `${before}\0${after}\0${length ?? ''}`;
    if (known.size < mostSurroundings && !known.has(key)) {
      known.set(key, { before, after, length });
    }
  }

  /**
   * Learns a word at the beginning of a text. A reader may put a name and a space, a quote or a line before the text.
   */
  learnFirst(word: string, sign: string, after: string): void {
    this.leading.add(sign + word);
    for (const before of sign === '' ? textStarts : ['']) {
      this.learn(word, before, after);
    }
  }

  /** All words, in the order in which they were learnt. */
  all(): Iterable<string> {
    return this.words.keys();
  }

  has(word: string): boolean {
    return this.words.has(word);
  }

  surroundingsOf(word: string): readonly Surroundings[] {
    return [...(this.words.get(word)?.values() ?? [])];
  }

  /** The text that a reader may put before a word that begins a text, with this sign before it. */
  startsOf(word: string, sign: string): readonly string[] {
    return !this.leading.has(sign + word) ? [] : sign === '' ? textStarts : [''];
  }

  /** True if a twin would repeat a word of the transcript, or a long part of one. */
  isRepeatedBy(twin: string): boolean {
    return this.words.has(twin) || hasRun(twin, this.runs);
  }
}

function addRuns(word: string, runs: Set<string>): void {
  for (let end = runLength; end <= word.length; end += 1) {
    runs.add(word.slice(end - runLength, end));
  }
}

function hasRun(word: string, runs: ReadonlySet<string>): boolean {
  for (let end = runLength; end <= word.length; end += 1) {
    if (runs.has(word.slice(end - runLength, end))) {
      return true;
    }
  }
  return false;
}
