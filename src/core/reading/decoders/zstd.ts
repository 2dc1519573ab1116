import { translate } from '../../base/translate';
import type { Decoder } from '../format';
import { RefusedError, unpackWithin } from './unpacking';

/** Files compressed with Zstandard, as Codex compresses its older rollouts (`rollout-….jsonl.zst`). */
export const zstd: Decoder = {
  id: 'zstd',
  matches: head => head[0] === 0x28 && head[1] === 0xb5 && head[2] === 0x2f && head[3] === 0xfd,
  decode: async (bytes, { tools, limits }) => {
    try {
      return { kind: 'bytes', bytes: await unpackWithin(bytes, limits, tools.unpackZstd) };
    } catch (error) {
      throw error instanceof RefusedError
        ? error
        : new Error(translate('This Zstandard file is damaged or incomplete.'));
    }
  },
};
