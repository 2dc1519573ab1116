import canonicalize from 'canonicalize';
import { type HashText, sha256Hex } from './sha256';
import { nonNewlineWhitespace, trimWhitespace } from './unicodeText';

/**
 * RFC 8785: keys by UTF-16 units, numbers as ECMAScript writes them.
 * @throws TypeError if the value has no JSON form.
 */
export function canonicalJson(value: unknown): string {
  const text = canonicalize(value);
  if (text === undefined) {
    throw new TypeError('The value has no JSON form.');
  }
  return text;
}

/** SHA-256 over the UTF-8 bytes of `text`, as `sha256:` and 64 hex digits. */
export function digest(text: string, hashText: HashText = sha256Hex): string {
  return `sha256:${hashText(text)}`;
}

/** The runs of whitespace to change. A single space, as between most words, is not changed. */
const whitespaceRun = new RegExp(
  `[${nonNewlineWhitespace}]{2,}\\n?|(?! )[${nonNewlineWhitespace}]\\n?| \\n`,
  'gu',
);

/**
 * Removes whitespace that does not matter for a comparison (NeMo Relay, acg/canonicalize.rs): at both ends and before a
 * newline. Any other run of whitespace becomes one space. Newlines stay. This cannot be reversed.
 */
export function normalizeWhitespace(text: string): string {
  return trimWhitespace(text).replace(whitespaceRun, run => (run.endsWith('\n') ? '\n' : ' '));
}
