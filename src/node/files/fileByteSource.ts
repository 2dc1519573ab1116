import { closeSync, fstatSync, openSync, readFileSync, readSync, type Stats, statSync } from 'node:fs';
import { open, readFile, stat } from 'node:fs/promises';
import { translate } from '../../core/base/translate';
import type { ByteSource } from '../../core/model/byteSource';
import { folderSentence } from './fileErrors';

/** A ByteSource with an open file until it is closed. */
export interface FileByteSource extends ByteSource {
  close(): Promise<void>;
}

/**
 * Opens a local file for reads at any position. Its size is fixed at that moment, so bytes appended later belong to the
 * next opening. Rejects with the system's error, and for folders, pipes and devices. `describeFileError` turns the
 * error into a sentence.
 */
export async function openFile(path: string): Promise<FileByteSource> {
  // Checked before opening, because opening a pipe waits for a writer.
  refuseOthers(await stat(path));
  const file = await open(path, 'r');
  try {
    const { size } = await file.stat();
    return {
      size,
      read: async (offset, length, into) => {
        const bytes = room(Math.min(length, size - offset), into);
        let filled = 0;
        while (filled < bytes.length) {
          const { bytesRead } = await file.read(bytes, filled, bytes.length - filled, offset + filled);
          if (bytesRead === 0) {
            break;
          }
          filled += bytesRead;
        }
        return bytes.subarray(0, filled);
      },
      close: () => file.close(),
    };
  } catch (error) {
    await file.close();
    throw error;
  }
}

/**
 * The same for a thread with no other work: each read is synchronous, which takes a fraction of the processor time for
 * small files.
 */
export function openFileNow(path: string): FileByteSource {
  const file = openRegularNow(path);
  try {
    const { size } = fstatSync(file);
    const readNow = (offset: number, length: number, into?: Uint8Array<ArrayBuffer>): Uint8Array => {
      const bytes = room(Math.min(length, size - offset), into);
      let filled = 0;
      while (filled < bytes.length) {
        const read = readSync(file, bytes, filled, bytes.length - filled, offset + filled);
        if (read === 0) {
          break;
        }
        filled += read;
      }
      return bytes.subarray(0, filled);
    };
    return {
      size,
      read: (offset, length, into) =>
        new Promise(resolve => {
          resolve(readNow(offset, length, into));
        }),
      close: () => {
        closeSync(file);
        return Promise.resolve();
      },
    };
  } catch (error) {
    closeSync(file);
    throw error;
  }
}

/** The descriptor of a file to read. Throws the system's error, and for folders, pipes and devices. */
export function openRegularNow(path: string): number {
  // Checked before opening, because opening a pipe waits for a writer.
  refuseOthers(statSync(path));
  return openSync(path, 'r');
}

/** The whole content of a file. Rejects as `openFile` does. */
export async function readRegular(path: string): Promise<Buffer> {
  refuseOthers(await stat(path));
  return readFile(path);
}

/** The same at once. Throws. */
export function readRegularNow(path: string): Buffer {
  const file = openRegularNow(path);
  try {
    return readFileSync(file);
  } finally {
    closeSync(file);
  }
}

function refuseOthers(kind: Stats): void {
  if (!kind.isFile()) {
    throw new Error(
      kind.isDirectory()
        ? folderSentence
        : translate('Only regular files can be read, not pipes or devices.'),
    );
  }
}

/** A Buffer, because it searches for a byte many times faster. Only the part that was read is returned. */
function room(length: number, into: Uint8Array<ArrayBuffer> | undefined): Buffer<ArrayBuffer> {
  const wanted = Math.max(0, length);
  return into === undefined
    ? Buffer.allocUnsafeSlow(wanted)
    : Buffer.from(into.buffer, into.byteOffset, wanted);
}
