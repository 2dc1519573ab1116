import { lazy } from '../base/lazy';
import { type AnchoredDetector, anchoredScan, matchAt } from './anchored';
import type { SensitivityFinding } from './finding';
import type { SecretScanner } from './scanner';
import { ruleWords } from './ruleWords';

/** Names of home folders that belong to no person. */
const nobody =
  /^(?:root|users?|username|your[-_]?(?:user)?name|name|me|you|runner(?:admin)?|ubuntu|debian|centos|ec2-user|admin|administrator|vscode|codespace|node|app|dev|developer|git|gitlab-runner|jenkins|circleci|travis|vagrant|pi|docker|build(?:er|user)?|ci|agent|test(?:er|user)?|guest|shared|public|default|all|linuxbrew|homebrew|sandbox|oai|coder|container|work(?:space|er)?|server|site|www|web|data|deploy(?:er)?|postgres|mysql|nginx|jovyan|appuser|nonroot|foo|bar|baz|example|somebody|someone|xxx+|\.+)$/i;
const before = /(?:\/home\/|\/Users\/|[A-Za-z]:(?:\\{1,64}|\/)Users(?:\\{1,64}|\/))/.source;
const behind = /(?=[/\\]|["'`\s:;,)]|$)/.source;
/** A character that may follow the name. */
const behindName = /^(?:[/\\"'`\s:;,)]|$)/;
const plainName = new RegExp(`${before}([A-Za-z0-9][A-Za-z0-9._-]{1,31})${behind}`, 'y');
/** The same with letters of all scripts. Compiling it takes milliseconds, and few names need it. */
const anyName = lazy(() => new RegExp(`${before}([\\p{L}\\p{N}][\\p{L}\\p{N}._-]{1,31})${behind}`, 'uy'));
/** Maximum number of UTF-16 units that such a pattern examines. */
const longest = 128;

const rule = 'homeFolder';

/**
 * Findings without the names of home folders. Nearly every tool call has one in a path, so they would mark nearly
 * everything as private. They are removed from everything that leaves the program, but mark nothing inside it.
 */
export function withoutHomeFolders<Found extends { readonly rule: string }>(
  findings: readonly Found[],
): readonly Found[] {
  return findings.some(finding => isHomeFolder(finding))
    ? findings.filter(finding => !isHomeFolder(finding))
    : findings;
}

export function isHomeFolder(finding: { readonly rule: string }): boolean {
  return finding.rule === rule;
}

/** The name of a person's home folder, in paths of Linux, macOS and Windows. */
export const homeFolder: AnchoredDetector = {
  rule,
  label: 'private',
  message: ruleWords.homeFolder,
  literals: ['/home/', '/users/', '\\users\\'],
  find: (text, at) => {
    const start = text.charAt(at) === '\\' ? windowsStart(text, at) : at;
    const { path, name, isNobodys } = homeAt(text, start);
    const end = start + path.length;
    return path === '' || isNobodys || (/[A-Za-z0-9.]/.test(text.charAt(at - 1)) && text.charAt(at) === '/')
      ? undefined
      : { start: end - name.length, end };
  },
};

/** A home folder and the name at its end. */
interface Home {
  readonly path: string;
  readonly name: string;
  readonly isNobodys: boolean;
}

const none: Home = { path: '', name: '', isNobodys: true };

/** The latest home folder found: most paths of a session are in the same one. */
let latest = none;

function homeAt(text: string, start: number): Home {
  const isLatest =
    latest !== none &&
    text.startsWith(latest.path, start) &&
    behindName.test(text.charAt(start + latest.path.length));
  if (!isLatest) {
    const match =
      matchAt(plainName, text, start) ??
      (/[^\0-\x7f]/.test(text.slice(start, start + longest)) ? matchAt(anyName(), text, start) : null);
    if (match === null) {
      return none;
    }
    const [path, name = ''] = match;
    latest = { path, name, isNobodys: nobody.test(name) };
  }
  return latest;
}

/** Every path with a home folder contains one of these. */
const homes = ['/home/', '/Users/', 'Users\\'];
const scanHomeFolders = anchoredScan([homeFolder]);

/** The names of home folders in a text, for a scanner that looks for personal data. */
export function homeFoldersIn(
  text: string,
  { personalData }: Pick<SecretScanner, 'personalData'>,
): readonly SensitivityFinding[] {
  return personalData !== false && homes.some(home => text.includes(home))
    ? scanHomeFolders(text).findings
    : [];
}

/** The start of the drive; several backslashes may follow it. */
function windowsStart(text: string, at: number): number {
  let start = at;
  while (start > 0 && at - start < 16 && text.charAt(start - 1) === '\\') {
    start -= 1;
  }
  return Math.max(0, start - 2);
}
