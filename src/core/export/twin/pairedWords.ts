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
 * @param choicesOf the others that a word may become, the first ones first
 * @returns the words, by what they become
 */
export function pairedWords(
  words: readonly string[],
  choicesOf: (word: string) => Iterable<string>,
  fits: (word: string, twin: string) => boolean,
): ReadonlyMap<string, string> {
  const ownerOf = new Map<string, string>();
  const choices = new Map(words.map(word => [word, new Set([...choicesOf(word), word])]));
  const place = (word: string, visited: Set<string>, mayKeep: boolean): boolean => {
    const left = choices.get(word) ?? new Set<string>();
    for (const twin of left) {
      if (visited.has(twin) || (twin === word && !mayKeep)) {
        continue;
      }
      if (!fits(word, twin)) {
        // Each search comes by here again.
        left.delete(twin);
        continue;
      }
      visited.add(twin);
      const owner = ownerOf.get(twin);
      if (owner === undefined || place(owner, visited, mayKeep)) {
        ownerOf.set(twin, word);
        return true;
      }
    }
    return false;
  };
  for (const word of words) {
    if (!place(word, new Set(), false)) {
      place(word, new Set(), true);
    }
  }
  return ownerOf;
}
