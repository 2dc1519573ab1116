import { describeFileError } from '../node/fileByteSource';
import { writeNewFile } from '../node/newFile';
import { UsageError } from './arguments';

/** Options of the commands that write a file. */
export const outputOptions = { out: { type: 'string' }, force: { type: 'boolean' } } as const;

export const forceHelp = `  --force           replace a file of that name; the transcript itself is never replaced
`;

/** Writes the file of --out. Throws UsageError where it cannot. */
export async function writeOutput<Outcome>(
  path: string,
  chunks: AsyncIterator<Uint8Array, Outcome>,
  options: { readonly transcript: string; readonly force: boolean | undefined },
): Promise<Outcome> {
  try {
    return await writeNewFile(path, chunks, {
      overwrite: options.force === true,
      notOver: options.transcript,
    });
  } catch (error) {
    throw new UsageError(`${path}: ${describeFileError(error)}`);
  }
}
