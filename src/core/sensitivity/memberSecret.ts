import { isArray, isObject, parseJson } from '../base/json';
import { type JsonToken, jsonTokens, unquoted } from '../base/jsonTokens';
import type { SensitivityFinding } from './finding';
import { looksLikeWords } from './letterPairs';
import { isPlaceholder } from './placeholder';
import { labelled } from './ruleWords';

/** Names of members with credentials as values. Two words mean a name that contains both. */
const names: ReadonlySet<string> = new Set([
  'password',
  'passwd',
  'passphrase',
  'passcode',
  'pin',
  'cvv',
  'cvc',
  'otp',
  'secret',
  'api key',
  'access key',
  'secret key',
  'private key',
  'signing key',
  'encryption key',
  'account key',
  'auth key',
  'auth token',
  'access token',
  'refresh token',
  'pin code',
]);

/** Minimum number of digits of a number that counts: a card's check number. */
const shortestNumber = 3;
/** Minimum number of UTF-16 units of a text that counts. */
const shortestText = 4;
/** Paths, addresses, members of objects and names of variables. */
const reference =
  /^(?:[.~]{0,2}\/[\w.-]*\/|\.{1,2}\/|~\/|[./~][A-Za-z.-]*$|\w+:\/\/|[A-Za-z]:[\\/])|^[A-Za-z_$][\w$]*(?:\.[A-Za-z_$][\w$]*)+$|^[A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+$/;

/** True if the last words of a name such as `dbPassword`, `API_KEYS` or `x-access-token` name a credential. */
function namesCredential(name: string): boolean {
  const words = name
    .slice(-80)
    .replace(/([a-z0-9])([A-Z])/g, '$1 $2')
    .toLowerCase()
    .split(/[^a-z0-9]+/)
    .filter(word => word !== '');
  const last = (words.at(-1) ?? '').replace(/s$/, '');
  return (
    names.has(last) || names.has(`${words.at(-2) ?? ''} ${last}`) || /^(?:api|access|secret)key$/.test(last)
  );
}

/**
 * True if the value of a member is a credential because of the member's name, such as `"pin": 4711`. In a text outside
 * a member, the name alone would be too weak a sign.
 * @param value a text, or a number as JSON writes it
 */
export function isMemberSecret(name: string, value: string, isNumber: boolean): boolean {
  if (isNumber) {
    return /^\d+$/.test(value) && value.length >= shortestNumber && namesCredential(name);
  }
  if (/^\d{3,12}$/.test(value)) {
    return !/^(\d)\1*$/.test(value) && namesCredential(name);
  }
  return (
    value.length >= shortestText &&
    /^\S+$/.test(value) &&
    (/[\d!@#$%^&*+=?]/.test(value) || (/[a-z]/.test(value) && /[A-Z]/.test(value) && value.length >= 12)) &&
    !isPlaceholder(value) &&
    !reference.test(value) &&
    !(/^[\w@.-]+(?:[/.:][\w.-]+)+$/.test(value) && looksLikeWords(value)) &&
    namesCredential(name)
  );
}

/** The description of a member's finding. */
export const memberFinding = {
  ...labelled('credentialMember', 'restricted'),
} as const;

/** Number of UTF-16 units examined at the end of a name. */
const longestName = 80;

/** Results by name, because few names make up most members. */
const judged = new Map<string, boolean>();
const mostJudged = 10_000;

function isJudgedCredential(name: string): boolean {
  let isCredential = judged.get(name);
  if (isCredential === undefined) {
    isCredential = namesCredential(name);
    if (judged.size < mostJudged) {
      judged.set(name, isCredential);
    }
  }
  return isCredential;
}

/**
 * A colon after the end of such a name. Most texts have none, and a pattern detects this fastest: it begins at the
 * quote, because few texts have a quote before a colon, and looks back from there.
 */
const nameBeforeColon =
  /"[\0- ]*:(?<=(?:pass(?:w(?:or)?d|phrase|code)|pin|cv[vc]|otp|secret|key|token|code)s?[^a-z\d"]{0,80}"[\0- ]*:)/gi;

/** True if a JSON text has a member with the name of a credential, also in JSON inside its strings. */
export function hasCredentialName(text: string): boolean {
  nameBeforeColon.lastIndex = 0;
  for (let found = nameBeforeColon.exec(text); found !== null; found = nameBeforeColon.exec(text)) {
    const start = text.lastIndexOf('"', found.index - 1) + 1;
    if (isJudgedCredential(text.slice(Math.max(start, found.index - longestName), found.index))) {
      return true;
    }
  }
  return false;
}

/** Minimum number of names of a translation. */
const fewestSentences = 8;

/** True if most names are words with blanks, as in a file with the translations of labels. */
function isTranslation(text: string, tokens: readonly JsonToken[]): boolean {
  const written = tokens.filter(({ kind }) => kind === 'name');
  const spaced = written.filter(({ start, end }) => text.slice(start, end).includes(' '));
  return spaced.length >= fewestSentences && spaced.length * 2 > written.length;
}

/** The credentials among the values of a text that is the JSON of an object or a list. */
export function memberSecretsIn(text: string): readonly SensitivityFinding[] {
  if (!/^\s*[[{]/.test(text) || !hasCredentialName(text)) {
    return [];
  }
  const value = parseJson(text);
  if (!isObject(value) && !isArray(value)) {
    return [];
  }
  const tokens = jsonTokens(text);
  const sentences = isTranslation(text, tokens);
  return tokens.flatMap(({ kind, start, end, name }): readonly SensitivityFinding[] => {
    const named = tokens[name];
    if (kind === 'name' || named === undefined) {
      return [];
    }
    const isNumber = kind === 'number';
    const written = text.slice(start, end);
    const isSecret =
      !(sentences && !/\d/.test(written)) &&
      isMemberSecret(unquoted(text.slice(named.start, named.end)), unquoted(written), isNumber);
    return isSecret
      ? [{ ...memberFinding, start: start + (isNumber ? 0 : 1), end: end - (isNumber ? 0 : 1) }]
      : [];
  });
}
