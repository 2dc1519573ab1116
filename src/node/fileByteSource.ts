import { open, stat } from 'node:fs/promises';
import type { ByteSource } from '../core/model/byteSource';

/** A ByteSource that holds an open file until it is closed. */
export interface FileByteSource extends ByteSource {
  close(): Promise<void>;
}

const folderSentence = 'This is a folder, not a file.';

/**
 * Opens a local file for positional reads. Its size is fixed at that moment, so whatever is appended later belongs to
 * the next opening. Rejects with the system's error, or for folders, pipes and devices; `describeFileError` puts it in
 * words.
 */
export async function openFile(path: string): Promise<FileByteSource> {
  // Asked before opening, since opening a pipe waits until somebody writes to it.
  const kind = await stat(path);
  if (!kind.isFile()) {
    throw new Error(
      kind.isDirectory() ? folderSentence : 'Only regular files can be read, not pipes or devices.',
    );
  }
  const file = await open(path, 'r');
  try {
    const { size } = await file.stat();
    return {
      size,
      read: async (offset, length, into) => {
        const wanted = Math.max(0, Math.min(length, size - offset));
        // A Buffer, since its search for a byte is many times faster. What was not read into it is not given out.
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

/**
 * One sentence for an error while a file is read or a question about it is answered. Errors of the system are told by
 * their code and without the path, since whoever shows the sentence names the file; others bring their own sentence.
 */
export function describeFileError(error: unknown): string {
  const message = error instanceof Error ? error.message : String(error);
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  switch (code) {
    case 'ENOENT':
    case 'FileNotFound':
      return 'The file does not exist.';
    case 'EACCES':
    case 'EPERM':
    case 'NoPermissions':
      return 'The file cannot be read: permission denied.';
    case 'EISDIR':
    case 'FileIsADirectory':
      return folderSentence;
    case undefined:
      return message;
    default:
      return `The file cannot be read: ${message}.`;
  }
}
