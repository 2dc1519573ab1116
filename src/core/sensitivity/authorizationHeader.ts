import { type AnchoredDetector, matchAt, valueRange } from './anchored';
import { isExample, isPlaceholder, mixesLettersAndDigits } from './placeholder';
import { looksLikeWords } from './letterPairs';
import { labelled } from './ruleWords';

/** Blanks, and the characters between name and value in JSON, in lists and in nested quotes. */
const between = '(?:[\\s"\'`:=,\\\\]|%20|%3A){1,12}';
const scheme = new RegExp(
  `(?:proxy-)?authorization${between}(?:value${between})?(?:(?:Basic|Token|ApiKey|Api-Key|Bot|Key|GenieKey|SSWS|OAuth|Negotiate|Splunk|Bearer)(?:[ \\t]|%20){1,4}(?:token=)?\\\\{0,64}["']?)?(?<value>[\\w.~+/=%:-]{12,4096})`,
  'diy',
);
const bearer = /Bearer(?:[ \t]|%20|\+){1,4}\\{0,64}["']?(?<value>[\w.~+/=-]{16,4096})/diy;

/** The token of `Bearer …`, and the token of an Authorization header with any scheme. */
export const authorizationHeader: AnchoredDetector = {
  ...labelled('authorizationHeader', 'restricted'),
  literals: ['bearer', 'authorization'],
  find: (text, at) => {
    const range = valueRange(matchAt(/b/i.test(text.charAt(at)) ? bearer : scheme, text, at));
    if (range === undefined) {
      return undefined;
    }
    const value = text.slice(range.start, range.end);
    // Without a sign or a scheme, it is another word of a sentence or of code.
    const isHeader = /^b|[:=,"'`%\\]|\s(?:basic|bearer|token|key)\s/i.test(text.slice(at, range.start));
    const isReal =
      isHeader &&
      !/^(?:https?|wss?|urn|arn|[a-z]+:\/\/):|^\w+:$/.test(value) &&
      mixesLettersAndDigits(value) &&
      !isPlaceholder(value) &&
      !isExample(value) &&
      !looksLikeWords(value);
    return isReal ? range : undefined;
  },
};

const cookies =
  /cookie\\{0,64}["']?(?:[\s"'`:=,\\]){1,12}(?:value[\s"'`:=,\\]{1,12})?(?<value>[\w.-]{1,40}=[^\s"'`\\;]{1,2048}(?:;[ \t]{0,2}[\w.-]{1,40}=[^\s"'`\\;]{0,2048}){0,24})/diy;
const sessionCookie =
  /(?:^|;[ \t]{0,2})[\w.-]{0,40}(?:sess(?:ion)?(?:[-_]?id)?|\bsid|token|auth|jwt|csrf|ticket|remember)[\w.-]{0,16}=[^;\s]{0,24}(?=[^;\s]*\d)[\w.%+/=-]{12,}/i;

/** The cookies of a header, if one of them opens a session. */
export const sessionCookies: AnchoredDetector = {
  ...labelled('sessionCookies', 'restricted'),
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

/** The beginnings of the names of cookies that open a session, of frameworks and of large sites. */
const cookieNames = [
  'PHPSESSID',
  'JSESSIONID',
  'ASPSESSIONID',
  'ASP.NET_SessionId',
  'sessionid=',
  'sessid=',
  'connect.sid',
  '.session-token',
  '_session=',
  'user_session',
  '_gh_sess',
  '.AspNetCore.',
  '.ASPXAUTH',
  'wordpress_logged_in',
  'laravel_session',
  'remember_web',
  'remember_user',
  'li_at',
  'auth-token=',
  'SAPISID',
  'cf_clearance',
  '__Secure-',
  '__Host-',
  '_session_id=',
  'SESSION=',
  'session=',
];

const namedCookie =
  /(?<name>[\w.-]{4,80}?)(?:\\{0,64}["'])?(?:=|[ \t]{0,2}:[ \t]{0,2}|[ \t]{1,4}(?=["'\\])|,[ \t]{0,4}(?:\\{0,64}["']value\\{0,64}["'][ \t]{0,2}:[ \t]{0,2})?(?=\\{0,64}["'])|\t)(?:\\{0,64}["'])?(?<value>[\w%+/=.:|!~-]{12,4096})/dy;

const uuid = /^[\da-f]{8}-[\da-f]{4}-[\da-f]{4}-/i;

/** A session's cookie by its name alone, also without the name of the header. */
export const namedSessionCookie: AnchoredDetector = {
  ...labelled('sessionCookies', 'restricted'),
  literals: cookieNames,
  checks: { isExact: true },
  find: (text, at) => {
    const match = matchAt(namedCookie, text, at);
    const range = valueRange(match);
    const value = range === undefined ? '' : text.slice(range.start, range.end);
    // Agents name their own sessions with such numbers.
    return uuid.test(value) || !isSessionValue(value) ? undefined : range;
  },
};

function isSessionValue(value: string): boolean {
  return (
    mixesLettersAndDigits(value) &&
    !isPlaceholder(value) &&
    !isExample(value) &&
    !looksLikeWords(value) &&
    !/^(?:https?:|[A-Za-z_$][\w$]*\.[A-Za-z_$][\w$.]*$)/.test(value)
  );
}

/** A line of a cookie file: domain, flag, path, flag, time, name, value. */
const jarLine =
  /[ \t](?:TRUE|FALSE)(?:\t|\\t|[ \t]{1,40})\/\S{0,100}?(?:\t|\\t|[ \t]{1,40})(?:TRUE|FALSE)(?:\t|\\t|[ \t]{1,40})\d{1,14}(?:\.\d{1,9})?(?:\t|\\t|[ \t]{1,40})(?<name>[\w.%-]{1,100})(?:\t|\\t|[ \t]{1,40})(?<value>[^\s"\\]{8,4096})/dy;
const harmlessCookie =
  /^(?:_g[ac]|_gid|_fbp|_gcl|__utm|nid$|locale|lang|theme|tz|timezone|color|consent|cookie|euconsent|optout|country|currency|ab_?test|visitor|_octo|dpr|logged_in$|preferred|_hj|amplitude|ajs_|mp_|_pk_)/i;

/** A cookie in the file of a browser or of curl. */
export const jarCookie: AnchoredDetector = {
  ...labelled('sessionCookies', 'restricted'),
  literals: ['\tTRUE\t', '\tFALSE\t', '\\tTRUE\\t', '\\tFALSE\\t'],
  checks: { isExact: true },
  find: (text, at) => {
    const match = matchAt(jarLine, text, at);
    const range = valueRange(match);
    return range !== undefined &&
      !harmlessCookie.test(match?.groups?.['name'] ?? '') &&
      isSessionValue(text.slice(range.start, range.end))
      ? range
      : undefined;
  },
};
