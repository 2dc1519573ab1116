import { type AnchoredDetector, matchAt, valueRange } from './anchored';
import { looksLikeWords } from './letterPairs';
import { isExample, isPlaceholder } from './placeholder';
import { labelled } from './ruleWords';

/** The user information of an address (RFC 3986, section 3.2.1), from the slashes on. The slashes may be escaped. */
const userInformation =
  /:(?:\\{0,64}\/){2}(?<user>[^\s:@/?#"'`<>(){}[\]|,;\\]{0,128}):(?<value>[^\s/?#"'`<>|\\]{1,256})@(?<host>[A-Za-z0-9[_.-]{1,253})/dy;
const harmlessHost =
  /^(?:example\.|host(?:name)?$|domain\.|test\.|your|my-?host|server$|site\.|foo|bar|a\.|b\.|x\.)/i;
const harmlessPassword =
  /^(?:pass(?:word|wd)?(?:%\w\wpass)?|pw|pwd|secret|p|x|y|b|[a-z]|user|token|\d{1,3}|x-oauth-basic|postgres|mysql|root|guest|example)$/i;

/** The password of an address of any scheme: `redis://:…@host`, `https://user:…@host`. */
export const urlPassword: AnchoredDetector = {
  ...labelled('urlPassword', 'restricted'),
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
      !/^(.)\1*$|\*\*|^\*|[${}]|%[sdv](?![\w%])/.test(value) &&
      !harmlessHost.test(match?.groups?.['host'] ?? '');
    return isReal ? range : undefined;
  },
};

const dataSource = /(?:^|[\s"'`=\\(])[\w.-]{1,64}:(?<value>[^\s"'`\\/]{3,128})$/d;

/** The password of a data source of Go: `user:…@tcp(host:3306)/name`. */
export const dataSourcePassword: AnchoredDetector = {
  ...labelled('urlPassword', 'restricted'),
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

/**
 * The signature of a signed address of Azure, Amazon, Google, CloudFront or another service. Anyone who has it may use
 * the address.
 */
const signature =
  /(?:(?<=[?&;"'\s]|amp;|u0026|%26)(?:sig|hmac|hdnts|hdnea|q-signature|signature|CloudFront-Signature|policy-signature)(?:=|%3D)(?:exp=\d{1,12}~[\w=~*/%-]{0,200}hmac=)?(?<value>[A-Za-z0-9%+/=_~-]{32,1400})|(?:X-Amz-Signature|X-Goog-Signature|X-Oss-Signature|X-Tos-Signature|X-Obs-Signature|CloudFront-Signature)\\{0,64}["']?(?:=|%3D|:[ \t]{0,2}\\{0,64}["']?)(?<hash>[\w~%+/=-]{32,1400})|X-Amz-Security-Token(?:=|%3D)(?<session>[\w%+/=-]{60,2400}))/diy;
const longestPrefix = 12;

export const signedAddress: AnchoredDetector = {
  ...labelled('signedAddress', 'restricted'),
  literals: [
    'sig=',
    'sig%3D',
    'signature=',
    'signature%3D',
    'signature:',
    'signature"',
    'hmac=',
    'hdnts=',
    'hdnea=',
    '-security-token=',
  ],
  find: (text, at) => {
    // The name may begin before the literal.
    const before = text.slice(Math.max(0, at - longestPrefix), at);
    const lead = /(?:X-(?:Amz|Goog|Oss|Tos|Obs)-|CloudFront-|q-|X-Amz)$/i.exec(before)?.[0].length ?? 0;
    const match = matchAt(signature, text, at - lead);
    const { value, hash, session } = match?.indices?.groups ?? {};
    const [from, end] = value ?? hash ?? session ?? [0, 0];
    const written = text.slice(from, end);
    return end === 0 || isExample(written) || looksLikeWords(written) || !/\d/.test(written)
      ? undefined
      : { start: from, end };
  },
};

/** The ports of PostgreSQL, Redshift, PgBouncer, Supabase, DigitalOcean and CockroachDB. */
const databasePorts = ['5432', '5433', '5439', '6432', '6543', '25060', '25061', '26257', '*'];
/** A line of PostgreSQL's password file: host, port, database, user, password. */
const passwordLine =
  /(?<=(?:^|[\s"'`\\>]|\\n)[\w.*-]{1,100}):(?:\d{4,5}|\*):(?:[\w.*-]{1,64}):(?:[\w.*@-]{1,64}):(?<value>[^\s"'`]{4,128}?)(?=$|[\s"'`]|\\{1,64}[nr"'])/dy;

export const passwordFileLine: AnchoredDetector = {
  ...labelled('commandCredential', 'restricted'),
  literals: databasePorts.map(port => `:${port}:`),
  find: (text, at) => {
    const range = valueRange(matchAt(passwordLine, text, at));
    const value = range === undefined ? '' : text.slice(range.start, range.end);
    return range === undefined ||
      isPlaceholder(value) ||
      harmlessPassword.test(value) ||
      /^[\d:.]+$|:|\/\//.test(value)
      ? undefined
      : range;
  },
};
