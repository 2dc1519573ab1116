import { type AnchoredDetector, matchAt, valueRange } from './anchored';
import { isCredentialValue } from './credentialValue';
import { labelled } from './ruleWords';

const credential = labelled('credentialAssignment', 'restricted');

const sent =
  /send(?:line|_line)?(?:[ \t]{1,4}(?:-[-hs][ \t]{1,4}){0,3}|[ \t]{0,2}\([ \t]{0,2}(?:[bru]{0,2}))(?:\\{0,64}["'{])(?<value>[^\s"'\\{}]{4,128})(?:\\{1,64}[rn]){0,3}(?=\\{0,64}["'}])/dy;
const question = /assw|assphrase|passcode|\bpin\b|secret|token/i;
/** The examined text before an answer, in UTF-16 units. */
const reach = 300;

/** The password that a script sends after a question for it: `expect "*assword:"`, then `send "…\r"`. */
export const sentAnswer: AnchoredDetector = {
  ...credential,
  literals: [
    'send "',
    "send '",
    'send \\"',
    'send -- ',
    'send -h',
    'send {',
    'sendline(',
    'sendline "',
    '.send(',
  ],
  find: (text, at) => {
    const before = text.slice(Math.max(0, at - reach), at);
    const asked = before.slice(before.lastIndexOf('expect'));
    const range =
      question.test(asked) && before.includes('expect')
        ? valueRange(matchAt(sent, text, text[at] === '.' ? at + 1 : at))
        : undefined;
    return range !== undefined && isCredentialValue(text.slice(range.start, range.end), true, true)
      ? range
      : undefined;
  },
};

