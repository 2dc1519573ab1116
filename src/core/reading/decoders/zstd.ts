import { translate } from '../../base/translate';
import type { Decoder } from '../format';
import { RefusedError } from './unpacking';

/** Files compressed with Zstandard, as Codex compresses its older rollouts (`rollout-….jsonl.zst`). */
export const zstd: Decoder = {
  id: 'zstd',
  matches: head => head[0] === 0x28 && head[1] === 0xb5 && head[2] === 0x2f && head[3] === 0xfd,
  decode: async (bytes, { limits }) => {
    const { unpackZstd } = await import('./zstdFrames');
    try {
      return { kind: 'bytes', bytes: unpackZstd(bytes, limits) };
    } catch (error) {
      throw error instanceof RefusedError
        ? error
        : new Error(translate('This Zstandard file is damaged or incomplete.'));
    }
  },
};
