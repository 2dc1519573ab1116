import { translate } from '../base/translate';
import type { Detector } from './detector';
import type { SensitivityFinding } from './finding';
import { isPlaceholder, mixesLettersAndDigits } from './placeholder';

const rule = 'credentialAssignment';
const message = translate('found a value assigned to the name of a credential');

/** The end of a name, a separator, and the quote that opens the value; quotes may be escaped, as in nested JSON. */
const assignment =
  /(?:passwo?r?d|passphrase|pwd|secret|token|(?:api|access|auth|account|secret|private|encryption|signing)[-_]?key|credentials?)\\?["'`]?[ \t]{0,4}(?::=|=>|[:=])[ \t]{0,4}(\\?["'`]?)/gi;
/**
 * The same from the separator on, which is much faster to find, plus the first characters of a value of sufficient
 * length.
 */
const longAssignment =
  /[:=](?<=(?:passwo?r?d|passphrase|pwd|secret|token|key|credentials?)\\?["'`]?[ \t]{0,4}[:=])[=>]?[ \t]{0,4}\\?["'`]?[^\s"'`,;|&<>(){}[\]\\]{8}/i;
const nameCharacters = 40;
/** Names of tokens that grant no access: pagination, and the special tokens of language models. */
const harmlessName =
  /(?:next|page|continuation|cursor|sync|resume|stop|start|end|eos|bos|pad|unk|mask|sep|cls|special|csrf)[-_]?(?:page)?[-_]?token$/i;

const shortest = 8;
const value = /[^\s"'`,;|&<>(){}[\]\\]{1,512}/y;

/** Where the value ends, or -1 if it cannot be a credential. */
function valueEnd(text: string, start: number, quote: string): number {
  value.lastIndex = start;
  if (!value.test(text)) {
    return -1;
  }
  const end = value.lastIndex;
  // A quoted value ends with its quote. A bare one before a bracket is code that yields the value, not the value.
  const closes = quote === '' ? !/[([{<]/.test(text.charAt(end)) : text.startsWith(quote, end);
  return closes ? end : -1;
}

/** Paths, addresses and, where there is no quote, members of objects are not credentials themselves. */
function isReference(value: string, quote: string): boolean {
  return (
    /^(?:[./~]|https?:)/.test(value) ||
    (quote === '' && /^[A-Za-z_$][\w$]*(?:\.[A-Za-z_$][\w$]*)+$/.test(value))
  );
}

function isCredential(value: string, quote: string): boolean {
  return (
    value.length >= shortest &&
    mixesLettersAndDigits(value) &&
    !isPlaceholder(value) &&
    !isReference(value, quote) &&
    // Without a quote, a name with a number in it (`token = token2hash`) is code.
    (quote !== '' || !/^[a-z]+[A-Z]?[a-z]*\d?[a-z]*$/.test(value))
  );
}

/** `DB_PASSWORD=…`, `"api_key": "…"`, `client_secret: …` with a value that looks real. */
export const credentialAssignment: Detector = {
  rule,
  scan: text => {
    const findings: SensitivityFinding[] = [];
    if (!longAssignment.test(text)) {
      return findings;
    }
    for (const match of text.matchAll(assignment)) {
      const quote = match[1] ?? '';
      const start = match.index + match[0].length;
      const end = valueEnd(text, start, quote);
      if (end === -1 || !isCredential(text.slice(start, end), quote)) {
        continue;
      }
      const name = /^[^:=\s"'`]*/.exec(match[0])?.[0] ?? '';
      const before = text.slice(Math.max(0, match.index - nameCharacters), match.index);
      if (!harmlessName.test(before + name)) {
        findings.push({ rule, label: 'restricted', start, end, message });
      }
    }
    return findings;
  },
};
