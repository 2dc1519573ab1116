import { type AnchoredDetector, type TextRange, matchAt } from './anchored';
import {
  isCredentialValue,
  isMembers,
  isMethod,
  isOtherValue,
  isPassphrase,
  isPath,
  isWordList,
} from './credentialValue';
import { isPlaceholder } from './placeholder';
import { looksLikeWords } from './letterPairs';
import { labelled } from './ruleWords';
import { closingQuote } from './shellWords';

const quote = '(?:\\\\{0,255}["\'`]|&quot;|&#34;)';
const space = '(?:[ \\t]|\\\\{1,64}[nrt]|\\r?\\n)';

/** The last word of a name. */
const lastWord =
  /(?:pass(?:wo?r?d|wd|phrase|code|wort|e)?|kennwort|clave|pepper|contrase(?:ñ|n|\\{1,64}u00f1)a|senha|wachtwoord|psk|pwd?|secret|token|credential|creds?|key|auth|_pat)s?/iy;
/**
 * The characters with which the rest of the name may begin. For most words there is no rest, and its pattern is not
 * compiled.
 */
const tailStart = /[-_\dbcdhlpsv]/i;
const nameTail =
  /(?:[-_]?(?:value|base|string|hash(?=_key)|prod(?:uction)?|live|staging|dev|confirmation|data|\d{1,2})){1,2}/iy;

/** The number of one of several keys: `Unseal Key 1: …`. */
const keyNumber = / \d{1,2}(?=:[ \t])/y;

