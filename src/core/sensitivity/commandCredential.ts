import { lazy } from '../base/lazy';
import { type AnchoredDetector, matchAt, mayBegin, valueRange } from './anchored';
import { isPlaceholder } from './placeholder';
import { ruleWords } from './ruleWords';

/** The gap between words of a command: blanks, or the characters between the items of a JSON list. */
const gap =
  '(?:\\s|\\\\{1,64}[nrt]|["\'`],?[ \\t]{0,4}["\'`]|\\\\{1,64}["\'`],[ \\t]{0,4}\\\\{1,64}["\'`])(?:[ \\t]|\\\\{1,64}["\'`](?=-)){0,4}';
/** Other words of the same command. */
const words = '(?:[^\\n|;&]{0,300}?)';
/** The start of a word, with its quote if it has one. A quoted word ends with its quote. */
const open = '(?:\\\\{0,64}["\'`])?';
const word = `${open}(?<value>(?<=['])[^'\\s]{1,128}|(?<=["])[^"\\s\\\\]{1,128}|[^\\s"'\`\\\\|;&<>]{1,128})`;
const pair = `${open}(?<user>[^\\s:"'\`\\\\/]{0,64}):(?<value>[^\\s"'\`\\\\]{1,128})`;

/** A word in quotes. Without quotes, the same words also occur in prose. */
const quoted = '[ \\t]{1,4}\\\\{0,64}["\'](?<value>[^"\'`\\s\\\\]{4,128})(?=\\\\{0,64}["\'])';
/** The user in a call with a user and a password. */
const userArgument = '\\([ \\t]{0,4}\\\\{0,64}["\'][^"\'\\s\\\\]{1,64}\\\\{0,64}["\'],[ \\t]{0,4}';

/** The token of a Discord bot as the argument of a call. */
const botToken = `\\([ \\t]{0,4}\\\\{0,64}["'\`](?<value>[\\w-]{23,28}\\.[\\w-]{6,7}\\.[\\w-]{27,40})`;

