import { type AnchoredDetector, matchAt, valueRange } from './anchored';
import { isExample, isPlaceholder, mixesLettersAndDigits } from './placeholder';
import { looksLikeWords } from './letterPairs';
import { ruleWords } from './ruleWords';

/** Blanks, and the characters between name and value in JSON, in lists and in nested quotes. */
const between = '(?:[\\s"\'`:=,\\\\]|%20|%3A){1,12}';
const scheme = new RegExp(
  `(?:proxy-)?authorization${between}(?:value${between})?(?:(?:Basic|Token|ApiKey|Api-Key|Bot|Key|GenieKey|SSWS|OAuth|Negotiate|Splunk|Bearer)(?:[ \\t]|%20){1,4}(?:token=)?\\\\{0,64}["']?)?(?<value>[\\w.~+/=%:-]{12,4096})`,
  'diy',
);
const bearer = /Bearer(?:[ \t]|%20|\+){1,4}\\{0,64}["']?(?<value>[\w.~+/=-]{16,4096})/diy;

/** The token of `Bearer …`, and the token of an Authorization header with any scheme. */
export const authorizationHeader: AnchoredDetector = {
  rule: 'authorizationHeader',
  label: 'restricted',
  message: ruleWords.authorizationHeader,
  literals: ['bearer', 'authorization'],
  find: (text, at) => {
    const range = valueRange(matchAt(/b/i.test(text.charAt(at)) ? bearer : scheme, text, at));
    if (range === undefined) {
      return undefined;
    }
    const value = text.slice(range.start, range.end);
    const isReal =
      mixesLettersAndDigits(value) && !isPlaceholder(value) && !isExample(value) && !looksLikeWords(value);
    return isReal ? range : undefined;
  },
};

const cookies =
  /cookie\\{0,64}["']?(?:[\s"'`:=,\\]){1,12}(?:value[\s"'`:=,\\]{1,12})?(?<value>[\w.-]{1,40}=[^\s"'`\\;]{1,2048}(?:;[ \t]{0,2}[\w.-]{1,40}=[^\s"'`\\;]{0,2048}){0,24})/diy;
const sessionCookie =
  /(?:^|;[ \t]{0,2})[\w.-]{0,40}(?:sess(?:ion)?(?:[-_]?id)?|\bsid|token|auth|jwt|csrf|ticket|remember)[\w.-]{0,16}=[^;\s]{0,24}(?=[^;\s]*\d)[\w.%+/=-]{12,}/i;

/** The cookies of a header, if one of them opens a session. */
export const sessionCookies: AnchoredDetector = {
  rule: 'sessionCookies',
  label: 'restricted',
  message: ruleWords.sessionCookies,
  literals: ['cookie'],
  find: (text, at) => {
    const range = valueRange(matchAt(cookies, text, at));
    if (range === undefined) {
      return undefined;
    }
    const value = text.slice(range.start, range.end);
    const found = sessionCookie.exec(value)?.[0];
    return found === undefined || isExample(found) || looksLikeWords(found.replace(/^[^=]*=/, ''))
      ? undefined
      : range;
  },
};
