const placeholderWords =
  /example|placeholder|change[-_]?(?:me|it)|replace|redacted|dummy|sample|insert|xxxx|\*\*\*|\.\.\.|…|•|\b(?:your|my|some|any|the|fake|mock|foo|bar|test)[-_]|^your|123456789|abcdef(?!\d)|012345/i;
const templates =
  /^(?:[<[({$%&#]|process\.|os\.|env[.:[(]|import\.meta|secrets\.|config\.|vault:|file:|ref\+|op:|arn:|data:|base64:(?![A-Za-z0-9+/]{43}=$))|\$\{|\{\{|<[a-z_ -]+>|%[sd({]|\$\(/i;
/** Words used as placeholders for a credential, alone or with a number. */
const standIns =
  /^(?:null|nil|none|undefined|true|false|todo|tbd|test(?:ing)?|fake|mock|my|the|user|admin|root|guest|default|demo|foo|bar|baz|secret|pass(?:wo?r?d|phrase|wd)?|pwd|pw|token|key|api|string|required|optional|invalid|wrong|correct|old|new|bad|good|valid|super|some|client|access|refresh|auth|id|value|hash|abc|qwerty|letmein|hunter|[-_.@#!$\d])+$/i;

/**
 * True if a value is only a placeholder for a credential: `<your-key>`, `${TOKEN}`, `process.env.KEY`, `changeme`,
 * `***`, one character repeated, `password123`.
 */
export function isPlaceholder(value: string): boolean {
  return (
    placeholderWords.test(value) ||
    templates.test(value) ||
    standIns.test(value) ||
    /^(.{1,3})\1+.?$/.test(value)
  );
}

/** Letters together with digits: typical of generated credentials, rare in names and words. */
export function mixesLettersAndDigits(value: string): boolean {
  return /[A-Za-z]/.test(value) && /\d/.test(value);
}

/** True if a value of a known form is a documented or invented example: it repeats itself or says so. */
export function isExample(token: string): boolean {
  // One provider's bearer tokens begin with these.
  const value = token.replace(/^A{20,22}/, '');
  return (
    /example|xxxx|placeholder|your[-_]|redacted|\.\.\.|(.)\1{7}|1234567890|abcdefghij/i.test(value) ||
    new Set(value).size < 8
  );
}
