import { isPlaceholder } from './placeholder';

/** Names of members whose values give access. Two words stand for a name of both. */
const names: ReadonlySet<string> = new Set([
  'password',
  'passwd',
  'passphrase',
  'passcode',
  'pwd',
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

/** Digits of the shortest number that counts: a card's check number. */
const shortestNumber = 3;
/** UTF-16 units of the shortest text that counts. */
const shortestText = 4;
const reference = /^(?:[./~]|\w+:\/\/)|^[A-Za-z_$][\w$]*(?:\.[A-Za-z_$][\w$]*)+$/;

/** Whether the last words of a name such as `dbPassword`, `API_KEYS` or `x-access-token` are those of a credential. */
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
 * Whether the value of a member is a credential because of the member's name, such as `"pin": 4711`. A text outside of a
 * member would be too weak a sign for this.
 * @param value a text, or a number as JSON writes it
 */
export function isMemberSecret(name: string, value: string, isNumber: boolean): boolean {
  if (isNumber) {
    return /^\d+$/.test(value) && value.length >= shortestNumber && namesCredential(name);
  }
  return (
    value.length >= shortestText &&
    /^\S+$/.test(value) &&
    (/[\d!@#$%^&*+=?]/.test(value) || (/[a-z]/.test(value) && /[A-Z]/.test(value) && value.length >= 12)) &&
    !isPlaceholder(value) &&
    !reference.test(value) &&
    namesCredential(name)
  );
}
