/** Writing without spaces between words: each character is a word of its own. */
const alone =
  /[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7af\uf900-\ufaff]/g;

/** Runs of this length are data and no words: pictures, signatures, hashes of whole files. In UTF-16 units. */
const dataLength = 256;

/** Letters, digits, and what else base64 has, by their codes. */
const isData = Uint8Array.from({ length: 128 }, (_, code) =>
  /[A-Za-z0-9+/=]/.test(String.fromCharCode(code)) ? 1 : 0,
);

/** What separates words in the index: its tokenizer takes letters and digits. */
const word = /[\p{L}\p{N}\p{M}\p{Co}]+/gu;

/** A text as the index takes it. */
export function splitWords(text: string): string {
  return withoutData(text).replace(alone, ' $& ');
}

/** Each run has a unit at a multiple of its least length, so only those are looked at. */
function withoutData(text: string): string {
  const isDataAt = (index: number): boolean => isData[text.charCodeAt(index)] === 1;
  let kept = '';
  let from = 0;
  for (let index = dataLength - 1; index < text.length; index += dataLength) {
    if (!isDataAt(index)) {
      continue;
    }
    let [start, end] = [index, index + 1];
    while (start > from && isDataAt(start - 1)) {
      start -= 1;
    }
    while (end < text.length && isDataAt(end)) {
      end += 1;
    }
    if (end - start >= dataLength) {
      kept += `${text.slice(from, start)} `;
      from = end;
      // The first place to look at behind it.
      index = end - 1;
    }
  }
  return from === 0 ? text : kept + text.slice(from);
}

/** What is looked for: each part stands in the text, its words one after the other. */
export interface WordQuery {
  /** In the language of SQLite's FTS5. Undefined where there is no word in it. */
  readonly match: string | undefined;
  readonly patterns: readonly RegExp[];
}

/**
 * Reads what somebody looks for: words, and phrases in quotes. The last word may be the beginning of one, unless it is in
 * quotes. A word such as `read_file` or `src/main.ts` is looked for as the phrase of its parts.
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
    match: match.length === 0 ? undefined : match.join(' AND '),
    patterns: asked.map(part => patternOf(part.words, part === last && !part.isPhrase)),
  };
}

function wordsIn(text: string): readonly string[] {
  return folded(splitWords(text)).match(word) ?? [];
}

/** @param isBegun whether the last word may be the beginning of one */
function patternOf(words: readonly string[], isBegun: boolean): RegExp {
  // A character that stands alone may have another right beside it.
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

function isAlone(text = ''): boolean {
  return text.length === 1 && text.search(alone) === 0;
}

function folded(text: string): string {
  return text.normalize('NFD').replace(/\p{M}/gu, '').normalize('NFC');
}

/** Where a query stands in a text, by its first part; undefined where it does not. UTF-16 units. */
export function placeOf(
  { patterns }: WordQuery,
  text: string,
): { readonly start: number; readonly end: number } | undefined {
  const places = patterns.map(pattern => pattern.exec(text) ?? pattern.exec(folded(text)));
  const [first] = places;
  if (first === undefined || first === null || places.includes(null)) {
    return undefined;
  }
  const start = Math.min(first.index, text.length);
  return { start, end: Math.min(start + first[0].length, text.length) };
}
