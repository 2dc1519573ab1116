import { sha256 } from '@noble/hashes/sha2.js';
import { bytesToHex } from '@noble/hashes/utils.js';
import { utf8Parts } from './utf8Parts';

/** SHA-256 over the UTF-8 bytes of a text, as 64 hex digits. */
export type HashText = (text: string) => string;

/** In plain JavaScript. A platform may have a much faster one. */
export const sha256Hex: HashText = text => {
  const hash = sha256.create();
  for (const part of utf8Parts(text)) {
    hash.update(part);
  }
  return bytesToHex(hash.digest());
};
