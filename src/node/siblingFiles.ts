import { readdir, readFile, stat } from 'node:fs/promises';
import { basename, dirname, resolve, sep } from 'node:path';
import type { SiblingFiles } from '../core/reading/format';

/** The maximum size of one file next to a transcript, and of all of them together, in bytes. */
const largestFile = 256_000_000;
const largestSum = 1_000_000_000;

/** How many levels above the transcript's own folder may be read. */
const highestFolder = 3;

/** The files next to a local transcript. Only regular files are read, and only below `highestFolder`. */
export function siblingFilesOf(path: string): SiblingFiles {
  const folder = dirname(resolve(path));
  const folders: string[] = [];
  for (let above = folder; dirname(above) !== above; above = dirname(above)) {
    folders.push(basename(above));
  }
  const top = resolve(folder, ...Array<string>(highestFolder).fill('..'));
  let sum = 0;
  const inside = (relative: string): string | undefined => {
    const full = resolve(folder, relative);
    return `${full}${sep}`.startsWith(top.endsWith(sep) ? top : `${top}${sep}`) ? full : undefined;
  };
  return {
    fileName: basename(path),
    folders,
    read: async relative => {
      const full = inside(relative);
      const bytes =
        full === undefined ? undefined : await readRegular(full, largestSum - sum).catch(() => undefined);
      sum += bytes?.length ?? 0;
      return bytes;
    },
    list: async relative => {
      const full = inside(relative);
      return full === undefined ? [] : (await readdir(full).catch(() => [])).sort();
    },
  };
}

/** Checks the kind of the file first, because reading a named pipe would never end. */
async function readRegular(path: string, most: number): Promise<Uint8Array | undefined> {
  const found = await stat(path);
  return found.isFile() && found.size <= Math.min(most, largestFile) ? readFile(path) : undefined;
}
