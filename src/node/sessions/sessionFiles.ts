import { constants, type Dirent, readdirSync, type Stats, statSync } from 'node:fs';
import { open, readdir, stat } from 'node:fs/promises';
import type { FolderEntry } from '../../core/base/pathPattern';
import { createLimiter } from './limiter';

/** Bytes, and milliseconds since 1970. */
export interface FileState {
  readonly size: number;
  readonly modified: number;
}

/** The file system functions that the finder needs. None of them rejects. */
export interface SessionFileSystem {
  list(folder: string): Promise<readonly FolderEntry[]>;
  /** One for each path: undefined if there is no such file, or if it is not a regular file. */
  states(paths: readonly string[]): Promise<readonly (FileState | undefined)[]>;
  /** The bytes in the range; fewer at the end of the file, and none if the file cannot be read. */
  read(path: string, offset: number, length: number): Promise<Uint8Array>;
}

/**
 * The local disk. Allows enough parallel calls to keep the disk busy, but few enough that the process can still open
 * files.
 */
export function localFiles(most = 32): SessionFileSystem {
  const limited = createLimiter(most);
  return {
    list: folder =>
      limited(async () => {
        const entries = await readdir(folder, { withFileTypes: true }).catch(() => []);
        const links = entries.filter(entry => entry.isSymbolicLink()).map(({ name }) => name);
        const targets = await Promise.all(
          links.map(name => stat(joined(folder, name)).catch(() => undefined)),
        );
        const folders = new Set(links.filter((_, number) => targets[number]?.isDirectory()));
        return folderEntries(entries, name => folders.has(name));
      }),
    states: paths => Promise.all(paths.map(path => limited(() => stat(path).then(stateOf, () => undefined)))),
    read: (path, offset, length) =>
      limited(() => readPart(path, offset, length).catch(() => new Uint8Array(0))),
  };
}

/**
 * The same for a thread with no other work: the state of a file is read synchronously, so that listing 5,000 files
 * takes two fifths of the time.
 */
export function localFilesNow(): SessionFileSystem {
  return {
    ...localFiles(),
    states: paths =>
      Promise.resolve(
        paths.map(path => {
          try {
            const found = statSync(path, { throwIfNoEntry: false });
            return found && stateOf(found);
          } catch {
            return undefined;
          }
        }),
      ),
  };
}

/** The same, with synchronous listing of folders too, for a program with no other work. */
export function localFilesAtOnce(): SessionFileSystem {
  return {
    ...localFilesNow(),
    list: folder => {
      let entries: readonly Dirent[] = [];
      try {
        entries = readdirSync(folder, { withFileTypes: true });
      } catch {
        // It does not exist or cannot be read.
      }
      return Promise.resolve(folderEntries(entries, name => isFolderAt(joined(folder, name))));
    },
  };
}

function isFolderAt(path: string): boolean {
  try {
    return statSync(path).isDirectory();
  } catch {
    return false;
  }
}

/** @param leadsToFolder true if the link with this name leads to a folder */
function folderEntries(
  entries: readonly Dirent[],
  leadsToFolder: (name: string) => boolean,
): readonly FolderEntry[] {
  return entries.map(entry => {
    const { name } = entry;
    const isLink = entry.isSymbolicLink();
    return { name, isLink, isFolder: isLink ? leadsToFolder(name) : entry.isDirectory() };
  });
}

function stateOf(found: Stats): FileState | undefined {
  return found.isFile() ? { size: found.size, modified: found.mtimeMs } : undefined;
}

/** Opening a pipe does not wait for a writer. Windows has no such flag. */
const toRead = constants.O_RDONLY | constants.O_NONBLOCK;

async function readPart(path: string, offset: number, length: number): Promise<Uint8Array> {
  const file = await open(path, toRead);
  try {
    const bytes = new Uint8Array(length);
    const { bytesRead } = await file.read(bytes, 0, length, offset);
    return bytes.subarray(0, bytesRead);
  } finally {
    await file.close();
  }
}

/** Below a folder, with its own separator. */
export function joined(folder: string, name: string): string {
  return `${folder}${folder.includes('\\') ? '\\' : '/'}${name}`;
}
