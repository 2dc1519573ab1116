import { sha256 } from '@noble/hashes/sha2.js';
import { bytesToHex, utf8ToBytes } from '@noble/hashes/utils.js';

/** SHA-256 over the UTF-8 bytes of a text, as 64 hex digits. */
export type HashText = (text: string) => string;

/** In plain JavaScript; a platform may have one that is many times faster. */
export const sha256Hex: HashText = text => bytesToHex(sha256(utf8ToBytes(text)));
