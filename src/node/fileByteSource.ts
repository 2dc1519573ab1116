import { open, stat } from 'node:fs/promises';
import { translate } from '../core/base/translate';
import type { ByteSource } from '../core/model/byteSource';
import { folderSentence } from './fileErrors';

/** A ByteSource that holds an open file until it is closed. */
export interface FileByteSource extends ByteSource {
  close(): Promise<void>;
}

/**
 * Opens a local file for reads at any position. Its size is fixed at that moment, so bytes that are appended later
 * belong to the next opening. Rejects with the system's error, and for folders, pipes and devices. `describeFileError`
 * turns the error into a sentence.
 */
export async function openFile(path: string): Promise<FileByteSource> {
  // Checked before opening, because opening a pipe waits for a writer.
  const kind = await stat(path);
  if (!kind.isFile()) {
    throw new Error(
      kind.isDirectory()
        ? folderSentence
        : translate('Only regular files can be read, not pipes or devices.'),
    );
  }
  const file = await open(path, 'r');
  try {
    const { size } = await file.stat();
    return {
      size,
      read: async (offset, length, into) => {
        const wanted = Math.max(0, Math.min(length, size - offset));
        // A Buffer, because it searches for a byte many times faster. Only the part that was read is returned.
        const bytes =
          into === undefined
            ? Buffer.allocUnsafeSlow(wanted)
            : Buffer.from(into.buffer, into.byteOffset, wanted);
        let filled = 0;
        while (filled < wanted) {
          const { bytesRead } = await file.read(bytes, filled, wanted - filled, offset + filled);
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
