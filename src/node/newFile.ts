import { open, realpath, rename, rm, stat } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';
import { translate } from '../core/base/translate';

export interface NewFileOptions {
  /** Whether an existing file may be replaced. */
  readonly overwrite: boolean;
  /** A file that is never replaced, whatever the value of `overwrite`. */
  readonly notOver: string;
}

/**
 * Writes a file chunk by chunk, under a temporary name until it is complete. Rejects with one sentence if the file
 * exists, and leaves no file if the chunks fail.
 * @returns what the generator returns
 */
export async function writeNewFile<Outcome>(
  path: string,
  chunks: AsyncIterator<Uint8Array, Outcome>,
  { overwrite, notOver }: NewFileOptions,
): Promise<Outcome> {
  const found = await stat(path).catch(() => undefined);
  if (
    found !== undefined &&
    (await realpath(path)) === (await realpath(notOver).catch(() => resolve(notOver)))
  ) {
    throw new Error(translate('The transcript itself is never replaced. Choose another name.'));
  }
  if (found !== undefined && !overwrite) {
    throw new Error(translate('A file with this name already exists.'));
  }
  const unfinished = join(dirname(path), `.${basename(path)}.${process.pid}.part`);
  const file = await open(unfinished, 'wx');
  try {
    let next = await chunks.next();
    while (next.done !== true) {
      await file.writeFile(next.value);
      next = await chunks.next();
    }
    await file.close();
    await rename(unfinished, path);
    return next.value;
  } catch (error) {
    await file.close().catch(() => undefined);
    await rm(unfinished, { force: true });
    throw error;
  }
}

/** The bytes of a text, as the only chunk. */
export async function* textChunks(text: string): AsyncGenerator<Uint8Array, undefined> {
  yield await Promise.resolve(new TextEncoder().encode(text));
  return undefined;
}
