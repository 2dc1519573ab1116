import { randomUUID } from 'node:crypto';
import { rmSync } from 'node:fs';
import { link, lstat, open, readdir, rename, rm, stat } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { translate } from '../../core/base/translate';
import { cutText } from '../../core/base/visibleText';
import type { ByteSource } from '../../core/model/byteSource';
import { openFile } from './fileByteSource';
import { describeWriteError } from './fileErrors';

export interface NewFileOptions {
  /** True if an existing file may be replaced. */
  readonly overwrite: boolean;
  /** The transcript, which is never replaced, whatever `overwrite` is, under any of its names or links. */
  readonly notOver?: string | undefined;
  /** Reads the finished file before it gets its name. If this rejects, no file is left. */
  readonly check?: ((written: ByteSource) => Promise<void>) | undefined;
}

/** The written content may contain everything that a transcript contains, so only its owner may read it. */
const privateMode = 0o600;

/**
 * Writes a file chunk by chunk, under a temporary name until it is complete. Only the user can read it. Rejects with
 * one sentence if the file exists or cannot be written, and with the error of the chunks if they fail. In both cases it
 * leaves no file.
 * @returns the result of the generator
 */
export async function writeNewFile<Outcome>(
  path: string,
  chunks: AsyncIterator<Uint8Array, Outcome>,
  options: NewFileOptions,
): Promise<Outcome> {
  await expectFree(path, options);
  await removeAbandoned(dirname(path));
  // The file's name may have the maximum length.
  const begin = cutText(basename(path), longestBegin);
  const name = `.${begin}.${randomUUID().slice(0, 8)}.${process.pid}${ending}`;
  const unfinished = join(dirname(path), name);
  const file = await writing(() => open(unfinished, 'wx', privateMode));
  removedAtExit.add(unfinished);
  try {
    let next = await chunks.next();
    while (next.done !== true) {
      const { value } = next;
      await writing(() => file.writeFile(value));
      next = await chunks.next();
    }
    await writing(() => file.close());
    await checked(unfinished, options);
    if (options.overwrite) {
      await writing(() => rename(unfinished, path));
    } else if (!(await publish(unfinished, path))) {
      throw new Error(nameIsTaken);
    }
    return next.value;
  } catch (error) {
    await file.close().catch(() => undefined);
    await rm(unfinished, { force: true });
    throw error;
  } finally {
    removedAtExit.delete(unfinished);
  }
}

async function checked(path: string, { check }: NewFileOptions): Promise<void> {
  if (check === undefined) {
    return;
  }
  const written = await openFile(path);
  try {
    await check(written);
  } finally {
    await written.close();
  }
}

const nameIsTaken = translate('A file with this name already exists.');

/** Rejects with one sentence if a file may not be written, so that expensive work is not wasted. */
export async function expectFree(path: string, { overwrite, notOver }: NewFileOptions): Promise<void> {
  if (notOver !== undefined && (await isSameFile(path, notOver))) {
    throw new Error(translate('The transcript cannot be replaced. Choose another name.'));
  }
  if (!overwrite && (await lstat(path).catch(() => undefined)) !== undefined) {
    throw new Error(nameIsTaken);
  }
  // A user who may write everywhere would put a file in the place of a device.
  if ((await stat(path).catch(() => undefined))?.isFile() === false) {
    throw new Error(
      translate('Only regular files can be replaced, not folders, pipes or devices. Choose another name.'),
    );
  }
}

/** The bytes of a text, as the only chunk. */
export async function* textChunks(text: string): AsyncGenerator<Uint8Array, undefined> {
  yield await Promise.resolve(new TextEncoder().encode(text));
  return undefined;
}

/** Runs work whose errors are errors of writing. */
async function writing<Result>(work: () => Promise<Result>): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    throw new Error(describeWriteError(error), { cause: error });
  }
}

/** True if two paths lead to one file: by name, through symbolic links, or as hard links. */
async function isSameFile(one: string, other: string): Promise<boolean> {
  const [first, second] = await Promise.all(
    [one, other].map(path => stat(path, { bigint: true }).catch(() => undefined)),
  );
  return first !== undefined && first.dev === second?.dev && first.ino === second.ino;
}

/** Gives a finished file its name. Returns false if another program has meanwhile used the name. */
async function publish(unfinished: string, path: string): Promise<boolean> {
  try {
    await link(unfinished, path);
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'EEXIST') {
      return false;
    }
    // Some file systems have no links.
    await writing(() => rename(unfinished, path));
    return true;
  }
  await rm(unfinished, { force: true });
  return true;
}

/** Maximum length of the original name in the name of an unfinished file, in UTF-16 units. */
const longestBegin = 40;

/** The end of the name of an unfinished file, after the number of the process that writes it. */
const ending = '.context-inspector.part';

/** An unfinished file without a write for this long is abandoned, in milliseconds: its thread was ended. */
const longestPause = 600_000;

/** Removes files in a folder that processes and threads left when they were ended early. */
async function removeAbandoned(folder: string): Promise<void> {
  const names = await readdir(folder).catch(() => []);
  for (const name of names.filter(each => each.endsWith(ending))) {
    const path = join(folder, name);
    const writer = Number(/\.(\d+)$/.exec(name.slice(0, -ending.length))?.[1]);
    const written = (await stat(path).catch(() => undefined))?.mtimeMs ?? 0;
    if (!isRunning(writer) || Date.now() - written > longestPause) {
      await rm(path, { force: true }).catch(() => undefined);
    }
  }
}

/** True if a process of this machine runs. */
function isRunning(process_: number): boolean {
  if (!Number.isSafeInteger(process_) || process_ <= 0) {
    return false;
  }
  try {
    process.kill(process_, 0);
    return true;
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'EPERM';
  }
}

const removedAtExit = new Set<string>();

process.once('exit', () => {
  for (const path of removedAtExit) {
    rmSync(path, { force: true });
  }
});
