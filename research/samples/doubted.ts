import { openFileNow } from '../../src/node/files/fileByteSource';
import { readTranscript } from '../../src/core/formats/readTranscript';
import { doubtedTotals } from '../../src/core/tokens/doubtedTotals';
import { inputOf } from '../../src/core/tokens/prices';
import { decoderTools } from '../../src/node/databases/database';
import { decodeText } from '../../src/node/files/decodeText';
import { siblingFilesOf } from '../../src/node/sessions/siblingFiles';

/** Every request of some files whose recorded input is doubted, to be judged by hand, and the number of all requests. */
export async function* listDoubted(files: readonly string[]): AsyncGenerator<string> {
  const sum = { files: 0, requests: 0, doubted: 0 };
  for (const path of files) {
    const source = openFileNow(path);
    try {
      const siblings = siblingFilesOf(path);
      const read = await readTranscript(source, {
        mayGrow: false,
        decodeText,
        tools: decoderTools,
        siblings,
      });
      if (read.ok) {
        const { requests } = read.transcript;
        sum.files += 1;
        sum.requests += requests.filter(({ usage }) => usage !== undefined).length;
        for (const index of doubtedTotals(read.transcript)) {
          const { usage, line, length } = requests[index] ?? {};
          sum.doubted += 1;
          yield `${path} line ${line}: ${usage === undefined ? 0 : inputOf(usage)} recorded, ${length} blocks`;
        }
      }
    } catch {
      // Not a file that can be read here.
    } finally {
      await source.close();
    }
  }
  yield `${sum.doubted} of ${sum.requests} recorded inputs are doubted, in ${sum.files} files`;
}