const code =
  /(?:pin|puk|[t]?otp|cv[vc]2?|(?:ification|rity|-time|login|2fa|mfa|sms|auth(?:entication|enticator)?|access|backup|tan|lock|unlock|door|entry|gate|alarm)[-_ ]code|passcode|tan)(?:[-_ ]?(?:code|number|no|nr))?(?:\\{0,64}["'`]|\*\*)?(?:[ \t]{0,4}(?::=|=>|[:=])[ \t]{0,4}|[ \t]{1,2}(?:(?:of|for|to|für|der|vom|von)[ \t][^.\n:;=]{1,50}?[ \t])?(?:is|was|ist|lautet)[ \t:]{1,3}|(?<=otp|code)[ \t])(?:\\{0,64}["'`]|\*\*)?(?<value>\d{3,8})(?![\w%-]|[.,:]\d)/diy;

/** A short number after a name such as `PIN`, `OTP` or `CVV`. */
export const shortCode: AnchoredDetector = {
  ...credential,
  literals: [
    'pin',
    'puk',
    'lock code',
    'door code',
    'entry code',
    'gate code',
    'alarm code',
    'access code',
    'otp',
    'cvv',
    'cvc',
    'ification code',
    'rity code',
    '-time code',
    'login code',
    '2fa code',
    'mfa code',
    'passcode',
  ],
  checks: { endsName: true },
  find: (text, at) => {
    const [before, first] = [text.charAt(at - 1), text.charAt(at)];
    const begins =
      !/[A-Za-z\d]/.test(before) ||
      (/[a-z]/.test(before) && /[A-Z]/.test(first)) ||
      /[irtslmdegac2-]/.test(first);
    const range = begins ? valueRange(matchAt(code, text, at)) : undefined;
    const value = range === undefined ? '' : text.slice(range.start, range.end);
    const least = /c/i.test(first) ? 3 : 4;
    return value.length < least || /^(\d)\1*$|^0?1234/.test(value) ? undefined : range;
  },
};

const credentials =
  /(?:log(?:ged)?[ -]?in|sign[ -]?in|login|melde|anmelden|einloggen|credentials?|creds|account|zugang\w{0,8}|user(?:name)?|benutzer|\b(?:with|mit|as|als|is)\b|:)[^\n/]{0,24}?[ \t]{1,2}["'`]?(?<user>[\w.@-]{2,40})["'`]?$/i;
const second = /[ \t]\/[ \t]["'`]?(?<value>[^\s"'`\\/|<>]{6,64}?)(?=[.,;)]?["'`]?(?:[\s\\]|$))/dy;

/** A password after its user in a sentence: `log in with ada / …`. */
export const secondOfPair: AnchoredDetector = {
  ...credential,
  literals: [' / '],
  find: (text, at) => {
    const range = valueRange(matchAt(second, text, at));
    const value = range === undefined ? '' : text.slice(range.start, range.end);
    const isMeant =
      range !== undefined &&
      /[A-Za-z]/.test(value) &&
      /\d/.test(value) &&
      /[!@#$%^&*?]|[A-Z].*[a-z]|\d{2}$/.test(value) &&
      isCredentialValue(value.replace(/[^\x21-\x7e]/g, 'a'), true, true) &&
      credentials.test(text.slice(Math.max(0, at - 80), at));
    return isMeant ? range : undefined;
  },
};

const quoted = '\\\\{0,64}["\'`]';
const pair = new RegExp(
  `(?:auth=|auth[ \\t]{0,2}:[ \\t]{0,2}|BasicAuth|\\.login|\\.authenticate)[ \\t]{0,2}[([][ \\t]{0,2}(?:${quoted}[\\w.@+-]{1,80}${quoted}|[\\w.]{1,40}),[ \\t]{0,4}${quoted}(?<value>[^\\s"'\`\\\\]{6,128}|[a-z]{4}(?: [a-z]{4}){3})(?=${quoted})`,
  'diy',
);
const listedPair =
  /(?:creds?|credentials|login)[ \t]{0,2}[:=][ \t]{0,2}["'`]?[\w.@-]{2,40}:(?<value>[^\s"'`\\/]{6,64}?)(?=[.,;)]?["'`]?(?:[\s\\]|$))/diy;

/** The password after its user as arguments of a call, as in `auth=("ada", "…")`, or after `creds: ada:…`. */
export const passwordOfPair: AnchoredDetector = {
  ...credential,
  literals: [
    'auth=(',
    'auth: [',
    'BasicAuth(',
    '.login(',
    '.authenticate(',
    'cred:',
    'creds:',
    'credentials:',
    'login:',
  ],
  find: (text, at) => {
    const range = valueRange(matchAt(pair, text, at)) ?? valueRange(matchAt(listedPair, text, at));
    const value = range === undefined ? '' : text.slice(range.start, range.end);
    return /^[a-z]{4} /.test(value) || (/\d/.test(value) && isCredentialValue(value, true, true))
      ? range
      : undefined;
  },
};

const mention =
  /(?:this|my|our|new|following)[ \t](?:[\w-]{1,20}[ \t]){0,2}(?:token|key|secret)\b(?:(?!commit|hash|sha\d|digest|revision|checksum)[^\n.:;()=]){0,50}?[ \t:]["'`]?(?<value>(?=[^\s"'`]{0,60}\d)[A-Za-z\d_-]{32,128})(?=["'`.,;)]{0,2}(?:[\s\\]|$))/diy;

/** A token in the sentence that mentions it: `use this token for the calls …`. */
export const mentionedToken: AnchoredDetector = {
  ...credential,
  literals: ['this ', 'my ', 'our ', 'new ', 'following '],
  checks: { beginsWord: true },
  find: (text, at) => {
    const range = valueRange(matchAt(mention, text, at));
    return range !== undefined && isCredentialValue(text.slice(range.start, range.end), true, false)
      ? range
      : undefined;
  },
};

const printed =
  /(?:jsonpath=[^\n]{0,24}(?:pass|secret|token|key|data\.)[^\n]{0,80}|kv get[^\n]{0,60}-field=\S{1,40}[^\n]{0,80}|get-secret-value[^\n]{0,160}text|versions access[^\n]{0,120}|keyvault secret show[^\n]{0,160}tsv|find-(?:generic|internet)-password[^\n]{0,100}-w|op read[^\n]{0,100}|pass show[^\n]{0,60}|config:get [A-Z_]{0,40}(?:PASSWORD|SECRET|TOKEN|KEY)|openssl rand[^\n]{0,40}|pwgen[^\n]{0,40}|get-parameter[^\n]{0,160}text)(?:\r?\n|\\{1,16}n)(?<value>[^\s"'`\\]{8,400})(?=\r?\n|\\{1,16}n|["'\s]|$)/diy;

/** The secret that a command prints in the next line. */
export const printedSecret: AnchoredDetector = {
  ...credential,
  literals: [
    'jsonpath',
    'kv get',
    'get-secret-value',
    'versions access',
    'keyvault secret show',
    'find-generic-password',
    'find-internet-password',
    'op read',
    'pass show',
    'config:get ',
    'openssl rand',
    'pwgen',
    'get-parameter',
  ],
  find: (text, at) => {
    const range = valueRange(matchAt(printed, text, at));
    return range !== undefined && isCredentialValue(text.slice(range.start, range.end), true, true)
      ? range
      : undefined;
  },
};

/** The lines of a private key before its end, where its beginning is cut off. */
const keyLines = /(?:(?:^|\r?\n|\\{1,16}n|[ \t])[A-Za-z\d+/=]{1,76}){1,80}(?:\r?\n|\\{1,16}n)-{0,1}$/d;

export const privateKeyRest: AnchoredDetector = {
  ...labelled('privateKeyBlock', 'restricted'),
  literals: ['----END '],
  checks: { isExact: true },
  find: (text, at) => {
    if (!/^----END (?:[A-Z\d]{2,12} ){0,3}PRIVATE KEY/.test(text.slice(at, at + 64))) {
      return undefined;
    }
    const before = text.slice(Math.max(0, at - longestRest), at);
    const lines = before.includes('-----BEGIN') ? undefined : keyLines.exec(before)?.[0];
    const body = lines?.replace(/^(?:\s|\\{1,16}n)+/, '');
    return body !== undefined && /[A-Za-z\d+/]{40}/.test(body)
      ? { start: at - body.length, end: at }
      : undefined;
  },
};
const longestRest = 4000;
