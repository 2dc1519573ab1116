import { entryOf } from '../../base/entryOf';
import { lettersLike } from './letterShapes';

/** All words with the shape of a short one, including itself. */
export function wordsLike(word: string): readonly string[] {
  return Array.from(word, lettersLike).reduce<readonly string[]>(
    (starts, letters) => starts.flatMap(start => letters.map(letter => start + letter)),
    [''],
  );
}

/**
 * Pairs words with fitting words, each with a different one, by augmenting paths. A word keeps its own if necessary.
 * @param choices the possible twins of a word in order of preference, requested once for each word
 * @param fits true if a word may become another one
 * @returns the words, by their twins
 */
export function pairedWords(
  words: readonly string[],
  choices: () => Iterable<string>,
  fits: (word: string, twin: string) => boolean,
): ReadonlyMap<string, string> {
  const ownerOf = new Map<string, string>();
  const choicesOf = new Map<string, Choices>();
  const place = (word: string, visited: Set<string>, mayKeep: boolean): boolean => {
    const fitting = entryOf(choicesOf, word, () => new Choices(choices(), twin => fits(word, twin)));
    const mayTake = (twin: string): boolean => {
      if (visited.has(twin)) {
        return false;
      }
      visited.add(twin);
      const owner = ownerOf.get(twin);
      return owner === undefined || place(owner, visited, mayKeep);
    };
    const twin = fitting.find(mayTake) ?? (mayKeep && mayTake(word) ? word : undefined);
    if (twin !== undefined) {
      ownerOf.set(twin, word);
    }
    return twin !== undefined;
  };
  for (const word of words) {
    if (!place(word, new Set(), false)) {
      place(word, new Set(), true);
    }
  }
  return ownerOf;
}

/** The possible twins of a word. They are computed on demand and only once, however often searches visit the word. */
class Choices {
  private readonly found: string[] = [];
  private readonly rest: Iterator<string>;

  constructor(
    choices: Iterable<string>,
    private readonly fits: (twin: string) => boolean,
  ) {
    this.rest = choices[Symbol.iterator]();
  }

  find(isWanted: (twin: string) => boolean): string | undefined {
    const known = this.found.find(isWanted);
    if (known !== undefined) {
      return known;
    }
    for (let next = this.rest.next(); next.done !== true; next = this.rest.next()) {
      if (this.fits(next.value)) {
        this.found.push(next.value);
        if (isWanted(next.value)) {
          return next.value;
        }
      }
    }
    return undefined;
  }
}
