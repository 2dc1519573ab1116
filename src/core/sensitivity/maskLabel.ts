import { detectors } from './detectors';
import { maskText } from './maskText';

const sign = '•••';
const ellipsis = '…';
/** How many UTF-16 units of a secret at the end of a cut label count as the secret's beginning. */
const shortestBeginning = 4;

/** The beginnings of the tokens that a secret scanner knows; a cut label may contain no more of them. */
const tokenBeginning =
  /\b(?:gh[oprsu]_|github_pat_|xox[abeoprs]-|xapp-|A[KS]IA|sk-|npm_|shpat_)(?=[\w-]{0,60}\d)[\w-]{8,}/g;

/**
 * A label with what the program's own detectors find in it taken out, and what looks like a token: at once, before its
 * block is scanned.
 */
export function maskLabelAlone(label: string): string {
  const findings = detectors.flatMap(({ scan }) => scan(label));
  return maskText(label, findings)
    .map(segment => ('text' in segment ? segment.text : sign))
    .join('')
    .replace(tokenBeginning, sign);
}

/**
 * A label made of the beginning of a text, with the secrets that were found in the text taken out, also the one in
 * which the label was cut off.
 */
export function maskLabel(label: string, secrets: readonly string[]): string {
  return secrets.reduce((masked, found) => {
    const secret = found.replace(/\s+/g, ' ').trim();
    return secret === '' ? masked : withoutBeginning(masked.replaceAll(secret, sign), secret);
  }, label);
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
