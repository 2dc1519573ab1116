/** Maps a folder of another machine to a folder of this one. */
export interface PathRule {
  readonly from: string;
  readonly to: string;
}

/** A folder that the user adds to those of the agents, with the rules for the paths in its sessions. */
export interface AddedFolder {
  /** Absolute. */
  readonly folder: string;
  readonly rules: readonly PathRule[];
}

/** The rules for the paths in a file: those of the added folders that it is in. */
export function rulesFor(file: string, added: readonly AddedFolder[]): readonly PathRule[] {
  return added.filter(({ folder }) => isInFolder(file, folder)).flatMap(({ rules }) => rules);
}

/**
 * The path on this machine for a path of another machine, by the rule for the deepest folder; undefined without a
 * matching rule.
 */
export function mappedPath(path: string, rules: readonly PathRule[]): string | undefined {
  const deepestFirst = [...rules].sort(
    (one, other) => comparablePath(other.from).length - comparablePath(one.from).length,
  );
  for (const rule of deepestFirst) {
    const moved = movedPath(path, rule);
    if (moved !== undefined) {
      return moved;
    }
  }
  return undefined;
}

/** Moves a path from below `from` to below `to`; undefined if it is not below `from`. */
export function movedPath(path: string, { from, to }: PathRule): string | undefined {
  if (!isInFolder(path, from)) {
    return undefined;
  }
  const depth = partsOf(comparablePath(path)).length - partsOf(comparablePath(from)).length;
  const rest = depth === 0 ? [] : partsOf(path).slice(-depth);
  const separator = to.includes('\\') ? '\\' : '/';
  return rest.includes('..') ? undefined : [to.replace(/[/\\]+$/, ''), ...rest].join(separator);
}

/** True if a path is a folder or below it, however the two are spelled. */
export function isInFolder(path: string, folder: string): boolean {
  const [inner, outer] = [comparablePath(path), comparablePath(folder)];
  return inner === outer || inner.startsWith(`${outer}/`);
}

const drive = /^(?:\/mnt\/(?<mounted>[a-z])|(?<letter>[A-Za-z]):)(?<rest>\/.*)?$/s;
const distribution = /^\/\/wsl(?:\.localhost|\$)\/[^/]+(?<rest>\/.*)?$/is;

/**
 * One form for all spellings of a path: with either separator, in either case on Windows, and with the names that
 * Windows and WSL use for each other's folders (`C:\work` and `/mnt/c/work`, `\\wsl.localhost\Ubuntu\home` and
 * `/home`).
 */
export function comparablePath(path: string): string {
  const slashes = path.replaceAll('\\', '/').replace(/\/+$/, '');
  const plain = distribution.exec(slashes)?.groups?.['rest'] ?? slashes;
  const onDrive = drive.exec(plain)?.groups;
  if (onDrive === undefined) {
    return plain;
  }
  const letter = onDrive['mounted'] ?? onDrive['letter'] ?? '';
  return `${letter}:${onDrive['rest'] ?? ''}`.toLowerCase();
}

/** The name of a Windows path in WSL or of a WSL path in Windows; undefined if there is none. */
export function otherSpelling(path: string): string | undefined {
  const slashes = path.replaceAll('\\', '/');
  const { mounted, letter, rest = '/' } = drive.exec(slashes)?.groups ?? {};
  if (letter !== undefined) {
    return `/mnt/${letter.toLowerCase()}${rest}`;
  }
  return mounted === undefined
    ? distribution.exec(slashes)?.groups?.['rest']
    : `${mounted.toUpperCase()}:${rest.replaceAll('/', '\\')}`;
}

function partsOf(path: string): readonly string[] {
  return path.split(/[/\\]/).filter(part => part !== '');
}
