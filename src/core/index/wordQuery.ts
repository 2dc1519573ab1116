import { isAlone, withoutDiacritics, wordsIn } from './distinctWords';

/** A parsed query. A text matches if it contains each part, with the words of a part one after the other. */
export interface WordQuery {
  /** The query in the language of SQLite's FTS5. Undefined if it has no word. */
  readonly match: string | undefined;
  readonly patterns: readonly RegExp[];
  /** True for an empty query, which matches everything that the filters allow. */
  readonly isBlank: boolean;
}

/**
 * Parses a query of words and phrases in quotes. The last word may be the beginning of a word, unless it is in quotes.
 * A word such as `read_file` or `src/main.ts` is searched as the phrase of its parts.
 */
export function parseWords(text: string): WordQuery {
  const parts = [...text.matchAll(/"(?<phrase>[^"]*)"|(?<word>[^\s"]+)/g)].map(({ groups }) => ({
    words: wordsIn(groups?.['phrase'] ?? groups?.['word'] ?? ''),
    isPhrase: groups?.['phrase'] !== undefined,
  }));
  const asked = parts.filter(({ words }) => words.length > 0);
  const last = asked.at(-1);
  const match = asked.flatMap(part =>
    part.words.map((each, place) => {
      const isBegun = part === last && !part.isPhrase && place === part.words.length - 1;
      return `"${each}"${isBegun ? '*' : ''}`;
    }),
  );
  return {
    isBlank: text.trim() === '',
    match: match.length === 0 ? undefined : match.join(' AND '),
    patterns: asked.map(part => patternOf(part.words, part === last && !part.isPhrase)),
  };
}

/** @param isBegun true if the last word may be the beginning of a word */
function patternOf(words: readonly string[], isBegun: boolean): RegExp {
  // A character of a script without spaces may be directly next to another one.
  const gap = String.raw`[^\p{L}\p{N}\p{M}\p{Co}]`;
  const source = words
    .map((each, place) => {
      const next = words[place + 1];
      const space = next === undefined ? '' : isAlone(each) || isAlone(next) ? `${gap}*` : `${gap}+`;
      return `${each}${space}`;
    })
    .join('');
  const before = isAlone(words[0]) ? '' : String.raw`(?<![\p{L}\p{N}\p{M}\p{Co}])`;
  const after = isBegun || isAlone(words.at(-1)) ? '' : String.raw`(?![\p{L}\p{N}\p{M}\p{Co}])`;
  return new RegExp(`${before}${source}${after}`, 'iu');
}

const hasOnlyAscii = (text: string): boolean => !/[^\0-\x7f]/.test(text);

/**
 * The place of a query in a text, by its first part. For an empty query, the beginning. Undefined without a match.
 * UTF-16 units.
 */
export function placeOf(
  { patterns, isBlank }: WordQuery,
  text: string,
): { readonly start: number; readonly end: number } | undefined {
  if (isBlank) {
    return { start: 0, end: 0 };
  }
  const places = patterns.map(
    pattern => pattern.exec(text) ?? (hasOnlyAscii(text) ? null : pattern.exec(withoutDiacritics(text))),
  );
  const [first] = places;
  if (first === undefined || first === null || places.includes(null)) {
    return undefined;
  }
  const start = Math.min(first.index, text.length);
  return { start, end: Math.min(start + first[0].length, text.length) };
}
