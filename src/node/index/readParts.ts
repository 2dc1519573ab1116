import type { SessionFile } from '../../core/finder/sessionList';
import type { IndexedSession } from '../../core/index/indexedSession';
import type { IndexedFigures } from '../../core/index/listedSession';
import type { BlockWords } from '../../core/index/sessionWords';
import type { UnpackLimits } from '../../core/reading/decoders/unpacking';
import type { IndexedFile } from './indexTypes';

/** A file to read, and a flag for reading its words too. */
export interface ReadingOrder {
  readonly file: SessionFile;
  readonly words: boolean;
  /** True to read the subagents with files of their own too. */
  readonly subagents?: boolean;
  /** The limits for unpacking a file; the default limits if absent. */
  readonly limits?: UnpackLimits | undefined;
}

/** The results of reading a file, in parts; `session` comes last. */
export type ReadPart =
  | ({ readonly kind: 'words' } & BlockWords)
  | ({
      readonly kind: 'session';
      readonly session: IndexedSession;
      readonly subagents?: readonly IndexedFigures[];
    } & Pick<IndexedFile, 'requests' | 'blocks' | 'losses' | 'parts'>);

/** Bytes of the words in a part. */
export function bytesOfWords(part: ReadPart): number {
  return part.kind === 'words' ? part.bytes.length : 0;
}

/** The data stored for a file that is not a transcript. */
export const nobody: IndexedSession = {
  id: '',
  agent: '',
  project: '',
  branch: '',
  title: '',
  parent: '',
  versions: [],
  models: [],
};
export const nothing = new Uint8Array(0);
/** The unknown data of a file that was read only for its usage. */
export const without: Pick<IndexedFile, 'blocks' | 'losses' | 'parts'> = {
  blocks: nothing,
  losses: nothing,
  parts: nothing,
};