/** The commands, the pattern after each, and the minimum length of a value. */
const commands: Readonly<Record<string, string>> = {
  sshpass: `${words}-p(?:${gap})?${word}`,
  mysql: `(?:dump|admin|import|check|show|pump)?${words}${gap}-p${word}`,
  mariadb: `(?:-dump|-admin)?${words}${gap}-p${word}`,
  curl: `${words}${gap}(?:-[a-zA-Z]{0,6}u|--user|--proxy-user|-U)(?:${gap}|=)?${pair}`,
  wget: `${words}${gap}--(?:http-|ftp-)?password=${word}`,
  'docker login': `${words}${gap}(?:-p|--password)(?:${gap}|=)${word}`,
  'podman login': `${words}${gap}(?:-p|--password)(?:${gap}|=)${word}`,
  'helm registry login': `${words}${gap}(?:-p|--password)(?:${gap}|=)${word}`,
  'az login': `${words}${gap}(?:-p|--password)(?:${gap}|=)${word}`,
  'redis-cli': `${words}${gap}(?:(?:-a|--pass)(?:${gap}|=)|(?:AUTH|auth)${gap})${word}`,
  mongo: `(?:sh|dump|restore|export|import)?${words}${gap}(?:-p|--password)(?:${gap}|=)${word}`,
  sqlcmd: `${words}${gap}-P(?:${gap})?${word}`,
  mosquitto_: `(?:pub|sub)${words}${gap}-P${gap}${word}`,
  ldap: `(?:search|modify|add|delete|whoami|passwd)${words}${gap}-w${gap}${word}`,
  smbclient: `${words}${gap}-U${gap}${open}[^\\s%"']{1,64}%(?<value>[^\\s"'\`\\\\]{1,128})`,
  openssl: `${words}${gap}-(?:(?:pass|passin|passout)${gap}${open}pass:|[kK]${gap}${open})(?<value>[^\\s"'\`\\\\]{1,128})`,
  'ConvertTo-SecureString': `${words}${gap}(?:-String${gap})?${word}`,
  'net use': `${words}${gap}/user:\\S{1,80}${gap}${word}`,
  'net use ': `(?:[A-Za-z*]:${gap})?\\\\{2,32}[^\\s\\\\]{1,64}\\\\{1,64}\\S{1,100}${gap}${word}(?=${gap}/u)`,
  'wandb login': `${words}${gap}(?<value>[0-9a-f]{40})`,
  'add-authtoken': `${gap}(?<value>\\w{20,80})`,
  'zip -': `[^\\n|;&]{0,200}?(?<=-)P${gap}${word}`,
  'unzip -': `[^\\n|;&]{0,200}?(?<=-)P${gap}${word}`,
  '7z ': `[a-z]${words}${gap}-p${word}`,
  'client.login': botToken,
  'client.run': botToken,
  'bot.run': botToken,
  ':5432:': `[\\w.*-]{1,64}:[\\w.*-]{1,64}:(?<value>[^\\s"'\`\\\\]{6,128})`,
  'snyk auth': `${gap}${word}`,
  'vault login': `${gap}(?:token=)?${word}`,
  'Dsonar.login': `=${word}`,
  codecov: `${words}${gap}(?:-t|--token)(?:${gap}|=)${word}`,
  'gh secret set': `${words}${gap}(?:-b|--body|--value)(?:${gap}|=)${word}`,
  'glab variable set': `${words}${gap}(?:-v|--value)(?:${gap}|=)${word}`,
  'secret put': `${words}${gap}(?:--value|--secret-string)(?:${gap}|=)${word}`,
  'create-secret': `${words}${gap}--secret-string(?:${gap}|=)${word}`,
  // A key as the user with an empty password, as many services require.
  'curl -u ': `${open}(?<value>(?=[\\w-]{0,64}\\d)[\\w-]{16,128}):[Xx]?(?=[\\s"'\\\\]|$)`,
  'composer config': `${words}(?:http-basic|github-oauth|gitlab-token|bearer)\\.\\S{1,80}${gap}(?:[^\\s"']{1,60}${gap})?${word}`,
  'private-key-passphrase': `(?:${gap}|=)${word}`,
  'smtp.PlainAuth': `\\([ \\t]{0,4}\\\\{0,64}["'][^"']{0,64}["'],[ \\t]{0,4}\\\\{0,64}["'][^"']{1,80}["'],[ \\t]{0,4}${word}`,
  // Bundler's credential for a host: user and password, or a token.
  BUNDLE_: `[A-Z0-9_]{2,60}__(?:COM|ORG|NET|IO|DEV)(?:=|\\\\{0,64}["']?:[ \\t]{0,4})${word}`,
  'IDENTIFIED BY': quoted,
  'identified by': quoted,
  SetBasicAuth: `${userArgument}${word}`,
  HTTPBasicAuth: `${userArgument}${word}`,
  credentials: `${userArgument}${word}`,
  'jdbc:oracle:thin': `:[\\w.]{1,64}/(?<value>[^\\s@"'\\\\]{3,128})@`,
  'identity-token': `(?:${gap}|=)${word}`,
  keytool: `${words}${gap}-(?:store|key)pass${gap}${word}`,
  htpasswd: `${gap}-[a-zA-Z]{0,6}b[a-zA-Z]{0,6}${gap}\\S{1,100}${gap}\\S{1,64}${gap}${word}`,
};
/** Twilio's account and its token after a comma or a colon. */
const accounts = Array.from('0123456789abcdef', digit => [
  `AC${digit}`,
  `[0-9a-f]{31}(?:\\\\{0,64}["'\`])?(?:,[ \\t]{0,4}|:)(?:\\\\{0,64}["'\`])?(?<value>[0-9a-f]{32})(?![0-9a-f])`,
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
  'master.key',
  'vault_pass',
];
/** `echo … | docker login --password-stdin`, `echo user:… | chpasswd`, `echo … | sudo -S`, `echo … > master.key`. */
const echoed =
  /(?:echo|printf)[ \t]{1,4}(?:-[a-z]{1,2}[ \t]{1,4}|%s[ \t]{1,4})?(?:\\{0,64}["'])?(?:[\w.-]{1,40}:)?(?<value>[^\s"'|:\\]{4,128})(?:\\{1,64}[nr])?(?:\\{0,64}["'])?[ \t]{0,4}[|>][^|\n]{0,200}$/d;

function isReal(value: string): boolean {
  return (
    value.length >= 4 &&
    !isPlaceholder(value) &&
    !/^[-$%<{(]|^\\|\$[{(]|\$[A-Z_]{3}|^(?:[a-z]|\d+)$|^\/|@$/i.test(value) &&
    !/^[a-z]+$/.test(value)
  );
}

const credential = {
  rule: 'commandCredential',
  label: 'restricted',
  message: ruleWords.commandCredential,
} as const;

/** Passwords in the arguments of commands, and passwords printed for a command to read. */
export const commandCredentials: readonly AnchoredDetector[] = [
  ...[...Object.entries(commands), ...accounts].map(([command = '', form = '']): AnchoredDetector => {
    // Very few of the patterns are ever used.
    const pattern = lazy(() => new RegExp(`${command}${form}`, 'dy'));
    const isAmbiguous = command.length <= longestAmbiguous;
    return {
      ...credential,
      literals: [command],
      checks: { isExact: true, beginsWord: isAmbiguous },
      find: (text, at) => {
        const isLikely = !isAmbiguous || mayBegin(text, at);
        const range = isLikely ? valueRange(matchAt(pattern(), text, at)) : undefined;
        return range && isReal(text.slice(range.start, range.end)) ? range : undefined;
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
