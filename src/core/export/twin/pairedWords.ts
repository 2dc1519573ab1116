import { entryOf } from '../../base/entryOf';
import { lettersLike } from './letterShapes';

/** All words of the shape of a short one, itself among them. */
export function wordsLike(word: string): readonly string[] {
  return Array.from(word, lettersLike).reduce<readonly string[]>(
    (starts, letters) => starts.flatMap(start => letters.map(letter => start + letter)),
    [''],
  );
}

/**
 * Pairs words with words that fit them, each with another one, by augmenting paths; a word keeps its own where it must.
 * @param choices what a word may become, the first ones first: asked for once for each word
 * @param fits whether a word may become another one
 * @returns the words, by what they become
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

/** What a word may become: looked for as far as it is needed, and once, however often searches come by the word. */
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
