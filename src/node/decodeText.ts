import { isAscii } from 'node:buffer';
import { decodeUtf8, type DecodeText } from '../core/model/byteSource';

/** Decodes UTF-8; what is ASCII, as most of a transcript is, many times faster than a decoder of all of UTF-8 does. */
export const decodeText: DecodeText = bytes =>
  isAscii(bytes)
    ? Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('latin1')
    : decodeUtf8(bytes);
