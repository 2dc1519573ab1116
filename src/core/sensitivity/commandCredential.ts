import { lazy } from '../base/lazy';
import { type AnchoredDetector, matchAt, mayBegin, type TextRange, valueRange } from './anchored';
import { passwordPrograms, type PasswordProgram } from './commandPrograms';
import { looksLikeWords } from './letterPairs';
import { isPlaceholder } from './placeholder';
import { labelled } from './ruleWords';
import { longestCommand, type ShellWord, shellWords } from './shellWords';

/** The gap between words of a command: blanks, or the characters between the items of a JSON list. */
const gap =
  '(?:\\s|\\\\{1,64}[nrt]|["\'`],?[ \\t]{0,4}["\'`]|\\\\{1,64}["\'`],[ \\t]{0,4}\\\\{1,64}["\'`])(?:[ \\t]|\\\\{1,64}["\'`](?=-)){0,4}';
/** Other words of the same command. */
const words = '(?:[^\\n|;&]{0,300}?)';
/** The start of a word, with its quote if it has one. A quoted word ends with its quote. */
const open = '(?:\\\\{0,64}["\'`])?';
const word = `${open}(?<value>(?<=['])[^'\\s]{1,128}|(?<=["])[^"\\s\\\\]{1,128}|[^\\s"'\`\\\\|;&<>]{1,128})`;

/** A word in quotes. Without quotes, the same words also occur in prose. */
const quoted = '[ \\t]{1,4}\\\\{0,64}["\'](?<value>[^"\'`\\s\\\\]{4,128})(?=\\\\{0,64}["\'])';
/** The user in a call with a user and a password. */
const userArgument = '\\([ \\t]{0,4}\\\\{0,64}["\'][^"\'\\s\\\\]{1,64}\\\\{0,64}["\'],[ \\t]{0,4}';

/** The token of a Discord bot as the argument of a call. */
const botToken = `\\([ \\t]{0,4}\\\\{0,64}["'\`](?<value>[\\w-]{23,28}\\.[\\w-]{6,7}\\.[\\w-]{27,40})`;

/** An account before its password. */
const account = '[ \\t]{0,8}[^\\s:\\\\]{1,80}:';
const lineEnd = '(?:\\s|\\\\{1,64}[nrt]){1,24}';

