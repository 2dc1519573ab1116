import { createHash } from 'node:crypto';
import type { HashText } from '../core/base/sha256';

/** SHA-256 from Node's crypto module. */
export const hashText: HashText = text => createHash('sha256').update(text, 'utf8').digest('hex');
