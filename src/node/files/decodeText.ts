import { isAscii } from 'node:buffer';
import { type DecodeText, decodeUtf8 } from '../../core/model/byteSource';

/** Decodes UTF-8. Most of a transcript is ASCII, which is decoded many times faster than by a full UTF-8 decoder. */
export const decodeText: DecodeText = bytes =>
  isAscii(bytes)
    ? Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('latin1')
    : decodeUtf8(bytes);