/** The beginnings of calls and statements, and the pattern after each. */
const calls: Readonly<Record<string, string>> = {
  'net use': `${words}${gap}/user:\\S{1,80}${gap}${word}`,
  'net use ': `(?:[A-Za-z*]:${gap})?\\\\{2,32}[^\\s\\\\]{1,64}\\\\{1,64}\\S{1,100}${gap}${word}(?=${gap}/u)`,
  'client.login': botToken,
  'client.run': botToken,
  'bot.run': botToken,
  // A key as the user with an empty password, as many services require.
  'curl -u ': `${open}(?<value>(?=[\\w-]{0,64}\\d)[\\w-]{16,128}):[Xx]?(?=[\\s"'\\\\]|$)`,
  'smtp.PlainAuth': `\\([ \\t]{0,4}\\\\{0,64}["'][^"']{0,64}["'],[ \\t]{0,4}\\\\{0,64}["'][^"']{1,80}["'],[ \\t]{0,4}${word}`,
  // Bundler's credential for a host: user and password, or a token.
  BUNDLE_: `[A-Z0-9_]{2,60}__(?:COM|ORG|NET|IO|DEV)(?:=|\\\\{0,64}["']?:[ \\t]{0,4})${word}`,
  'IDENTIFIED BY': quoted,
  'identified by': quoted,
  'native_password BY': quoted,
  'native_password by': quoted,
  'sha2_password BY': quoted,
  etBasicAuth: `${userArgument}${word}`,
  HTTPBasicAuth: `${userArgument}${word}`,
  UsernamePasswordCredentials: `${userArgument}${word}`,
  NetworkCredential: `${userArgument}${word}`,
  PlainTextAuthProvider: `${userArgument}${word}`,
  credentials: `${userArgument}${word}`,
  '.login(': `(?<=\\()${userArgument.slice(3)}${word}(?=["'])`,
  'jdbc:oracle:thin': `:[\\w.]{1,64}/(?<value>[^\\s@"'\\\\]{3,128})@`,
  // Address or host, user, password.
  getConnection: `\\([^()]{1,120}?,[ \\t]{0,4}\\\\{0,64}["'][^"'\\s\\\\]{1,64}\\\\{0,64}["'],[ \\t]{0,4}${word}`,
  mysqli: `(?:_connect)?\\([^()]{1,120}?,[ \\t]{0,4}\\\\{0,64}["'][^"'\\s\\\\]{1,64}\\\\{0,64}["'],[ \\t]{0,4}${word}`,
  'new PDO': `\\([^()]{1,160}?,[ \\t]{0,4}\\\\{0,64}["'][^"'\\s\\\\]{1,64}\\\\{0,64}["'],[ \\t]{0,4}${word}`,
  // A generated password in the state of Terraform.
  random_password: `\\\\{0,64}".{0,400}?result\\\\{0,64}"[ \\t]{0,2}:[ \\t]{0,2}\\\\{0,64}"(?<value>[^\\s"\\\\]{8,128})`,
  importprivkey: `[ \\t]{1,4}${word}`,
  // OpenLDAP's and nslcd's lines, Postfix' lines with a server, cloud-init's list, and the prompt of Redis.
  bindpw: `[ \\t]{1,8}${word}`,
  ']:25 ': `${account}${word}`,
  ']:465 ': `${account}${word}`,
  ']:587 ': `${account}${word}`,
  'chpasswd:': `${lineEnd}list:[ \\t]{0,4}\\|?${lineEnd}[\\w.-]{1,32}:${word}`,
  '> AUTH ': `(?:[^\\s\\\\]{1,64}[ \\t]{1,4})?${word}`,
  'identity-token': `(?:${gap}|=)${word}`,
};
/** The statements before `IDENTIFIED BY`, and their reach in UTF-16 units. */
const statement = /\b(?:create|alter|grant|set|user|role)\b/i;
const reach = 160;
/** Twilio's account and its token after a comma or a colon. */
const accounts = Array.from('0123456789abcdef', digit => [
  `AC${digit}`,
  `[0-9a-f]{31}(?:\\\\{0,64}["'\`])?(?:,[ \\t]{0,4}|:)(?:\\\\{0,64}["'\`])?(?<value>[0-9a-f]{32})(?![0-9a-f])`,
]);
/** The same service's key and its secret. */
const keys = Array.from('0123456789abcdef', digit => [
  `SK${digit}`,
  `[0-9a-f]{31}(?:\\\\{0,64}["'\`])?(?:,[ \\t]{0,4}|:)(?:\\\\{0,64}["'\`])?(?<value>[A-Za-z0-9]{32})(?![A-Za-z0-9])`,
]);
/** Longer command names are also searched inside words, because the text before them may have been cut. */
const longestAmbiguous = 5;
/** The commands that read a password printed by another command, and the credential files. */
const readers: readonly string[] = [
  '--password-stdin',
  'chpasswd',
  'sudo -S',
  'secret create',
  'secrets set',
  'secret put',
  'master.key',
  'vault_pass',
];
/** `echo … | docker login --password-stdin`, `echo user:… | chpasswd`, `echo … | sudo -S`, `echo … > master.key`. */
const echoed =
  /(?:echo|printf)[ \t]{1,4}(?:-[a-z]{1,2}[ \t]{1,4}|%s[ \t]{1,4})?(?:\\{0,64}["'])?(?:[\w.-]{1,40}:)?(?<value>[^\s"'|:\\]{4,128})(?:\\{1,64}[nr])?(?:\\{0,64}["'])?[ \t]{0,4}[|>][^|\n]{0,200}$/d;

/** The shortest password of an option, in UTF-16 units. */
const shortest = 4;

function isReal(value: string): boolean {
  return (
    value.length >= shortest &&
    !isPlaceholder(value) &&
    !/^-|^\\|^(?:[a-z]|\d{1,5})$|^(?:\/|~\/|\.{1,2}\/|[A-Za-z]:[\\/])[\w.-]|^(?:env|file|fd|stdin|pass|prompt):|^https?:/i.test(
      value,
    )
  );
}

