import { type FSWatcher, watch } from 'node:fs';
import { rename, rm, writeFile } from 'node:fs/promises';
import { readFileSync } from 'node:fs';
import { basename, dirname } from 'node:path';
import { makeFolder } from '../node/files/makeFolder';

/** Only the user may read it. */
const privateMode = 0o600;

/** The text of a file; undefined if there is none or if it cannot be read. */
export function textOf(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return undefined;
  }
}

/** Writes a file whole: a reader sees it before or after. */
export async function replaceFile(path: string, text: string): Promise<void> {
  makeFolder(dirname(path));
  const unfinished = `${path}.${process.pid}.part`;
  try {
    await writeFile(unfinished, text, { mode: privateMode });
    await rename(unfinished, path);
  } catch (error) {
    await rm(unfinished, { force: true });
    throw error;
  }
}

/** Reports that a file may have changed. Programs replace files, so its folder is watched. */
export function watchFile(path: string, onChanged: () => void): FSWatcher {
  makeFolder(dirname(path));
  const watcher = watch(dirname(path), { persistent: false }, (_, name) => {
    if (name === null || name === basename(path)) {
      onChanged();
    }
  });
  // A folder that is deleted is watched no more.
  watcher.on('error', () => watcher.close());
  return watcher;
}