/** The text between a name and its value, and the opening quote of the value. */
const betweens = {
  assigned: new RegExp(
    `${quote}?\\]?(?:[ \\t]{0,4}\\{[ \\t]{0,4}get;[^{}"']{0,40}\\})?[ \\t]{0,32}(?::[ \\t]?&?(?:'static )?(?:string|str)\\b\\??[ \\t]{0,4}=|:=|=>|:(?!:)|(?<=[ \\t])\\|(?=[ \\t])|=(?![=>]|~[ \\t]))${space}{0,8}(?:\\([ \\t]{0,2}(?=${quote}))?(?:[bnruf@]{0,2}(?=["'\`]))?(?:(?:[A-Za-z_.]{2,24}(?:\\[|\\(|\\.)${quote}?\\w{2,60}${quote}?[\\])]?|process\\.env\\.\\w{2,60})[ \\t]{1,2}(?:\\|\\||\\?\\?|or)[ \\t]{1,2}(?=${quote}))?(?:(?:\\\\{0,64}["']){2}(?=\\\\{0,64}["']))?(?<quote>${quote}?)`,
    'iy',
  ),
  /** A question with its answer: `AWS Secret Access Key [None]: …`, `Password for ada: …`. */
  prompt: new RegExp(
    `[ \\t]{1,2}(?:\\[[^\\]\\n]{0,40}\\]|\\([^)\\n]{1,60}\\)|(?:for|of)[ \\t][^\\n:=;"\`]{1,80}?)[ \\t]{0,2}(?:[:?]|->|→)[ \\t]{1,4}(?<quote>)`,
    'iy',
  ),
  /** `password: |` and the value in the next line of YAML. */
  block: new RegExp(
    `:[ \\t]{1,4}[|>][-+\\d]{0,2}[ \\t]{0,4}(?:\\r?\\n|\\\\{1,64}n)[ \\t]{1,40}(?<quote>)`,
    'y',
  ),
  /** `"name": "API_KEY", "value": "…"`, and the same as attributes. */
  member: new RegExp(
    `${quote}(?:${space}{0,24},|[ \\t]{0,4}\\{[^{}]{0,200}?)?${space}{1,24}?${quote}?(?:value|val|content|data|default)${quote}?${space}{0,4}[:=]${space}{0,8}(?<quote>${quote})|${quote},${quote}(?:value|val|content|data|default)${quote}:(?<close>${quote})`,
    'iy',
  ),
  /** `"password": {"value": "…"}` */
  nested: new RegExp(
    `${quote}${space}{0,4}:${space}{0,4}\\{${space}{0,24}${quote}(?:value|val|content|data|default)${quote}${space}{0,4}:${space}{0,4}(?<quote>${quote})`,
    'iy',
  ),
  /** `expected token to be "…"` */
  asserted: new RegExp(
    `[ \\t]{1,2}(?:to (?:be|equal|eq|match)|toBe|equals?|==)[ \\t]{1,3}(?<quote>\\\\{0,255}["'])`,
    'iy',
  ),
  /** `- name: API_SECRET` and `value: …` in the next line of YAML */
  item: new RegExp(`${quote}?(?:\\r?\\n|\\\\{1,64}n)[ \\t]{1,40}value:[ \\t]{1,4}(?<quote>${quote}?)`, 'y'),
  /** `WITH PASSWORD '…'` */
  statement: new RegExp(`[ \\t]{1,4}(?<quote>${quote})`, 'y'),
  /** `--password …`, also as list items. */
  flag: new RegExp(`(?:${quote},${space}{0,24}|[ \\t]{1,4}|=)(?<quote>${quote}?)`, 'y'),
  /** `<password>…</password>` */
  element: /(?:["']?>|\\{0,64}<\/(?:key|name)>(?:\s|\\{1,64}[nrt]){0,24}<(?:string|value)>)(?<quote>)/y,
  /** The next cell of a table in HTML. */
  cell: /<\/(?:th|td|dt|b|strong|label|span)>\s{0,24}(?:<\/?(?:tr|br)[^>]{0,40}>\s{0,8}){0,2}<(?:td|dd|span|code|b|p)[^>]{0,60}>(?:<code>)?(?<quote>)/iy,
  /** The value in brackets: `the API secret (…) goes into the header`. */
  bracketed: new RegExp(`[ \\t]\\((?<quote>${quote}?)(?=[\\w+/=.~-]{16,512}(?:\\\\{0,255}["'\`])?\\))`, 'y'),
  /** A name and its value in columns of text. */
  aligned: /[ \t]{3,40}(?<quote>)(?=\S{6,256}[ \t]{0,80}(?:\r?\n|$|\\{1,16}n))/y,
  /** A variable and its value in columns. */
  listed: /[ \t]{1,40}(?<quote>)(?=\S{4,256}[ \t]{0,80}(?:\r?\n|$|\\{1,16}n))/y,
  /** The next line after a colon: `Use the following password to log in:`. */
  announced:
    /[ \t]{1,2}(?:is[ \t]generated[ \t])?[^\n:;="'{}<>|]{1,90}:(?:[ \t]|\r?\n|\\{1,16}n){1,12}(?<quote>)/y,
  /** `setProperty("password", "…")`, `define('SECRET_KEY', '…')` */
  argument: new RegExp(`${quote},[ \\t]{0,4}(?<quote>${quote})`, 'y'),
  /** `setPassword("…")` */
  call: new RegExp(`\\([ \\t]{0,4}(?<quote>${quote})`, 'y'),
  prose: new RegExp(
    `[ \\t]{1,2}(?:(?:for|of|on|für|fuer|zum|zur|vom|der|del|de|la|das|do|da|pour|du)[ \\t][^\\n.:=;"'\`]{1,50}?[ \\t])?(?:is|was|to|ist|lautet|es|est|è|é)[ \\t:]{1,3}(?:(?:now|still|currently|just|simply|jetzt|noch|immer noch|ahora)[ \\t:]{1,2})?(?<quote>${quote}?)`,
    'iy',
  ),
};
type Between = keyof typeof betweens;

/**
 * The beginning of a `member`, a word in it, and its maximum length in UTF-16 units. Few sessions contain one, and
 * compiling the whole pattern takes a millisecond or two.
 */
const memberStart = new RegExp(`${quote}[\\s\\\\,{]`, 'y');
const memberWord = /val|content|data|default/i;
const longestMember = 1500;

/** Matches the text between a value and a name that ends at `at`. */
function betweenAt(kind: Between, text: string, at: number): RegExpExecArray | null {
  const isNone =
    kind === 'member' &&
    (matchAt(memberStart, text, at) === null || !memberWord.test(text.slice(at, at + longestMember)));
  return isNone ? null : matchAt(betweens[kind], text, at);
}

const longestName = 60;
const longestValue = 512;
/** Of the words before the last one of a name. */
const longestSpaced = 12;

/** Names of tokens that grant no access: pagination, special tokens of language models, public halves of keys. */
const harmlessName =
  /(?:next|prev(?:ious)?|page|continuation|cursor|sync|resume|stop|start|end|eos|bos|pad|unk|mask|sep|cls|special|csrf|xsrf|change|public[-_]?key|publishable|idempotency|sort|partition|primary)[-_]?(?:page)?[-_]?(?:token|key)s?$|public[-_]?key/i;
/** The words before `pass` as a verb: `arguments you wish to pass to …`. */
const beforeVerb = /\b(?:to|you|we|they|can|will|must|should|may|not)[ \t]pass$/i;
/** Words such as `compass` that only end like the name of a credential. */
const otherWord = /[a-z]pass$/;
/** A key is a credential only if its name says what kind of key it is. */
const keyName =
  /(?:api|access|auth|account|secret|private|encrypt(?:ion)?|sign(?:ing|ature)?|master|shared|licen[sc]e|admin|client|ssh|storage|secondary|hmac|jwt|subscription|deploy|webhook|write|ingest|integration|merchant|rapidapi|consumer|aes|security|service|app|unseal|recovery|functions?|host|function[-_]app|default[-_]host)[-_. ]?keys?(?:[-_]|$)|key[-_]data$/i;
/** An environment variable, as in `STRIPE_KEY`. */
const variableName = /^[A-Z][A-Z0-9]*_[A-Z0-9_]*$/;
/** A header, as in `Fastly-Key`, except those about storage or transfer. */
const headerName =
  /^(?!.*(?:WebSocket|Idempotency|Surrogate|Cache|Partition|Sort|Row|Public|Primary|Foreign|Host|Routing|Object)-Key$)(?:[A-Z][A-Za-z\d]*-){1,6}K(?:ey|EY)$/;
const chosenName = /pass(?!$)|.pass$|^pass$|pwd|pw$|contrase|senha|wachtwoord|kennwort|clave|psk$/i;
/** A call that receives the credential as an argument, not one that returns it. */
const settingName = /^(?:set|with|use|add|put|new|basic)|^(?:password|token|secret|api_?key)$/i;

/** The part of the name before its last word, with the text before the name. */
function before(text: string, at: number): string {
  return text.slice(Math.max(0, at - longestName), at);
}

/** True if a UTF-16 unit is a letter, a digit, or one of `_$.-`. */
function isOfName(unit: number): boolean {
  return (
    (unit >= 0x61 && unit <= 0x7a) ||
    (unit >= 0x41 && unit <= 0x5a) ||
    (unit >= 0x30 && unit <= 0x39) ||
    unit === 0x5f ||
    unit === 0x24 ||
    unit === 0x2e ||
    unit === 0x2d
  );
}

/** The beginning of a name, without the letter of an escape such as `\n`. */
function nameBefore(lead: string): string {
  let start = lead.length;
  while (start > 0 && isOfName(lead.charCodeAt(start - 1))) {
    start -= 1;
  }
  return lead.slice(lead.charAt(start - 1) === '\\' && /[nrt]/.test(lead.charAt(start)) ? start + 1 : start);
}

/** A text that may come before a name. */
interface Front {
  /** In lower case. The pattern needs one of them. Usually none occurs, and then the pattern is not compiled. */
  readonly texts: readonly string[];
  readonly pattern: RegExp;
}

const fronts = {
  variable: {
    texts: ['set', 'env', 'arg', 'define'],
    pattern: /\b(?:set(?:[ \t]{1,4}-\w{1,8})?|setx|ENV|ARG|define)[ \t"',\\]{1,8}$/,
  },
  element: {
    texts: ['<'],
    pattern: /(?<!:)\\?<$|<[\w.-]{1,20}:$|<(?:key|name)>$/,
  },
  attribute: { texts: ['<'], pattern: /<\w{1,20}[ \t](?:name|key|id)=["']$/ },
  login: {
    texts: ['login', 'user', 'connect'],
    pattern: /\b(?:login|user|connect)[ \t]{1,4}\S{1,64}\s{1,24}$/,
  },
  /** Gradle's `username '…'` before `password '…'`. */
  account: { texts: ['username'], pattern: /\busername[ \t]{1,4}(["'])[^"'\n]{1,40}\1[;\s]{1,24}$/ },
  item: { texts: ['name:'], pattern: /\bname:[ \t]{1,4}(?:\\{0,64}["'])?$/ },
  statement: {
    texts: ['with', 'encrypted', 'set', 'login', 'superuser', 'createdb', 'createrole', 'replication'],
    pattern: /\b(?:with|encrypted|set|login|superuser|createdb|createrole|replication)[ \t]{1,4}$/i,
  },
  argument: {
    texts: ['(', ','],
    pattern:
      /(?:(?:\b|\\[nrt])(?:define|set\w*|put\w*|add\w*|with\w*|append|header|getenv|env|get|fill|type|fillIn)[ \t]{0,2}\(|\(\d{1,12},|[(,][ \t]{0,4}\\{0,64}["'][\w.-]{1,40}\\{0,64}["'],)[ \t]{0,4}(?:\\{0,64}["'`])[#.]?$/i,
  },
} satisfies Record<string, Front>;

/** The texts of `variable` and `login`, after which a value may follow without a sign. */
const beforeFlags = [...fronts.variable.texts, ...fronts.login.texts];
/** Another word that does not lead to a value. This follows nearly all of these words in prose. */
const otherWordAfter =
  /[ \t]{1,2}(?!(?:is|was|to|ist|lautet|es|est|è|é|for|of|on|für|fuer|zum|zur|vom|der|del|de|do|da|pour|du)(?![\w]))[A-Za-z\d]/iy;

/** A name that no word follows but a value. */
const germanName = /^(?:kenn|pass)wort$/i;

/** True if the word is plainly part of a sentence. May miss some. */
function isProse(text: string, after: number, lead: string, name: string): boolean {
  if (
    matchAt(otherWordAfter, text, after) === null ||
    name.startsWith('-') ||
    germanName.test(name) ||
    // Columns.
    (variableName.test(name) && matchAt(/[ \t]{2}/y, text, after) !== null)
  ) {
    return false;
  }
  const lower = lead.toLowerCase();
  return !beforeFlags.some(word => lower.includes(word));
}

/** The possible separators between a name and its value, judged by the text before the name. */
function betweensAfter(lead: string, name: string): readonly Between[] {
  const front = lead.slice(0, lead.length - nameBefore(lead).length);
  const lower = front.toLowerCase();
  const isAfter = ({ texts, pattern }: Front): boolean =>
    texts.some(text => lower.includes(text)) && pattern.test(front);
  if (name.startsWith('-') || isAfter(fronts.variable)) {
    return ['flag', 'assigned'];
  }
  if (isAfter(fronts.element)) {
    return ['element', 'assigned'];
  }
  if (isAfter(fronts.attribute)) {
    return ['element', 'member', 'assigned'];
  }
  if (isAfter(fronts.login)) {
    return ['prose', 'assigned', 'flag'];
  }
  if (isAfter(fronts.item)) {
    return ['item', 'assigned'];
  }
  if (isAfter(fronts.statement)) {
    return ['statement', 'assigned', 'prose'];
  }
  return [
    'block',
    'assigned',
    'prompt',
    'cell',
    'member',
    'nested',
    'asserted',
    ...(isAfter(fronts.account) ? ['statement' as const] : []),
    ...(variableName.test(name) ? ['listed' as const] : []),
    // Gradle's spelling: `storePassword "…"`.
    ...(/^(?:store|key)Password$|^psk$|^kennwort$|^passwort$|^clave$/i.test(name)
      ? ['statement' as const]
      : []),
    ...(isAfter(fronts.argument) ? ['argument' as const] : []),
    ...(settingName.test(name.replace(/^.*\./, '')) ? ['call' as const] : []),
    ...(germanName.test(name) ? ['listed' as const] : []),
    ...(chosenName.test(name) ? ['prose' as const, 'announced' as const] : []),
    ...(isLine(lead) ? ['aligned' as const] : []),
    'bracketed',
  ];
}

/** A quoted value whose closing quote is missing or has another depth of escapes. */
const cutValue = /[^\s"'`\\]{8,512}(?=$|\\{0,64}["'`])/y;

/** The end of a quoted value; undefined if it contains blanks. */
function quotedEnd(text: string, start: number, open: string): number | undefined {
  const end = /["']$/.test(open)
    ? closingQuote(text, start, open)
    : text.slice(0, start + longestValue + open.length).indexOf(open, start);
  if (end < 0 || end - start > longestValue) {
    const cut = matchAt(cutValue, text, start)?.[0];
    return cut === undefined ? undefined : start + cut.length;
  }
  return /\s|\\[nrt](?!["'])|\\$/.test(text.slice(start, end)) ? undefined : end;
}

/** Another piece of the same text in code: `"…"` and a quoted piece in the next line. */
const piece =
  /\\{0,64}["'][ \t]{0,4}[+.\\]?(?:\s|\\{1,16}[nrt]){1,60}\\{0,64}["'](?<value>[\w+/=.~-]{4,512})(?=\\{0,64}["'])/y;

const bare = /[^\s"'`,;|&<>(){}[\]\\]{1,512}/y;
/** As Maven encrypts with a master password that is in a file beside. */
const encrypted = /\{[\w+/=]{16,512}\}(?=<\/)/y;
const bareBeginning = /[^\s"'`,;|&<>(){}[\]\\]{96}/y;
/** The value of a line of an environment file: everything after the equals sign. */
const rest = /[^\s"'`\\]{4,512}(?=\r?(?:\n|$)|\\{1,64}[nr])/y;

/** A member with a short number, as in all usage records, or without text. Its value is shorter than any credential. */
const shortMember = /\\{0,64}"[ \t]?:[ \t]?(?:\d{1,7}|null|true|false)[,}\s]/y;

function isVariableLine(lead: string, name: string, between: string): boolean {
  return (
    between === '=' &&
    /^[A-Z0-9_]+$/.test(name) &&
    /(?:^|\n|\\n|["'`])[ \t+-]{0,16}(?:\d{1,8}[→:\t][ \t]{0,4})?(?:export[ \t]{1,4})?$/.test(
      lead.slice(0, lead.length - nameBefore(lead).length),
    )
  );
}

/** Words in quotes or up to the end of a line. */
const passphrase = /(?<value>[a-z]{3,12}(?: [a-z]{3,12}){3,9})(?=["'`\\\n]|$)/y;

function firstWord(text: string, start: number): string {
  return /^[^\s"'`,;]{0,64}/.exec(text.slice(start, start + 64))?.[0] ?? '';
}

/** True for a value among other pairs, as in `host=db password=… dbname=shop`. */
function isDataSource(text: string, start: number): boolean {
  return /^[^\s"'`,;]{4,64} \w{2,20}=/.test(text.slice(start, start + 90));
}

function sameLetters(text: string): string {
  return text.toLowerCase().replace(/[^a-z\d]/g, '');
}

/** A value up to the end of its line. */
const line = /[^\s"'`\\]{4,512}(?=[ \t]{0,8}(?:\r?\n|$)|\\{1,64}[nr]|\\{0,64}["'](?:[\s,}\]]|$))/y;

/** True if a name begins its line, as in YAML, in property files and in notes. */
function isLine(lead: string): boolean {
  return /(?:^|\n|\\n)[ \t+-]{0,24}(?:[\w.-]{1,40}[ \t]){0,2}$/.test(
    lead.slice(0, lead.length - nameBefore(lead).length),
  );
}

/** True if a value at the end of a line is a credential and no code. */
function isLineValue(value: string, chosen: boolean, isAnswer: boolean): boolean {
  return (
    !/[,;({[]$|^["'`]|^\w+\(|^[A-Z_]+$/.test(value) &&
    !(/^[\w$]+(?:\.[\w$]+)+$/.test(value) && isMembers(value)) &&
    isCredentialValue(value, isAnswer || isWordList(value) || /\d|[!@#$%^&*]/.test(value), chosen)
  );
}

function isVariableValue(value: string): boolean {
  const least = /^[A-Za-z]+$/.test(value) ? 8 : 6;
  return (
    value.length >= least &&
    !isPlaceholder(value) &&
    !isPath(value) &&
    !isMethod(value) &&
    !isOtherValue(value) &&
    !/^\w+\(.*\)/.test(value)
  );
}

function find(text: string, at: number): TextRange | undefined {
  const word = matchAt(lastWord, text, at)?.[0];
  if (word === undefined) {
    return undefined;
  }
  const end = at + word.length;
  const tail = tailStart.test(text.charAt(end)) ? matchAt(nameTail, text, end)?.[0] : undefined;
  const number = text.charAt(end) === ' ' ? matchAt(keyNumber, text, end)?.[0] : undefined;
  const last = word + (tail ?? '');
  const after = at + last.length + (number?.length ?? 0);
  // Nearly always, a letter or another character follows that cannot end a name.
  if (!/["'`\\\]:=,| \t\r\n><(&]/.test(text.charAt(after)) || matchAt(shortMember, text, after) !== null) {
    return undefined;
  }
  const lead = before(text, at);
  const name = nameBefore(lead) + last;
  const isKey = /^key/i.test(last);
  // A name of several words, as in `AWS Secret Access Key`.
  const isNamedKey = isKey && (keyName.test(name) || keyName.test(lead.slice(-longestSpaced) + last));
  if (
    isProse(text, after, lead, name) ||
    harmlessName.test(name) ||
    otherWord.test(name) ||
    (isKey && !isNamedKey && !variableName.test(name) && !headerName.test(name))
  ) {
    return undefined;
  }
  if (/^(?:auth|creds?)/i.test(last) && /[A-Za-z]$/.test(lead)) {
    return undefined;
  }
  for (const kind of betweensAfter(lead, name)) {
    const match = betweenAt(kind, text, after);
    if (match === null || (kind === 'prose' && beforeVerb.test(lead + last))) {
      continue;
    }
    const start = after + match[0].length;
    const open = match.groups?.['quote'] ?? match.groups?.['close'] ?? '';
    const range = valueAt(text, start, open, { lead, name, kind, between: match[0] });
    if (range !== undefined) {
      return range;
    }
  }
  return undefined;
}

function valueAt(
  text: string,
  start: number,
  open: string,
  {
    lead,
    name,
    kind,
    between,
  }: { readonly lead: string; readonly name: string; readonly kind: Between; readonly between: string },
): TextRange | undefined {
  const chosen =
    chosenName.test(name) &&
    kind !== 'call' &&
    (kind !== 'prose' ||
      open !== '' ||
      /^\S*\d/.test(text.slice(start, start + 60)) ||
      isWordList(firstWord(text, start)));
  if (open === '' && isVariableLine(lead, name, between)) {
    const value = matchAt(rest, text, start)?.[0];
    if (value !== undefined && isVariableValue(value)) {
      return { start, end: start + value.length };
    }
  }
  const phrase = matchAt(passphrase, text, start)?.groups?.['value'];
  if (chosen && phrase !== undefined && (open !== '' || kind === 'prompt') && isPassphrase(phrase)) {
    return { start, end: start + phrase.length };
  }
  if (
    open === '' &&
    (kind === 'prompt' ||
      kind === 'block' ||
      kind === 'listed' ||
      kind === 'aligned' ||
      kind === 'announced' ||
      kind === 'item' ||
      (chosen && kind === 'assigned' && isLine(lead)))
  ) {
    const value = matchAt(line, text, start)?.[0] ?? '';
    if (
      (kind === 'aligned' && (!/\d/.test(value) || looksLikeWords(value))) ||
      ((kind === 'announced' || kind === 'listed') &&
        (!/\d/.test(value) || (looksLikeWords(value.replace(/\d.*/, '')) && !/\d{2}|[^\w]/.test(value))))
    ) {
      return undefined;
    }
    if (isLineValue(value, chosen, kind !== 'assigned')) {
      return { start, end: start + value.length };
    }
  }
  // The value goes through a pipe to another function or program.
  if (between.includes('|') && /^[$.]/.test(name)) {
    return undefined;
  }
  // Of alternatives such as `'pass' | 'unknown'`, and of sentences, only generated values count.
  const isWeak =
    between.includes('|') ||
    (kind === 'flag' && !name.startsWith('-') && !/\d/.test(text.slice(start, start + 40)));
  const quoted =
    !isWeak &&
    (open !== '' ||
      kind === 'flag' ||
      kind === 'element' ||
      kind === 'cell' ||
      (kind === 'prose' &&
        (/\d{2}[.?!]?$/.test(firstWord(text, start)) || isWordList(firstWord(text, start)))) ||
      // No code is written so.
      (chosen && between === '=' && (/\d{2}/.test(firstWord(text, start)) || isDataSource(text, start))));
  const beginning = open === '' ? matchAt(bareBeginning, text, start)?.[0] : undefined;
  if (beginning !== undefined && !isCredentialValue(beginning, quoted, chosen)) {
    return undefined;
  }
  const bareValue =
    (kind === 'element' ? matchAt(encrypted, text, start)?.[0] : undefined) ??
    (open === '' ? matchAt(bare, text, start)?.[0].replace(/[.:?]{1,8}$/, '') : undefined);
  const end = open === '' ? start + (bareValue?.length ?? 0) : quotedEnd(text, start, open);
  if (end === undefined || end === start) {
    return undefined;
  }
  // A bare value before a bracket is code that returns the value, unless JSON or the end of an element follows.
  if (
    open === '' &&
    kind !== 'element' &&
    /^(?:[([]|<(?!\/)|\{(?!\\{0,64}"))/.test(text.slice(end, end + 66))
  ) {
    return undefined;
  }
  const value = text
    .slice(start, end)
    .replace(/\\+(?=[/"'$!&])/g, '')
    .replace(/^\{(?<inner>[\w+/=]{16,512})\}$/, '$<inner>');
  // A constant with its own name, and a part of the name of a resource (`arn:…:secret:NAME`).
  if (sameLetters(value) === sameLetters(name) || (/^secret$/i.test(name) && /[\w;]:$/.test(lead))) {
    return undefined;
  }
  const isQuery = /[?&][\w.-]*$/.test(lead);
  const isPlainKey = !keyName.test(name) && /key[^a-z]*$/i.test(name);
  if (value.length < (isPlainKey || ((isQuery || kind === 'call') && !chosen) ? 16 : 4)) {
    return undefined;
  }
  if (!isCredentialValue(value, quoted, chosen)) {
    return undefined;
  }
  // The question mark may belong to the value.
  let last = end + (open === '' && text.charAt(end) === '?' ? 1 : 0);
  for (
    let more = open === '' ? null : matchAt(piece, text, last);
    more !== null && last - start < longestValue;
    more = matchAt(piece, text, last)
  ) {
    if (!/\d/.test(more[0])) {
      break;
    }
    last += more[0].length;
  }
  return { start, end: last };
}

/** `DB_PASSWORD=…`, `"api_key": "…"`, `--token …`, `{"name": "API_KEY", "value": "…"}` with a value that looks real. */
export const credentialAssignment: AnchoredDetector = {
  ...labelled('credentialAssignment', 'restricted'),
  literals: [
    'pass',
    'pwd',
    'contrase',
    'kennwort',
    'clave',
    'pepper',
    'senha',
    'wachtwoord',
    'psk',
    'secret',
    'token',
    'credential',
    'creds',
    'key',
    'auth',
    '_pat',
  ],
  checks: { endsName: true },
  find,
};

/** An address on a domain of Palau. */
const address = /\/\/[\w.-]*\.$/;

/** The same after `pw`, which is too short to be searched without the sign after it. */
export const shortNameAssignment: AnchoredDetector = {
  ...credentialAssignment,
  find: (text, at) => (address.test(before(text, at)) ? undefined : find(text, at)),
  literals: ['pw for ', 'pw:', 'pw=', 'pw"', "pw'", 'pw :', 'pw =', 'pw is '],
  checks: {},
};
