import { type FSWatcher, watch } from 'node:fs';
import { basename, dirname } from 'node:path';
import { readRegularNow } from '../node/files/fileByteSource';
import { makeFolder } from '../node/files/makeFolder';
import { textChunks, writeNewFile } from '../node/files/newFile';

/** The text of a file; undefined if there is none or if it cannot be read. */
export function textOf(path: string): string | undefined {
  try {
    return readRegularNow(path).toString('utf8');
  } catch {
    return undefined;
  }
}

/** Writes a file whole: a reader sees it before or after. */
export async function replaceFile(path: string, text: string): Promise<void> {
  makeFolder(dirname(path));
  await writeNewFile(path, textChunks(text), { overwrite: true });
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
