import { watch } from 'node:fs';
import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import type { Files } from '../app/desk';
import { readRegular } from '../node/files/fileByteSource';
import { localFiles } from '../node/sessions/sessionFiles';

/**
 * The files on this machine's disk. Every change in a watched folder is reported, and none below it: on Linux, that would
 * take a watcher for each folder. The apps look for changes from time to time, too.
 */
export const diskFiles: Files = {
  stat: async address => {
    const { size, mtimeMs: modified } = await stat(fileURLToPath(address));
    return { size, modified };
  },
  read: async address => new Uint8Array(await readRegular(fileURLToPath(address))),
  list: address => localFiles().list(fileURLToPath(address)),
  watch: (address, _, onChanged) => {
    const folder = fileURLToPath(address);
    try {
      const watcher = watch(folder, { persistent: false }, (_event, name) => {
        if (name !== null) {
          onChanged(pathToFileURL(join(folder, name)).href);
        }
      });
      watcher.on('error', () => watcher.close());
      return { dispose: () => watcher.close() };
    } catch {
      // The folder does not exist yet.
      return { dispose: () => undefined };
    }
  },
};
