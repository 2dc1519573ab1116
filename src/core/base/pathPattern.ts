/** A file or a folder. A link counts as its target. */
export interface FolderEntry {
  readonly name: string;
  readonly isFolder: boolean;
  readonly isLink: boolean;
}

/** The entries of a folder; empty if it does not exist or is not readable. Never rejects. */
export type ListFolder = (path: string) => Promise<readonly FolderEntry[]>;

/** Maximum depth of `**`. It does not follow links, which may be circular. */
const deepest = 8;

/** Folders without sessions that contain very many files. */
const skipped: ReadonlySet<string> = new Set(['node_modules', '.git']);

/**
 * Finds the files below `root` that match a pattern. Reads only folders on the path of the pattern. Patterns use `/` on
 * every system; `*` matches any characters of a name, `{a,b}` one of several, `**` any number of folders, `..` the
 * folder above.
 */
export async function findFiles(
  root: string,
  pattern: string,
  listFolder: ListFolder,
): Promise<readonly string[]> {
  const separator = root.includes('\\') && !root.includes('/') ? '\\' : '/';
  return walk(root, pattern.split('/'), { separator, listFolder, depth: 0 });
}

interface Walk {
  readonly separator: string;
  readonly listFolder: ListFolder;
  readonly depth: number;
}

async function walk(
  folder: string,
  [segment, ...rest]: readonly string[],
  options: Walk,
): Promise<readonly string[]> {
  if (segment === undefined) {
    return [];
  }
  const below = (name: string): string =>
    folder.endsWith(options.separator) ? `${folder}${name}` : `${folder}${options.separator}${name}`;
  if (rest.length > 0 && segment !== '**' && !isWildcard(segment)) {
    // A plain name needs no listing of its folder.
    return walk(segment === '..' ? parentFolder(folder) : below(segment), rest, options);
  }
  const entries = await options.listFolder(folder);
  const matches = matcher(segment === '**' ? '*' : segment);
  if (rest.length === 0) {
    return entries.filter(({ name, isFolder }) => !isFolder && matches(name)).map(({ name }) => below(name));
  }
  const folders = entries.filter(({ name, isFolder }) => isFolder && matches(name));
  if (segment !== '**') {
    return flat(folders.map(({ name }) => walk(below(name), rest, options)));
  }
  const deeper =
    options.depth >= deepest ? [] : folders.filter(({ name, isLink }) => !isLink && !skipped.has(name));
  return flat([
    walk(folder, rest, options),
    ...deeper.map(({ name }) => walk(below(name), ['**', ...rest], { ...options, depth: options.depth + 1 })),
  ]);
}

async function flat(lists: readonly Promise<readonly string[]>[]): Promise<readonly string[]> {
  return (await Promise.all(lists)).flat();
}

function isWildcard(segment: string): boolean {
  return /[*{]/.test(segment);
}

function matcher(segment: string): (name: string) => boolean {
  const expression = segment.replace(/[*{},]|[^*{},]+/g, part => {
    switch (part) {
      case '*':
        return '.*';
      case '{':
        return '(?:';
      case '}':
        return ')';
      case ',':
        return '|';
      default:
        return part.replace(/[\\^$.*+?()[\]|]/g, '\\$&');
    }
  });
  const whole = new RegExp(`^(?:${expression})$`, 's');
  return name => whole.test(name);
}

/** The parent folder of a path, on any system; the path itself if it has none. */
export function parentFolder(path: string): string {
  const end = Math.max(path.lastIndexOf('/'), path.lastIndexOf('\\'));
  return end <= 0 ? path : path.slice(0, end);
}

/** The last name of a path, on any system. */
export function lastName(path: string): string {
  return path.split(/[/\\]/).findLast(name => name !== '') ?? path;
}
