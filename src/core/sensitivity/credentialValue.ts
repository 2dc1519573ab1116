import { looksLikeWords } from './letterPairs';
import { isPlaceholder, mixesLettersAndDigits } from './placeholder';

/** The version ranges of lock files and manifests, as in `"js-tokens": "npm:^4.0.0"`. */
const versionRange = /^(?:(?:npm|workspace|patch|link|catalog|github|git):|[~^]?\d{1,4}\.\d{1,4}\.)/;

/** AWS secret access keys have forty base64 characters; the first may be a slash. Azure keys end in `=`. */
const slashedKey = /^\/[A-Za-z\d+/]{39}(?:[A-Za-z\d+/]{1,56}={1,2})?$/;

/** A path: its parts are names. A password may begin with the same signs. */
export function isPath(value: string): boolean {
  return (
    /^(?:https?:|[A-Za-z]:[\\/]|\.{1,2}\/|~\/|\/\/|\/.*\/)/.test(value) ||
    (/^[./~]/.test(value) && (looksLikeWords(value.slice(1)) || !/\d/.test(value)))
  );
}

/** Numbers with an exponent, and names of key and certificate files. */
const numberOrFile =
  /^[-+]?\d+(?:\.\d+)?e[-+]?\d+$|^[\w.-]+\.(?:pem|key|crt|cer|der|csr|pub|p12|pfx|jks|asc|gpg)$/i;
/** The next line of an environment file, after a variable without a value. */
const variableLine = /^[A-Z][A-Z\d]*_[A-Z\d_]*=/;

/** True for a price, a file or another variable, whatever the name before it says. */
export function isOtherValue(value: string): boolean {
  return numberOrFile.test(value) || variableLine.test(value);
}

/** True for the name of a method to authenticate, such as `CRAM-MD5`, or of a type of key, such as `ssh-ed25519`. */
export function isMethod(value: string): boolean {
  return /^[A-Z]{2,8}(?:-[A-Z\d]{2,6}){1,2}$|^(?:ssh|ecdsa|sk)-[a-z\d@.-]{3,40}$/.test(value);
}

/** False for words with dots between them that are no members of objects: no name in code begins with a digit. */
export function isMembers(value: string): boolean {
  return !/(?:^|\.)\d|[a-z]\d[A-Z]/.test(value);
}

/** Paths, addresses and members of objects are not credentials themselves. */
function isReference(value: string, quoted: boolean): boolean {
  return (
    (isPath(value) && !slashedKey.test(value)) ||
    (!quoted &&
      /^[A-Za-z_$][\w$]*(?:[.:?!&|-]+[A-Za-z_$][\w$]*)*[?!]*\d?$/.test(value) &&
      looksLikeWords(value) &&
      !isWordList(value)) ||
    (/^[\w$]+\??\.[A-Za-z_$]/.test(value) &&
      isMembers(value) &&
      looksLikeWords(value) &&
      !isWordList(value)) ||
    (!quoted &&
      value.length < 40 &&
      !alternates(value) &&
      isMembers(value) &&
      /^[A-Za-z_$][\w$]{0,24}(?:[?!]?\.[A-Za-z_$][\w$]{0,24})+$/.test(value)) ||
    isMethod(value) ||
    value.includes('/.') ||
    // Constants, small numbers, items of lists.
    /^[A-Z][A-Z\d]*(?:_[A-Z\d]+)+$|^0x[\da-f]{1,16}$|^\w+\[\w*\]$|^(?:urn|arn):/.test(value) ||
    value.includes('::') ||
    versionRange.test(value) ||
    /==+[^=]/.test(value)
  );
}

/** True if upper and lower case are mixed irregularly, as in generated keys that happen to have no digit. */
function mixesCases(value: string): boolean {
  const changes = value.match(/[a-z][A-Z]|[A-Z](?=[A-Z]{0,2}[a-z])/g)?.length ?? 0;
  return (
    value.length >= 8 &&
    changes >= value.length / 3 &&
    /^[A-Za-z\d+/=_-]+$/.test(value) &&
    !/^(?:[A-Z]?[a-z]{2,}){1,5}$/.test(value)
  );
}

/** Parts of a name in code: a word, an abbreviation, a number. */
const parts = /[A-Z]?[a-z]+|[A-Z]+(?![a-z])|\d+/g;

/**
 * True if letters and digits alternate as in no name: letters of both cases with digits in short pieces. Some generated
 * values contain many letter pairs of words by chance.
 */
function alternates(value: string): boolean {
  const count = value.match(parts)?.length ?? 0;
  return (
    /[a-z]/.test(value) && /[A-Z]/.test(value) && /\d/.test(value) && count >= 5 && value.length / count < 2.4
  );
}

