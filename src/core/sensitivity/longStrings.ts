import { parseJson } from '../base/json';
import { stringEnd } from '../base/jsonTokens';

/** A JSON text without its long strings, and what these say. */
export interface CutText {
  /** The text with `""` in place of each long string. */
  readonly rest: string;
  /** In text order. */
  readonly strings: readonly string[];
}

/**
 * Takes the long strings out of a JSON text. Of a text that is no JSON, it takes out whatever is written like one.
 * @param longest the length of the longest string that stays, in UTF-16 units with its quotes
 */
export function withoutLongStrings(text: string, longest: number): CutText {
  if (text.length <= longest) {
    return { rest: text, strings: [] };
  }
  const kept: string[] = [];
  const strings: string[] = [];
  let last = 0;
  for (let start = text.indexOf('"'); start >= 0;) {
    const end = stringEnd(text, start + 1);
    const value = end - start > longest ? parseJson(text.slice(start, end)) : undefined;
    if (typeof value === 'string') {
      kept.push(text.slice(last, start + 1));
      strings.push(value);
      last = end - 1;
    }
    start = text.indexOf('"', end);
  }
  return { rest: kept.length === 0 ? text : kept.join('') + text.slice(last), strings };
}
