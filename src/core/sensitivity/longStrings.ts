import { parseJson } from '../base/json';
import { stringEnd } from '../base/jsonTokens';

/** A JSON text without its long strings, and the content of these strings. */
export interface CutText {
  /** The text with `""` in place of each long string. */
  readonly rest: string;
  /** In text order. */
  readonly strings: readonly string[];
}

/**
 * Removes the long strings from a JSON text. If the text is not JSON, removes everything spelled like one.
 * @param longest the maximum length of a string that stays, in UTF-16 units with its quotes
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