const credential = labelled('commandCredential', 'restricted');

/** Options with the same meaning in every program. */
const everywhere = '--password --passwd --passphrase';

/** The part of a word that is an option's value. */
interface Argument {
  readonly word: ShellWord;
  /** The index in the word's value. */
  readonly from: number;
}

function isShort(option: string): boolean {
  return /^-[A-Za-z]$/.test(option);
}

/** The value of an option that is this word, or the beginning of it. */
function argumentOf(
  option: string,
  word: ShellWord,
  next: ShellWord | undefined,
  isClustered: boolean,
): Argument | undefined {
  const { value } = word;
  if (
    value === option ||
    (isClustered && isShort(option) && /^-[A-Za-z]{2,6}$/.test(value) && value.endsWith(option.charAt(1)))
  ) {
    return next === undefined ? undefined : { word: next, from: 0 };
  }
  if (!value.startsWith(option)) {
    return undefined;
  }
  const isAssigned = /[=:]/.test(value.charAt(option.length));
  return isAssigned || isShort(option) ? { word, from: option.length + (isAssigned ? 1 : 0) } : undefined;
}

/** The options of a row, and the way from an option's value to the password. */
interface OptionGroup {
  readonly options: readonly string[];
  readonly isAttached?: boolean;
  /** The number of UTF-16 units of a value before the password in it; -1 if there is none. */
  readonly before: (value: string) => number;
}

function groupsOf({
  password,
  attached,
  pair,
  separator = ':',
  prefixed,
  position,
}: PasswordProgram): readonly OptionGroup[] {
  const groups: OptionGroup[] = [];
  const add = (options: string | undefined, before: OptionGroup['before'], isAttached = false): void => {
    if (options !== undefined) {
      groups.push({ options: options.split(' '), before, isAttached });
    }
  };
  add(password, () => 0);
  add(attached, () => 0, true);
  add(pair, value => {
    const at = value.indexOf(separator);
    return at < 0 ? -1 : at + 1;
  });
  add(prefixed?.[0], value => {
    const [, prefix = ''] = prefixed ?? [];
    const rest = value.startsWith(prefix) ? value.slice(prefix.length) : undefined;
    const at = separator === ':' && prefix === 'user=' ? (rest?.indexOf(':') ?? -1) + 1 : 0;
    return rest === undefined ? -1 : prefix.length + at;
  });
  if (position === undefined) {
    add(everywhere, () => 0);
  }
  return groups;
}

function rangeOf({ word, from }: Argument): TextRange | undefined {
  const value = word.value.slice(from);
  const start = word.offsets[from];
  const end = word.offsets.at(-1);
  return start === undefined || end === undefined || word.isComputed || !isReal(value)
    ? undefined
    : { start, end };
}

/** The passwords in the options of a command. */
function inOptions(
  groups: readonly OptionGroup[],
  words: readonly ShellWord[],
  isClustered: boolean,
): readonly TextRange[] {
  const found: TextRange[] = [];
  for (const [number, word] of words.entries()) {
    for (const { options, isAttached, before } of number === 0 ? [] : groups) {
      for (const option of options) {
        const argument =
          isAttached === true
            ? word.value.startsWith(option)
              ? { word, from: option.length }
              : undefined
            : argumentOf(option, word, words[number + 1], isClustered);
        const skipped = argument === undefined ? -1 : before(argument.word.value.slice(argument.from));
        const range =
          argument === undefined || skipped < 0
            ? undefined
            : rangeOf({ word: argument.word, from: argument.from + skipped });
        if (range !== undefined) {
          found.push(range);
        }
      }
    }
  }
  return found;
}

