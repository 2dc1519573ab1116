import { looksLikeWords } from './letterPairs';

const placeholderWords =
  /example|placeholder|change[-_]?(?:me|it|this)|replace|redacted|dummy|sample|insert|xxxx|\*\*\*|\.\.\.|…|•|\b(?:your|my|some|any|the|fake|mock|foo|bar|test)[-_]|^your|123456789|abcdef(?!\d)|012345|eby8vdm02xno/i;
/** References to values elsewhere, and forms to fill in. */
const templates = new RegExp(
  [
    // Written in brackets.
    '^<[^<>]*>|^\\[[^[\\]]*\\]$|^\\{[^{}]*\\}$|^\\{\\{|^\\([^()]*\\)$|^\\(\\[[A-Za-z.]+\\]::|^%[A-Za-z_]+%$|^__[A-Z\\d_]+__$|^@[\\w.-]+@$',
    '\\$\\{|\\$\\(|#\\{|%\\{|^%\\(|\\{\\{|<[a-z_ -]+>',
    // A member of a variable, a format.
    '^\\$\\$?[A-Za-z_]\\w*(?:->|\\[|\\.[A-Za-z_])|^\\$\\d$|^%(?:[-\\d.]{0,4}[sdvqx@])?$|(?:^|\\W)%s(?:\\W|$)',
    '^&(?:lt|gt|quot|amp|nbsp|#\\d{2,4});',
    '^(?:process\\.|os\\.|env[.:[(]|import\\.meta|secrets\\.|config\\.|vault:|file:|ref\\+|op:|arn:|data:|ssm:|secretsmanager:|base64:(?![A-Za-z0-9+/]{43}=$))',
  ].join('|'),
  'i',
);
/** A variable as people name them, unlike a generated password after a dollar sign. */
const variable = /^\$(?:env:\w+|[A-Z_][A-Z\d_]*|[a-z_]+\d?|[a-z]+(?:[A-Z][a-z]+)+|(?:[A-Z][a-z]+)+)$/;
/** A name of what to fill in: `PERSONAL_ACCESS_TOKEN`. */
const constant = /^[A-Z]{2,}(?:_[A-Z]{2,})+$/;
/** A value that begins with a sign, without it. */
const signedName = /^[#%&(./<[{~$@*!]+(?<rest>.*?)[)>\]}%/]*$/;
/** Words used as placeholders for a credential, alone or with a number. */
const standIn =
  'null|nil|none|undefined|true|false|todo|tbd|test(?:ing|er)?|fake|mock|my|the|user(?:name)?|admin|root|guest|default|demo|foo|bar|baz|qux|secret|pass(?:wo?r?d|phrase|wd|code)?|p[@a4]ss(?:w[o0]rd)?|pwd|pw|token|key|api|string|str|text|any|object|number|bytes|required|optional|insecure|random|invalid|wrong|incorrect|correct|old|new|bad|good|valid|super|some|client|access|refresh|auth|id|value|hash|abc|qwerty|letmein|hunter|enter|confirm|forgot|reset|current|login|empty|blank|missing|hidden|masked|plain|prompt|basic|bearer|digest|sha|md|contrase[nñ]a|wachtwoord|senha|passwort|kennwort|parol[ae]?|mot|de|passe|heslo|has[lł]o';
const standIns = new RegExp(`^(?:${standIn}|[-_.\\d])+$`, 'i');
const signedStandIns =
  /^(?:(?:my|your|the|test|super|admin|user|root|new|old)[-_]?)?(?:p[@a4][s$]{2}(?:w[o0]rd)?|secret|test|example|admin)[-_@#!.$]*\d{0,4}[-_@#!.$]*$/i;

/**
 * True if a value is only a placeholder for a credential: `<your-key>`, `${TOKEN}`, `process.env.KEY`, `changeme`,
 * `***`, one character repeated, `password123`.
 */
export function isPlaceholder(value: string): boolean {
  return (
    placeholderWords.test(value) ||
    templates.test(value) ||
    variable.test(value.replace(/^'|'$/g, '')) ||
    constant.test(value) ||
    standIns.test(value) ||
    signedStandIns.test(value) ||
    isSignedName(value) ||
    /^(.{1,3})\1+.?$|^\W+$/.test(value)
  );
}

/** True for words after a sign, as in `#password`, `.form-key`, `/login`, `&token`, `~/keys`. */
function isSignedName(value: string): boolean {
  const rest = signedName.exec(value)?.groups?.['rest'];
  return rest !== undefined && !/\d.*\d|[!@#$%^&*+?]/.test(rest) && looksLikeWords(rest);
}

/** Letters together with digits: typical of generated credentials, rare in names and words. */
export function mixesLettersAndDigits(value: string): boolean {
  return /[A-Za-z]/.test(value) && /\d/.test(value);
}

/** UTF-16 units of a token that are judged. */
const mostJudged = 200;

/** True if a value of a known form is a documented or invented example: it repeats itself or says so. */
export function isExample(token: string): boolean {
  // One provider's bearer tokens begin with these. The beginning is enough, and limits the time for long tokens.
  const value = token.slice(0, mostJudged).replace(/^A{20,22}/, '');
  return (
    /example|eby8vdm02xno|xxxx|placeholder|your[-_]|redacted|\.\.\.|(.)\1{7}|1234567890|abcdefghij/i.test(
      value,
    ) || hasFewCharacters(value)
  );
}

/** True if a text has fewer than eight different characters. */
function hasFewCharacters(value: string): boolean {
  let seen = '';
  for (let index = 0; index < value.length && seen.length < 8; index += 1) {
    const character = value.charAt(index);
    seen += seen.includes(character) ? '' : character;
  }
  return seen.length < 8;
}
