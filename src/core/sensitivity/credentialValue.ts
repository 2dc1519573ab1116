import { looksLikeWords } from './letterPairs';
import { isPlaceholder, mixesLettersAndDigits } from './placeholder';

/** The version ranges of lock files and manifests, as in `"js-tokens": "npm:^4.0.0"`. */
const versionRange = /^(?:(?:npm|workspace|patch|link|catalog|github|git):|[~^]?\d{1,4}\.\d{1,4}\.)/;

/** AWS secret access keys have forty base64 characters; the first may be a slash. Azure keys end in `=`. */
const slashedKey = /^\/[A-Za-z\d+/]{39}(?:[A-Za-z\d+/]{1,56}={1,2})?$/;

/** Paths, addresses and members of objects are not credentials themselves. */
function isReference(value: string, quoted: boolean): boolean {
  return (
    (/^(?:[./~]|https?:|[A-Za-z]:[\\/])/.test(value) && !slashedKey.test(value)) ||
    (!quoted &&
      /^[A-Za-z_$][\w$]*(?:[.:?!&|-]+[A-Za-z_$][\w$]*)*[?!]*\d?$/.test(value) &&
      looksLikeWords(value)) ||
    (/^[\w$]+\??\.[A-Za-z_$]/.test(value) && looksLikeWords(value)) ||
    (!quoted &&
      value.length < 40 &&
      /^[A-Za-z_$][\w$]{0,24}(?:[?!]?\.[A-Za-z_$][\w$]{0,24})+$/.test(value)) ||
    value.includes('/.') ||
    value.includes('::') ||
    versionRange.test(value) ||
    /==+[^=]/.test(value)
  );
}

/** True if upper and lower case are mixed irregularly, as in generated keys that happen to have no digit. */
function mixesCases(value: string): boolean {
  const changes = value.match(/[a-z][A-Z]|[A-Z](?=[A-Z]{0,2}[a-z])/g)?.length ?? 0;
  return value.length >= 14 && changes >= value.length / 3 && /^[A-Za-z\d+/=_-]+$/.test(value);
}

/**
 * True if a value next to the name of a credential looks real.
 * @param quoted true if the value has quotes; without quotes, code is more likely
 * @param chosen true if people choose such values themselves, as with passwords, so they may contain words
 */
export function isCredentialValue(whole: string, quoted: boolean, chosen: boolean): boolean {
  // The beginning is enough. This limits the time for long values.
  const value = whole.slice(0, 96);
  const isGenerated = mixesLettersAndDigits(whole) || mixesCases(value);
  if (!chosen && !isGenerated) {
    return false;
  }
  if (value.length < 8 || isPlaceholder(value) || /[^\t -\u024f]/.test(value) || isReference(value, quoted)) {
    return false;
  }
  // A call, an index or an operator: code that returns the value.
  if (/\(.*\)|\w\[|=>|\?\?|&&|\|\|/.test(value)) {
    return false;
  }
  if (!isGenerated) {
    return (
      chosen &&
      quoted &&
      /[A-Za-z]/.test(value) &&
      /[!@#$%^&*+?]/.test(value.slice(1)) &&
      !/[/:;,|]/.test(value)
    );
  }
  if (!looksLikeWords(value)) {
    return true;
  }
  // Words and digits without a gap, as people choose them: `Maple!2041`, `quiltwork4411`.
  return (
    chosen &&
    (/[!@#$%^&*+?~]/.test(value)
      ? quoted || /\d{2}/.test(value)
      : quoted && /^[A-Za-z]+\d{2,}[A-Za-z]*$/.test(value))
  );
}
