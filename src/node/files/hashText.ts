import { createHash } from 'node:crypto';
import type { HashText } from '../../core/base/sha256';
import { utf8Parts } from '../../core/base/utf8Parts';

/** SHA-256 from Node's crypto module. */
export const hashText: HashText = text => {
  const hash = createHash('sha256');
  for (const part of utf8Parts(text)) {
    hash.update(part);
  }
  return hash.digest('hex');
};
