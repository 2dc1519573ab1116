import type { SessionFile } from '../../core/finder/sessionList';
import type { IndexedSession } from '../../core/index/indexedSession';
import type { BlockWords } from '../../core/index/sessionWords';
import type { UnpackLimits } from '../../core/reading/decoders/unpacking';
import type { IndexedFile } from './indexTypes';

/** A file to be read, and whether for its words too. */
export interface ReadingOrder {
  readonly file: SessionFile;
  readonly words: boolean;
  /** How far a packed file may unpack; the default limits where it is absent. */
  readonly limits?: UnpackLimits | undefined;
}

/** What was read of a file, in parts; `session` comes last. */
export type ReadPart =
  | ({ readonly kind: 'words' } & BlockWords)
  | ({
      readonly kind: 'session';
      readonly session: IndexedSession;
    } & Pick<IndexedFile, 'requests' | 'blocks' | 'losses' | 'parts'>);

/** Bytes of the words in a part. */
export function bytesOfWords(part: ReadPart): number {
  return part.kind === 'words' ? part.bytes.length : 0;
}

/** What is kept of a file that is no transcript. */
export const nobody: IndexedSession = {
  id: '',
  agent: '',
  project: '',
  branch: '',
  title: '',
  parent: '',
  models: [],
};
export const nothing = new Uint8Array(0);
/** What is not known of a file that was read for its usage alone. */
export const without: Pick<IndexedFile, 'blocks' | 'losses' | 'parts'> = {
  blocks: nothing,
  losses: nothing,
  parts: nothing,
};