/** The password among the words that are no options. */
function atPosition(
  program: PasswordProgram,
  words: readonly ShellWord[],
  name: string,
): readonly TextRange[] {
  const { position = 0, form, needs } = program;
  const plain = words.filter(
    ({ value }) =>
      !value.startsWith('-') &&
      needs?.test(value) !== true &&
      !(form === undefined && /^[a-z]{2,16}=/.test(value)),
  );
  const word = plain[name.trim().split(' ').length - 1 + position];
  if (word === undefined || word.isComputed) {
    return [];
  }
  const { value, offsets } = word;
  const [from, end] =
    form === undefined ? [0, value.length] : (form.exec(value)?.indices?.groups?.['value'] ?? [0, 0]);
  const start = offsets[from];
  const last = offsets[end];
  const password = value.slice(from, end);
  return isReal(password) &&
    (form !== undefined || isUnlikeWord(password)) &&
    start !== undefined &&
    last !== undefined
    ? [{ start, end: last }]
    : [];
}

/** A password without an option before it is no ordinary word. */
function isUnlikeWord(value: string): boolean {
  return /[^A-Za-z.,]/.test(value) || !looksLikeWords(value);
}

/** The characters after a program's name. */
const afterName = /(?:\.exe)?(?:[ \t]|["']|\\{1,64}["'\n]|\\\r?\n)/y;

function programDetector(program: PasswordProgram): AnchoredDetector {
  const groups = groupsOf(program);
  const options = groups.flatMap(group => group.options);
  const mayHaveOption = (rest: string): boolean =>
    isClustered ? /["\s]-[A-Za-z-]/.test(rest) : options.some(option => rest.includes(option));
  const names = program.names
    .map(name => name.trim())
    .toSorted((first, second) => second.length - first.length);
  const { position, needs, isClustered = false } = program;
  // A common word counts only as a word of its own.
  const literals = program.names.flatMap(name =>
    name.endsWith(' ') ? [name, `${name.trim()}"`, `${name.trim()}'`] : [name],
  );
  const isAmbiguous = literals.some(literal => literal.length <= longestAmbiguous);
  return {
    ...credential,
    literals,
    checks: { isExact: true, beginsWord: isAmbiguous },
    find: (text, at) => {
      if (isAmbiguous && !mayBegin(text, at)) {
        return undefined;
      }
      const name = names.find(
        one =>
          text.startsWith(one, at) &&
          (/[^A-Za-z\d]$/.test(one) || matchAt(afterName, text, at + one.length) !== null),
      );
      if (
        name === undefined ||
        (position === undefined && !mayHaveOption(text.slice(at, at + longestCommand)))
      ) {
        return undefined;
      }
      const words = shellWords(text, at);
      if (needs !== undefined && !words.some(({ value }) => needs.test(value))) {
        return undefined;
      }
      const found =
        position === undefined ? inOptions(groups, words, isClustered) : atPosition(program, words, name);
      return found.length === 0 ? undefined : found;
    },
  };
}

/** Passwords in the arguments of commands, and passwords printed for a command to read. */
export const commandCredentials: readonly AnchoredDetector[] = [
  ...passwordPrograms.map(programDetector),
  ...[...Object.entries(calls), ...accounts, ...keys].map(([command = '', form = '']): AnchoredDetector => {
    // Very few of the patterns are ever used.
    const pattern = lazy(() => new RegExp(`${command.replace(/[.(]/g, '\\$&')}${form}`, 'dy'));
    const isAmbiguous = command.length <= longestAmbiguous;
    return {
      ...credential,
      literals: [command],
      checks: { isExact: true, beginsWord: isAmbiguous },
      find: (text, at) => {
        const isLikely = !isAmbiguous || mayBegin(text, at);
        const range = isLikely ? valueRange(matchAt(pattern(), text, at)) : undefined;
        const value = range === undefined ? '' : text.slice(range.start, range.end);
        // These words also occur in prose.
        const isMeant = / by$/i.test(command)
          ? statement.test(text.slice(Math.max(0, at - reach), at))
          : command !== 'identity-token' || /\d/.test(value);
        return isMeant && isReal(value) ? range : undefined;
      },
    };
  }),
  {
    ...credential,
    literals: readers,
    find: (text, at) => {
      const from = Math.max(0, at - 400);
      const range = valueRange(echoed.exec(text.slice(from, at)));
      return range && isReal(text.slice(from + range.start, from + range.end))
        ? { start: from + range.start, end: from + range.end }
        : undefined;
    },
  },
];
