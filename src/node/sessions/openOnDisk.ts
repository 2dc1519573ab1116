import { basename } from 'node:path';
import type { ByteSource } from '../../core/model/byteSource';
import type { OpenOptions } from '../../core/session/openReadBy';
import { openTranscript } from '../../core/session/openTranscript';
import { decoderTools } from '../databases/database';
import { decodeText } from '../files/decodeText';
import { hashText } from '../files/hashText';
import { siblingFilesOf } from './siblingFiles';

/** Opens a file of this disk as a transcript, with this machine's decoders and the files beside it. */
export const openOnDisk = (
  path: string,
  source: ByteSource,
  options: Omit<OpenOptions, 'fileName' | 'decodeText' | 'hashText' | 'tools' | 'siblings'>,
): ReturnType<typeof openTranscript> =>
  openTranscript(source, {
    ...options,
    fileName: basename(path),
    decodeText,
    hashText,
    tools: decoderTools,
    siblings: siblingFilesOf(path),
  });
