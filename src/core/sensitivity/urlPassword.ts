import { type AnchoredDetector, matchAt, valueRange } from './anchored';
import { isExample, isPlaceholder } from './placeholder';
import { ruleWords } from './ruleWords';

/** The user information of an address (RFC 3986, section 3.2.1), from the slashes on. The slashes may be escaped. */
const userInformation =
  /:(?:\\{0,64}\/){2}(?<user>[^\s:@/?#"'`<>(){}[\]|,;\\]{0,128}):(?<value>[^\s/?#"'`<>|\\]{1,256})@(?<host>[A-Za-z0-9[_.-]{1,253})/dy;
const harmlessHost =
  /^(?:example\.|host(?:name)?$|domain\.|test\.|your|my-?host|server$|site\.|foo|bar|a\.|b\.|x\.)/i;
const harmlessPassword =
  /^(?:pass(?:word|wd)?(?:%\w\wpass)?|pw|pwd|secret|p|x|y|b|[a-z]|user|token|\d{1,3}|x-oauth-basic|postgres|mysql|root|guest|example)$/i;

/** The password of an address of any scheme: `redis://:…@host`, `https://user:…@host`. */
export const urlPassword: AnchoredDetector = {
  rule: 'urlPassword',
  label: 'restricted',
  message: ruleWords.urlPassword,
  literals: ['://', ':\\/'],
  find: (text, at) => {
    const match = matchAt(userInformation, text, at);
    const range = valueRange(match);
    if (range === undefined || !/[A-Za-z0-9]/.test(text.charAt(at - 1))) {
      return undefined;
    }
    const value = text.slice(range.start, range.end);
    const isReal =
      value.length >= 3 &&
      !harmlessPassword.test(value) &&
      !isPlaceholder(value) &&
      !/^(.)\1*$|[${}*]|%[sdv]/.test(value) &&
      !harmlessHost.test(match?.groups?.['host'] ?? '');
    return isReal ? range : undefined;
  },
};

const dataSource = /(?:^|[\s"'`=\\(])[\w.-]{1,64}:(?<value>[^\s"'`\\/]{3,128})$/d;

/** The password of a data source of Go: `user:…@tcp(host:3306)/name`. */
export const dataSourcePassword: AnchoredDetector = {
  rule: 'urlPassword',
  label: 'restricted',
  message: ruleWords.urlPassword,
  literals: ['@tcp(', '@unix('],
  find: (text, at) => {
    const from = Math.max(0, at - 200);
    const range = valueRange(dataSource.exec(text.slice(from, at)));
    const value = range === undefined ? '' : text.slice(from + range.start, from + range.end);
    return range === undefined ||
      harmlessPassword.test(value) ||
      isPlaceholder(value) ||
      /[${}*]|%[sdv]/.test(value)
      ? undefined
      : { start: from + range.start, end: from + range.end };
  },
};

/** The signature of a signed address of Azure, Amazon or Google. Anyone who has it may use the address. */
const signature =
  /(?:(?<=[?&;"'\s]|amp;|u0026|%26)sig(?:=|%3D)(?<value>[A-Za-z0-9%+/=_-]{40,100})|(?:X-Amz-Signature|X-Goog-Signature)(?:=|%3D)(?<hash>[0-9a-f]{64,1024}))/diy;

export const signedAddress: AnchoredDetector = {
  rule: 'signedAddress',
  label: 'restricted',
  message: ruleWords.signedAddress,
  literals: ['sig=', 'sig%3D', '-signature='],
  find: (text, at) => {
    const start = text.charAt(at) === '-' ? at - (/goog$/i.test(text.slice(at - 4, at)) ? 6 : 5) : at;
    const match = start < 0 ? null : matchAt(signature, text, start);
    const [from, end] = match?.indices?.groups?.['value'] ?? match?.indices?.groups?.['hash'] ?? [0, 0];
    return end === 0 || isExample(text.slice(from, end)) ? undefined : { start: from, end };
  },
};
