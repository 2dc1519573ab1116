import { translate } from '../base/translate';
import { patternDetector } from './detector';

/**
 * A private key in PEM form with its beginning; the end may be missing, since tools cut their output. Encrypted keys
 * count as well. Line breaks may be escaped.
 */
export const privateKeyBlock = patternDetector(
  { rule: 'privateKeyBlock', label: 'restricted', message: translate('found a private key') },
  /-----BEGIN (?:[A-Z0-9]{2,12} ){0,2}PRIVATE KEY(?: BLOCK)?-----(?:[A-Za-z0-9+/=\s]|\\[nr]){40,}(?:-----END [A-Z0-9 ]{0,40}-----)?/dg,
  () => true,
  text => text.includes('-----BEGIN '),
);
