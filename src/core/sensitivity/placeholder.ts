const placeholderWords =
  /example|placeholder|your|change[-_]?me|redacted|dummy|sample|insert|replace|xxxx|\*\*\*|\.\.\.|…/i;
const templates = /^(?:[<[({$%&]|process\.|os\.|env[.:[(]|import\.meta|secrets\.|config\.|vault:|file:)/i;
const wholeWords =
  /^(?:null|nil|none|undefined|true|false|todo|tbd|test|fake|secret|password|passwd|token|string|required|optional)[\d!]*$/i;

/**
 * Whether a value is only a placeholder for a credential: `<your-key>`, `${TOKEN}`, `process.env.KEY`, `changeme`, `***`,
 * one character repeated.
 */
export function isPlaceholder(value: string): boolean {
  return (
    placeholderWords.test(value) || templates.test(value) || wholeWords.test(value) || /^(.)\1*$/.test(value)
  );
}

/** Letters together with digits: typical of generated credentials, rare in names and words. */
export function mixesLettersAndDigits(value: string): boolean {
  return /[A-Za-z]/.test(value) && /\d/.test(value);
}
