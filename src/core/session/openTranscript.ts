import { anyTranscript } from '../formats/readTranscript';
import type { ByteSource } from '../model/byteSource';
import { openReadBy, type OpenOptions, type OpenResult } from './openReadBy';

/** Reads a transcript; token figures are estimates from sizes until they are counted. Answers and throws as readTranscript. */
export const openTranscript = (source: ByteSource, options: OpenOptions): Promise<OpenResult> =>
  openReadBy(anyTranscript, source, options);
