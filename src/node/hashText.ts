import { createHash } from 'node:crypto';
import type { HashText } from '../core/base/sha256';

/** SHA-256 by the platform. */
export const hashText: HashText = text => createHash('sha256').update(text, 'utf8').digest('hex');
