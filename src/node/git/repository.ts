import { execFile } from 'node:child_process';
import { lstat, realpath } from 'node:fs/promises';
import { join, posix, sep } from 'node:path';
import { promisify } from 'node:util';
import { readRegular } from '../files/fileByteSource';

const run = promisify(execFile);

/** Maximum size of a file that is read, in bytes. Longer ones are no instructions. */
const largestFile = 1_000_000;
const largestOutput = 256_000_000;

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

/** @param input the text of the standard input */
async function git(folder: string, words: readonly string[], input = ''): Promise<Buffer> {
  try {
    const running = run('git', ['-C', folder, ...safely, ...words], {
      encoding: 'buffer',
      maxBuffer: largestOutput,
      env: { ...process.env, GIT_OPTIONAL_LOCKS: '0', GIT_TERMINAL_PROMPT: '0', LC_ALL: 'C' },
      windowsHide: true,
    });
    // If git ends before it has read all, its own error says why.
    running.child.stdin?.on('error', () => undefined).end(input);
    return (await running).stdout;
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

/** The mode of a symbolic link. */
const linkMode = '120000';

/** An entry of a commit's tree. */
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
  const meant = [...entries.values()].filter(({ path }) => isMeant(path));
  const found = await withoutLinks(root, entries, meant);
  const files = found.filter(entry => entry !== undefined);
  const texts = new Map((await textsOf(root, files)).map((text, place) => [files[place], text]));
  return new Map(
    meant.flatMap(({ path }, place) => {
      const text = texts.get(found[place]);
      return text === undefined ? [] : [[path, text] as const];
    }),
  );
}

/** Links in a row that are followed, as Linux does. */
const longestChain = 40;

/** The entries that some entries lead to as links, in their order; undefined if one leads to no file of the commit. */
async function withoutLinks(
  root: string,
  entries: ReadonlyMap<string, Entry>,
  meant: readonly Entry[],
): Promise<readonly (Entry | undefined)[]> {
  let found: readonly (Entry | undefined)[] = meant;
  for (let hop = 0; hop < longestChain; hop += 1) {
    const links = found.filter(entry => entry !== undefined).filter(({ mode }) => mode === linkMode);
    if (links.length === 0) {
      return found;
    }
    const paths = await textsOf(root, links);
    const targets = new Map<Entry | undefined, Entry | undefined>(
      links.map(({ path }, place) => [
        links[place],
        entries.get(posix.join(posix.dirname(path), paths[place] ?? '')),
      ]),
    );
    found = found.map(entry => (targets.has(entry) ? targets.get(entry) : entry));
  }
  return found.map(entry => (entry?.mode === linkMode ? undefined : entry));
}

const newline = 10;

/** The texts of entries, in their order, from one process. Its answer is `ID blob SIZE`, a line break, the bytes, a line break. */
async function textsOf(root: string, entries: readonly Entry[]): Promise<readonly string[]> {
  const answer = await git(root, ['cat-file', '--batch'], entries.map(({ id }) => `${id}\n`).join(''));
  let start = 0;
  return entries.map(() => {
    const end = answer.indexOf(newline, start) + 1;
    const size = Number(/ (\d+)\n$/.exec(answer.toString('latin1', start, end))?.[1]);
    if (Number.isNaN(size)) {
      throw new GitError('git cat-file gave no size');
    }
    start = end + size + 1;
    return answer.toString('utf8', end, end + size);
  });
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
          files.set(path, (await readRegular(real)).toString('utf8'));
        }
      } catch {
        // It was deleted, it is a link to nothing, or no regular file.
      }
    }
  }
  return files;
}
