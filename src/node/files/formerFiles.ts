import { readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';

/** Files and folders in the extension's storage that earlier versions wrote and that are no longer read. */
const formerFiles = ['sessions.json', 'code'];

/** In milliseconds. Compiled code of this age belongs to an earlier version, or is created again. */
const longestKept = 90 * 86_400_000;

/**
 * Deletes files of earlier versions from the extension's storage.
 * @param compiled the folder in it for Node's compiled code
 */
export async function deleteFormerFiles(storage: string, compiled: string): Promise<void> {
  await Promise.all([
    ...formerFiles.map(name => remove(join(storage, name))),
    deleteOldCode(join(storage, compiled)),
  ]);
}

/** Deletes old compiled code from the folder where Node keeps it: it has a folder of its own for each version of Node. */
export async function deleteOldCode(folder: string): Promise<void> {
  const kept = await readdir(folder, { recursive: true, withFileTypes: true }).catch(() => []);
  for (const file of kept.filter(each => each.isFile())) {
    const path = join(file.parentPath, file.name);
    // Another process may have deleted it meanwhile.
    const age = await stat(path).then(
      ({ mtimeMs }) => Date.now() - mtimeMs,
      () => 0,
    );
    if (age > longestKept) {
      await remove(path);
    }
  }
}

const remove = (path: string): Promise<void> =>
  rm(path, { recursive: true, force: true }).catch(() => undefined);
