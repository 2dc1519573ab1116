import { translate } from '../../base/translate';
import { RefusedError } from '../../reading/decoders/unpacking';
import { entryName } from '../../reading/decoders/zipEntryName';
import type { Decoder } from '../../reading/format';

/**
 * An Inspect log (`.eval`): a zip of `header.json` (only `_journal/start.json` if the run was cut off) and one file for
 * each sample. It becomes the document of Inspect's JSON log: `{version, eval, …, samples}`.
 */
export const inspectArchive: Decoder = {
  id: 'inspectArchive',
  matches: head =>
    head.length > 30 &&
    head[0] === 0x50 &&
    head[1] === 0x4b &&
    head[2] === 3 &&
    head[3] === 4 &&
    namesInspectEntry(head),
  decode: async (bytes, { tools, limits }) => {
    const { readInspectLog } = await import('./inspectArchive');
    try {
      return await readInspectLog(bytes, limits, tools.unpackZstd);
    } catch (error) {
      throw error instanceof RefusedError
        ? error
        : new Error(translate('This zip archive is damaged or incomplete.'));
    }
  },
};

function namesInspectEntry(head: Uint8Array): boolean {
  const name = entryName(
    head,
    30,
    new DataView(head.buffer, head.byteOffset, head.length).getUint16(26, true),
  );
  return /^(header\.json|summaries\.json|reductions\.json|_journal\/.*|samples\/.*)$/.test(name);
}