/** The shortest values that count, in UTF-16 units. */
const shortestChosen = 4;
const shortestBare = 6;
const shortestGenerated = 8;

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
  const shortest = chosen ? (quoted ? shortestChosen : shortestBare) : shortestGenerated;
  if (value.length < shortest || isPlaceholder(value) || isOtherValue(value) || /[^\t -\u024f]/.test(value)) {
    return false;
  }
  if (chosen && isWordWithNumber(value, quoted)) {
    return true;
  }
  if (isReference(value, quoted)) {
    return false;
  }
  if (alternates(value)) {
    return true;
  }
  // A call, an index or an operator: code that returns the value.
  if (/\(.*\)|\w\[|=>|\?\?|&&|\|\|/.test(value) && !(chosen && quoted && !looksLikeWords(value))) {
    return false;
  }
  if (!isGenerated) {
    return chosen && isChosenText(value, quoted);
  }
  if (!looksLikeWords(value)) {
    return true;
  }
  // Words and digits without a gap, as people choose them: `Maple!2041`, `quiltwork4411`.
  return (
    chosen &&
    (isWordList(value) || /[!@#$%^&*+?~;]/.test(value)
      ? quoted || /\d{2}/.test(value)
      : quoted &&
        (/^[A-Za-z]+\d{1,}[A-Za-z]*$/.test(value) || (/^[\w.-]{8,}$/.test(value) && !codeWord.test(value))))
  );
}

/** Words of code and forms, which no list of random words contains. */
const codeWord =
  /(?:^|[-_.+ ])(?:pass\w*|secrets?|tokens?|keys?|users?|names?|usernames?|log[io]n|auth\w*|types?|fields?|inputs?|forms?|errors?|required?|valid\w*|invalid|reset|changed?|updated?|texts?|strings?|labels?|titles?|pages?|btn|icons?|class|styles?|content|headers?|options?|config\w*|settings?|data|codes?|files?|paths?|urls?|http\w*|links?|lists?|items?|values?|default|current|confirm|new|old|forgot|show|hide|toggle|strength|policy|accounts?|admin|servers?|clients?|services?|access|store|manager|provider|only|not|with|and|the|for|use|from|none|plain|basic|digest|sha|crypt|hash|manual|managed|app|api|id|db|env|prod|dev|local|remote)(?=$|[-_.+ \d])/i;

/** True for a password of words with signs between them, possibly with digits: `garden-button-umbrella`, `walnut_ember53`. */
export function isWordList(value: string): boolean {
  return (
    (/^[A-Za-z]{3,12}(?:[-.+][A-Za-z]{3,12}){2,6}\d{0,6}$/.test(value) ||
      /^[A-Za-z]{3,12}(?:[-_.+][A-Za-z]{3,12}){1,6}[-_.+]?\d{1,6}$/.test(value)) &&
    !codeWord.test(value)
  );
}

/** True for a word with a number of two or more digits, as people choose them: `battery476_Anchor`, `Copper12!`. */
function isWordWithNumber(value: string, quoted: boolean): boolean {
  return (
    value.length >= 8 &&
    /^[\w.!@#$%^&*+?~-]+$/.test(value) &&
    /[A-Za-z]{3}/.test(value) &&
    /\d{2}/.test(value) &&
    (quoted || /[!@#$%^&*]/.test(value)) &&
    !/^[A-Z\d_]+$|^(?:\w+\.)+\w*[a-z]\(|^v?\d+\.\d|^\w+\.[a-z]{2,5}\d?$/.test(value) &&
    !codeWord.test(value)
  );
}

/** True for a passphrase of random words. */
export function isPassphrase(value: string): boolean {
  return (
    /^[a-z]{3,12}(?: [a-z]{3,12}){3,9}$/.test(value) && !codeWord.test(value) && !functionWord.test(value)
  );
}

/** Words that make a sentence. */
const functionWord =
  /\b(?:is|are|was|you|your|can|will|must|should|may|has|have|this|that|than|into|when|where|which|any|all|each|else|then)\b/;

/** True if a value that does not mix letters and digits is a password that a person chose, and no word of code. */
function isChosenText(value: string, quoted: boolean): boolean {
  return (
    (quoted && /[A-Za-z]/.test(value) && /[!@#$%^&*+?]/.test(value.slice(1)) && !/[/:;,|]/.test(value)) ||
    (quoted && isWordList(value)) ||
    (/^[A-Za-z]{8,}$/.test(value) && !looksLikeWords(value)) ||
    (quoted && /^(?:[a-z]{8,}|\d{8,32})$/.test(value))
  );
}
