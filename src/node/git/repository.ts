import { execFile } from 'node:child_process';
import { lstat, readFile, realpath } from 'node:fs/promises';
import { join, posix, sep } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);

/** Maximum size of a file that is read, in bytes. Longer ones are no instructions. */
const largestFile = 1_000_000;
const largestOutput = 64_000_000;

/** Settings of a repository may name programs that git would start. */
const safely = [
  '-c',
  'core.fsmonitor=false',
  '-c',
  'core.untrackedCache=false',
  '--no-pager',
  '--literal-pathspecs',
];

/** git failed: its first line, or that it is not installed. */
export class GitError extends Error {
  override readonly name = 'GitError';
}

async function git(folder: string, words: readonly string[]): Promise<Buffer> {
  try {
    const { stdout } = await run('git', ['-C', folder, ...safely, ...words], {
      encoding: 'buffer',
      maxBuffer: largestOutput,
      env: { ...process.env, GIT_OPTIONAL_LOCKS: '0', GIT_TERMINAL_PROMPT: '0', LC_ALL: 'C' },
      windowsHide: true,
    });
    return stdout;
  } catch (error) {
    const said = error instanceof Error && 'stderr' in error ? String(error.stderr) : '';
    const [line = ''] = said.split('\n');
    throw new GitError(line === '' ? String(error instanceof Error ? error.message : error) : line);
  }
}

/** The top folder of the repository that contains a folder. Rejects with GitError. */
export async function repositoryOf(folder: string): Promise<string> {
  return (await git(folder, ['rev-parse', '--show-toplevel'])).toString('utf8').replace(/\n$/, '');
}

/**
 * A name of a commit that cannot be an option, a path or a range. See git-check-ref-format; `~` and `^` and `@{u}`
 * lead to other commits.
 */
const safeRef = /^(?!-)[\p{L}\p{N}_./@{}~^+=#,!%&-]{1,250}$/u;

/** The commit that a name stands for, as 40 or 64 digits. Rejects with GitError. */
export async function commitOf(root: string, ref: string): Promise<string> {
  if (!safeRef.test(ref) || ref.includes('..')) {
    throw new GitError(`not the name of a commit: ${ref}`);
  }
  const words = ['rev-parse', '--verify', '--quiet', '--end-of-options', `${ref}^{commit}`];
  const found = await git(root, words).catch(() => Buffer.alloc(0));
  const commit = found.toString('utf8').trim();
  if (!/^(?:[\da-f]{40}|[\da-f]{64})$/.test(commit)) {
    throw new GitError(`not the name of a commit: ${ref}`);
  }
  return commit;
}

/** An entry of a commit's tree. Links have the mode 120000. */
interface Entry {
  readonly path: string;
  readonly mode: string;
  readonly id: string;
}

/**
 * The texts of the files in a commit that pass a test, by their paths. A link counts as the file that it leads to, if
 * that is in the commit.
 */
export async function filesOfCommit(
  root: string,
  commit: string,
  isMeant: (path: string) => boolean,
): Promise<ReadonlyMap<string, string>> {
  const listed = (await git(root, ['ls-tree', '-r', '-l', '-z', '--full-tree', commit])).toString('utf8');
  const entries = new Map<string, Entry>();
  for (const line of listed.split('\0')) {
    const [, mode = '', id = '', size = '', path = ''] =
      /^(\d+) blob ([\da-f]+) +(\d+)\t(.+)$/s.exec(line) ?? [];
    if (path !== '' && Number(size) <= largestFile) {
      entries.set(path, { path, mode, id });
    }
  }
  const read = async ({ id }: Entry): Promise<string> =>
    (await git(root, ['cat-file', 'blob', id])).toString('utf8');
  const files = new Map<string, string>();
  for (const entry of entries.values()) {
    if (isMeant(entry.path)) {
      let text: string | undefined = await read(entry);
      if (entry.mode === '120000') {
        const target = entries.get(posix.normalize(posix.join(posix.dirname(entry.path), text)));
        text = target === undefined || target.mode === '120000' ? undefined : await read(target);
      }
      if (text !== undefined) {
        files.set(entry.path, text);
      }
    }
  }
  return files;
}

/** The same of the folder as it is, with new files that are not ignored. No link leads out of it. */
export async function filesOfFolder(
  root: string,
  isMeant: (path: string) => boolean,
): Promise<ReadonlyMap<string, string>> {
  const listed = await git(root, [
    'ls-files',
    '-z',
    '--cached',
    '--others',
    '--exclude-standard',
    '--full-name',
  ]);
  const top = await realpath(root);
  const files = new Map<string, string>();
  for (const path of new Set(listed.toString('utf8').split('\0'))) {
    if (path !== '' && isMeant(path)) {
      try {
        const real = await realpath(join(top, path));
        const { size } = await lstat(real);
        if (real.startsWith(`${top}${sep}`) && size <= largestFile) {
          files.set(path, await readFile(real, 'utf8'));
        }
      } catch {
        // It was deleted, or it is a link to nothing.
      }
    }
  }
  return files;
}
