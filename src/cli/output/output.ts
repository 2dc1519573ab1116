import { RefusedError } from '../../core/reading/decoders/unpacking';
import { describeFileError } from '../../node/files/fileErrors';
import { expectFree, type NewFileOptions, writeNewFile } from '../../node/files/newFile';
import { UsageError } from '../command';

interface OutputOptions extends Pick<NewFileOptions, 'check'> {
  readonly transcript: string;
  readonly force: boolean | undefined;
}

/** Writes the file of `--out`. Throws UsageError if it cannot be written. */
export async function writeOutput<Outcome>(
  path: string,
  chunks: AsyncIterator<Uint8Array, Outcome>,
  options: OutputOptions,
): Promise<Outcome> {
  return writeNewFile(path, chunks, newFileOptions(options)).catch(asUsageError(path, options));
}

/** Throws UsageError if such a file could not be written, before anything is paid for. */
export async function expectOutput(path: string | undefined, options: OutputOptions): Promise<void> {
  if (path !== undefined) {
    await expectFree(path, newFileOptions(options)).catch(asUsageError(path, options));
  }
}

function newFileOptions({ transcript, force = false, check }: OutputOptions): NewFileOptions {
  return { overwrite: force, notOver: transcript, check };
}

function asUsageError(path: string, { transcript }: OutputOptions): (error: unknown) => never {
  return error => {
    const named = error instanceof RefusedError ? transcript : path;
    throw new UsageError(`${named}: ${describeFileError(error)}`);
  };
}
