import { parseJson } from '../base/json';
import { sensitiveIn } from './credentials';
import { withoutHomeFolders } from './homeFolder';
import { secretsIn } from './knownSecrets';
import { maskText } from './maskText';
import type { SecretScanner } from './scanner';

const sign = '•••';
const ellipsis = '…';
/** The number of UTF-16 units of a secret at the end of a cut label that count as the secret's beginning. */
const shortestBeginning = 4;

/** Only a label with one of these can contain a secret; most labels have none. */
const suspicious = /[\d@=]|:\/\/| -p|[A-Za-z][-_][\w-]{12}|[A-Z][a-z][A-Z]/;

/** The beginnings of tokens that a secret scanner knows. Nothing more of them may be left in a truncated label. */
const tokenBeginning =
  /\b(?:gh[oprsu]_|github_pat_|xox[abeoprs]-|xapp-|A[KS]IA|sk-|npm_|shpat_|SG\.|AIza|glpat-|gsk_|xai-|hvs\.|ya29\.|GOCSPX-|whsec_|dckr_pat_|[sr]k_live_|eyJ)(?=[\w.-]{0,60}\d)[\w.-]{8,}/g;
/**
 * The password of an address (even if the label was cut before its end), and the credential in the address of a web
 * hook. A port is not a password.
 */
const addressSecret =
  /(:\/\/[^\s:/@]*:)[^\s/@]+(?=@)|(:\/\/[^\s:/@]*:)(?!\d+$)[^\s/@]+$|(\bhooks\.slack\.com\/\w+\/|\/api\/webhooks\/)[\w/-]+/g;
/** The end of a word of a label. */
const wordEnd = /[\s/\\=:@?&,;|()"'`<>[\]{}]/;
/** In UTF-16 units. */
const shortestCutSecret = 8;

/**
 * A label without the findings of the program's own detectors, and without text that looks like a token or its
 * beginning. It is ready at once, before its block is scanned. Waiting for a secret scanner would find no more, because
 * its rules see only a part of a truncated label.
 * @param scanner says if personal data is removed. Without a scanner, personal data recognisable by its form is
 * removed.
 */
export function maskLabelAlone(label: string, scanner?: SecretScanner): string {
  if (!suspicious.test(label)) {
    return label;
  }
  const isCut = label.endsWith(ellipsis);
  // Detectors would mistake the ellipsis for a placeholder's.
  const kept = isCut ? label.slice(0, -ellipsis.length) : label;
  const findings = withoutHomeFolders(sensitiveIn(kept, scanner).findings);
  const segments = findings.length === 0 ? [{ text: kept }] : maskText(kept, findings);
  const found = segments.map(segment => ('text' in segment ? segment.text : sign)).join('');
  const masked = withoutAddressSecrets(found.replace(tokenBeginning, sign));
  return isCut ? withoutCutWord(masked) + ellipsis : masked;
}

/**
 * A truncated label without its last word, if the mix of letters and digits, or of cases, could be the beginning of a
 * secret.
 */
function withoutCutWord(label: string): string {
  let start = label.length;
  while (start > 0 && !wordEnd.test(label.charAt(start - 1))) {
    start -= 1;
  }
  const word = label.slice(start);
  const mayBeSecret =
    word.length >= shortestCutSecret &&
    ((/\d/.test(word) && /[A-Za-z]/.test(word)) || /[A-Z][a-z][A-Z]/.test(word));
  return mayBeSecret ? label.slice(0, start) + sign : label;
}

function withoutAddressSecrets(label: string): string {
  return label.includes('//') || label.includes('hooks')
    ? label.replace(
        addressSecret,
        (_, ...before: readonly (string | undefined)[]) => `${before.slice(0, 3).join('')}${sign}`,
      )
    : label;
}

/**
 * A label made of the beginning of a text, without the secrets found in the text. This includes a secret that is
 * truncated at the end of the label.
 */
export function maskLabel(label: string, secrets: readonly string[]): string {
  return secrets.flatMap(shownForms).reduce((masked, found) => {
    const secret = found.replace(/\s+/g, ' ').trim();
    return secret === '' ? masked : withoutBeginning(masked.replaceAll(secret, sign), secret);
  }, label);
}

/** The forms of a found secret and of its value in a label: without JSON escapes. */
function shownForms(found: string): readonly string[] {
  const escaped: unknown = found.includes('\\') ? parseJson(`"${found}"`) : undefined;
  return [found, ...secretsIn(typeof escaped === 'string' ? escaped : found)];
}

function withoutBeginning(label: string, secret: string): string {
  if (!label.endsWith(ellipsis)) {
    return label;
  }
  const kept = label.slice(0, -ellipsis.length);
  for (let length = Math.min(kept.length, secret.length); length >= shortestBeginning; length -= 1) {
    if (secret.startsWith(kept.slice(-length))) {
      return kept.slice(0, -length) + sign + ellipsis;
    }
  }
  return label;
}
