import type { Surroundings } from './wordMaker';

/** No more words than these, and none that is longer, are remembered; others get their twins from themselves alone. */
const mostRemembered = 200_000;
export const longestRemembered = 64;
/** How many different surroundings of one word are heeded. */
const mostSurroundings = 64;
/** A call's arguments follow its name; what follows a cut inside a text in JSON stands on a line of its own. */
const textStarts: readonly string[] = [' ', '\\n'];
/** A twin of so many letters shares no run of so many with a word of the transcript. */
const runLength = 8;

/** The words of a transcript, with what stands around them in their pieces. */
export class LearntWords {
  private readonly words = new Map<string, Map<string, Surroundings>>();
  /** Runs of letters in the longer words. */
  private readonly runs = new Set<string>();
  /** Words at the beginning of a text. */
  private readonly leading = new Set<string>();

  /** @param length how much of the word a reader keeps, in UTF-16 units, where it cuts the text inside it */
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

  /** Learns a word that begins a text. A reader may put a name and a space, a quote or a line before the text. */
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

  /** What a reader may put before a word that begins a text with this sign before it. */
  startsOf(word: string, sign: string): readonly string[] {
    return !this.leading.has(sign + word) ? [] : sign === '' ? textStarts : [''];
  }

  /** Whether a twin would repeat a word of the transcript, or a long part of one. */
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
