import { type AnchoredDetector, matchAt, type TextRange, valueRange } from './anchored';
import { labelled } from './ruleWords';

/** Longer than the longest RSA keys in use. In UTF-16 units. */
const longestKey = 24_000;
const beginning = /-{4,5} ?BEGIN (?:[A-Z0-9]{2,12} ){0,3}PRIVATE KEY(?: BLOCK)? ?-{4,5}/iy;
const ending = /-{4,5} ?END (?:[A-Z0-9]{2,12} ){0,3}PRIVATE KEY(?: BLOCK)? ?-{4,5}/gi;
const keyData = /(?:[A-Za-z0-9+/]|\\{1,64}\/){32}/;

/** A line break, which may be escaped. */
const lineBreak = '(?:\\r?\\n|(?:\\\\{1,64}r)?\\\\{1,64}n|\\\\{1,64}u000a|<br ?/?>)';
/** The signs and numbers of quotes, diffs, lists and listings at the beginning of a line, and an opening quote. */
const lineStart = '(?:\\d{1,6}[→:|\\t ]|[ \\t]|\\\\{1,64}t|[>+|#*-]){0,40}(?:\\\\{0,64}["\'`])?';
const lineEnd = '(?:\\\\{0,64}["\'`])?[ \\t]{0,4}[,+.;|]?[ \\t]{0,4}(?:\\\\{1,64}(?=[\\r\\n]))?';
/** A header, as of an encrypted key, or an empty line. */
const header = new RegExp(
  `${lineStart}(?:[A-Z][A-Za-z-]{2,20}: [^\\r\\n\\\\"]{0,200})?${lineEnd}${lineBreak}`,
  'y',
);
/** Nothing at the beginning of a line can be data. */
const keyLine = new RegExp(
  `(?=(?<lead>${lineStart}))\\k<lead>(?<data>(?:[A-Za-z0-9+/]|\\\\{1,64}/){1,24000}={0,2})(?<more>${lineEnd}(?:(?:${lineBreak}${lineEnd}){1,3}| (?=[A-Za-z0-9+/])))?`,
  'dy',
);
const firstBreak = new RegExp(`${lineEnd}(?:${lineBreak}${lineEnd}){1,3}`, 'y');
/** A line of base64 that is this long is no word. Shorter lines must have one length. In UTF-16 units. */
const longLine = 40;
const shortestLine = 16;

/** True for base64 that is not a word, so that it may be the last line of a key. */
function isKeyText(data: string): boolean {
  return /[\d+/=]|[a-z][A-Z]/.test(data) || data.length > 20;
}

/** The end of a key whose END line is missing: before the first line that is not base64. */
function cutKeyEnd(text: string, from: number): number {
  let at =
    from + (matchAt(firstBreak, text, from)?.[0].length ?? matchAt(/ {1,4}/y, text, from)?.[0].length ?? 0);
  for (let lines = 0; lines < 8; lines += 1) {
    const found = matchAt(header, text, at)?.[0];
    if (found === undefined) {
      break;
    }
    at += found.length;
  }
  let end = from;
  let length = 0;
  while (at - from < longestKey) {
    const found = matchAt(keyLine, text, at);
    const [, dataEnd = at] = found?.indices?.groups?.['data'] ?? [];
    const data = found?.groups?.['data'] ?? '';
    const isWhole =
      data.length >= longLine ||
      (data.length >= shortestLine && isKeyText(data) && (length === 0 || data.length === length));
    if (data === '' || (!isWhole && !isKeyText(data))) {
      break;
    }
    end = dataEnd;
    // A shorter line is the last one.
    if (found?.groups?.['more'] === undefined || !isWhole) {
      break;
    }
    length = data.length;
    at += found[0].length;
  }
  return end;
}

/**
 * A private key in PEM form. Its end may be missing, because tools truncate their output. Encrypted keys count as well.
 * Line breaks may be escaped, and lines may have numbers.
 */
export const privateKeyBlock: AnchoredDetector = {
  ...labelled('privateKeyBlock', 'restricted'),
  literals: ['----begin ', '---- begin '],
  find: (text, at) => {
    const start = text.startsWith('-----', at - 1) && at > 0 ? at - 1 : at;
    const begin = matchAt(beginning, text, start)?.[0];
    if (begin === undefined) {
      return undefined;
    }
    const from = start + begin.length;
    // A key ends before the next one begins. This also limits the time for many beginnings.
    const other = text.indexOf('---BEGIN', from);
    const part = text.slice(from, Math.min(from + longestKey, other === -1 ? text.length : other - 2));
    ending.lastIndex = 0;
    const last = ending.exec(part);
    const end = last === null ? cutKeyEnd(part, 0) : last.index;
    return keyData.test(part.slice(0, end))
      ? { start, end: from + (last === null ? end : end + last[0].length) }
      : undefined;
  },
};

/** The private member of a JSON Web Key (RFC 7517), next to its type. */
const privateMember =
  /kty\\{0,64}"(?:[^{}]{0,2000}?)[^A-Za-z]d\\{0,64}"\s{0,4}:\s{0,4}\\{0,64}"(?<value>[\w-]{40,1400})/dy;
const privateMemberBefore =
  /[^A-Za-z]d\\{0,64}"\s{0,4}:\s{0,4}\\{0,64}"(?<value>[\w-]{40,1400})\\{0,64}"[^{}]{0,2000}$/d;
/** The private lines of a key file of PuTTY. The file says how many there are. */
const puttyStart = /Private-Lines:[ \t]{0,4}(?<count>\d{1,3})[ \t]{0,4}/iy;
const puttyLine = new RegExp(`${lineBreak}{1,4}${lineStart}(?<value>[A-Za-z0-9+/=]{4,64})`, 'dy');

function puttyLines(text: string, at: number): TextRange | undefined {
  const start = matchAt(puttyStart, text, at);
  let lines: TextRange | undefined;
  let next = at + (start?.[0].length ?? 0);
  for (let left = Number(start?.groups?.['count'] ?? 0); left > 0; left -= 1) {
    const line = valueRange(matchAt(puttyLine, text, next));
    if (line === undefined) {
      break;
    }
    lines = { start: lines?.start ?? line.start, end: line.end };
    next = line.end;
  }
  return lines;
}

export const privateKeyMember: AnchoredDetector = {
  ...labelled('privateKeyMember', 'restricted'),
  literals: ['kty', 'private-lines:'],
  find: (text, at) =>
    text.charAt(at).toLowerCase() === 'p'
      ? puttyLines(text, at)
      : (valueRange(matchAt(privateMember, text, at)) ?? memberBefore(text, at)),
};

function memberBefore(text: string, at: number) {
  const from = Math.max(0, at - 3500);
  const part = text.slice(from, at);
  // The member must be of the same object.
  const object = part.lastIndexOf('{') + 1;
  privateMemberBefore.lastIndex = 0;
  const range = valueRange(privateMemberBefore.exec(part.slice(object)));
  return range && { start: from + object + range.start, end: from + object + range.end };
}
