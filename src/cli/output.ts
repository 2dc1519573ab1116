import { describeFileError } from '../node/fileErrors';
import { writeNewFile } from '../node/newFile';
import { UsageError } from './command';

/** Writes the file of `--out`. Throws UsageError where it cannot be written. */
export async function writeOutput<Outcome>(
  path: string,
  chunks: AsyncIterator<Uint8Array, Outcome>,
  { transcript, force = false }: { readonly transcript: string; readonly force: boolean | undefined },
): Promise<Outcome> {
  return writeNewFile(path, chunks, { overwrite: force, notOver: transcript }).catch((error: unknown) => {
    throw new UsageError(`${path}: ${describeFileError(error)}`);
  });
}
