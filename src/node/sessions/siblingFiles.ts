import { readdir, readFile, realpath, stat } from 'node:fs/promises';
import { basename, dirname, join, relative, resolve, sep } from 'node:path';
import { codeFolders } from '../../core/finder/agentLocations';
import { defaultUnpackLimits, unpackWithin } from '../../core/reading/decoders/unpacking';
import type { SiblingFiles } from '../../core/reading/format';
import { unpackZstd } from '../files/unpackZstd';
import { thisMachine } from '../thisMachine';

/** The maximum size of one file next to a transcript, and of all of them together, in bytes. */
const largestFile = 256_000_000;
const largestSum = 1_000_000_000;

/** The number of levels above the transcript's own folder that may be read. */
const highestFolder = 3;

/**
 * The files next to a local transcript. Reads only regular files, only below `highestFolder`, and no links that lead
 * elsewhere: a transcript from a repository must not make the program show the user's other files.
 */
export function siblingFilesOf(path: string, machine = thisMachine()): SiblingFiles {
  const folder = dirname(resolve(path));
  const folders: string[] = [];
  for (let above = folder; dirname(above) !== above; above = dirname(above)) {
    folders.push(basename(above));
  }
  const top = resolve(folder, ...Array<string>(highestFolder).fill('..'));
  // Codex moves sessions from its folders by day to a folder beside them, and a fork stays where it is.
  const archive = folders[highestFolder] === 'sessions' ? join(dirname(top), 'archived_sessions') : undefined;
  let sum = 0;
  const inside = async (below: string): Promise<string | undefined> => {
    const full = resolve(folder, below);
    const isBelow = [top, archive].some(
      above =>
        above !== undefined && `${full}${sep}`.startsWith(above.endsWith(sep) ? above : `${above}${sep}`),
    );
    return isBelow && (await isReal(folder, full)) ? full : undefined;
  };
  return {
    fileName: basename(path),
    folders,
    read: async path => {
      const full = await inside(path);
      const bytes =
        full === undefined ? undefined : await readUnpacked(full, largestSum - sum).catch(() => undefined);
      sum += bytes?.length ?? 0;
      return bytes;
    },
    size: async path => {
      const full = await inside(path);
      const found = full === undefined ? undefined : await stat(full).catch(() => undefined);
      return found?.isFile() === true ? found.size : undefined;
    },
    usageSidecar: async sessionId => {
      // VS Code replaces characters that are not allowed in file names on every system.
      const name = `${sessionId.replace(/[^\w.-]/g, '_')}.jsonl`;
      for (const user of codeFolders(machine)) {
        const found = await readRegular(join(user, 'agentHostUsage', name), largestSum - sum).catch(
          () => undefined,
        );
        if (found !== undefined) {
          sum += found.length;
          return found;
        }
      }
      return undefined;
    },
    list: async path => {
      const full = await inside(path);
      return full === undefined ? [] : (await readdir(full).catch(() => [])).sort();
    },
  };
}

/** True if a path below a folder contains no link. The folder itself may be reached by links. Never rejects. */
export async function isReal(folder: string, path: string): Promise<boolean> {
  try {
    return (await realpath(path)) === resolve(await realpath(folder), relative(folder, path));
  } catch {
    return false;
  }
}

/** The content of a file; what Zstandard packed (`….zst`) is unpacked. */
async function readUnpacked(path: string, most: number): Promise<Uint8Array | undefined> {
  const found = await readRegular(path, most);
  return found !== undefined && path.endsWith('.zst')
    ? unpackWithin(found, { ...defaultUnpackLimits, bytes: Math.min(most, largestFile) }, unpackZstd)
    : found;
}

/** Checks the kind of the file first, because reading a named pipe would never end. */
async function readRegular(path: string, most: number): Promise<Uint8Array | undefined> {
  const found = await stat(path);
  return found.isFile() && found.size <= Math.min(most, largestFile) ? readFile(path) : undefined;
}
