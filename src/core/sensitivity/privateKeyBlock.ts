import { type AnchoredDetector, matchAt, valueRange } from './anchored';
import { ruleWords } from './ruleWords';

/** Longer than the longest RSA keys in use. In UTF-16 units. */
const longestKey = 24_000;
const beginning = /-{4,5} ?BEGIN (?:[A-Z0-9]{2,12} ){0,3}PRIVATE KEY(?: BLOCK)? ?-{4,5}/iy;
const ending = /-{4,5} ?END [A-Z0-9 ]{0,40}-{4,5}/gi;
/** The characters of a key and its headers. Line breaks may be escaped, and each line quoted. */
const body = /(?:[A-Za-z0-9+/=\s:,."'`|→>-]|\\{1,64}[nrtu/"'])*/y;
const keyData = /(?:[A-Za-z0-9+/]|\\{1,64}\/){32}/;

/**
 * A private key in PEM form. Its end may be missing, because tools truncate their output. Encrypted keys count as well.
 * Line breaks may be escaped, and lines may have numbers.
 */
export const privateKeyBlock: AnchoredDetector = {
  rule: 'privateKeyBlock',
  label: 'restricted',
  message: ruleWords.privateKeyBlock,
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
    const end = ending.exec(part);
    const inner = end === null ? part : part.slice(0, end.index);
    const key = end === null ? (matchAt(body, inner, 0)?.[0] ?? '') : inner;
    if (!keyData.test(key)) {
      return undefined;
    }
    const whole =
      key === inner && end !== null
        ? end.index + end[0].length
        : key.replace(/[\s.,:'"`|→>\\-]+$/, '').length;
    return { start, end: from + whole };
  },
};

/** The private member of a JSON Web Key (RFC 7517), next to its type. */
const privateMember =
  /kty\\{0,64}"(?:[^{}]{0,2000}?)[^A-Za-z]d\\{0,64}"\s{0,4}:\s{0,4}\\{0,64}"(?<value>[\w-]{40,1400})/dy;
const privateMemberBefore =
  /[^A-Za-z]d\\{0,64}"\s{0,4}:\s{0,4}\\{0,64}"(?<value>[\w-]{40,1400})\\{0,64}"[^{}]{0,2000}$/d;
/** The private lines of a key file of PuTTY. */
const puttyLines =
  /Private-Lines:[ \t]{0,4}\d{1,4}(?:\s|\\{1,64}[nr]){1,4}(?<value>(?:[A-Za-z0-9+/=]{4,64}(?:\s|\\{1,64}[nr]){0,4}){1,200})/diy;

export const privateKeyMember: AnchoredDetector = {
  rule: 'privateKeyMember',
  label: 'restricted',
  message: ruleWords.privateKeyMember,
  literals: ['kty', 'private-lines:'],
  find: (text, at) =>
    text.charAt(at).toLowerCase() === 'p'
      ? valueRange(matchAt(puttyLines, text, at))
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
