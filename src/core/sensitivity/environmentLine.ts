import { translate } from '../base/translate';
import { patternDetector } from './detector';
import { isPlaceholder } from './placeholder';

/**
 * A line of an environment file whose name is that of a credential. Only the value can follow the equals sign there, so
 * values of letters alone and values with code characters count as well. A line number may precede the name, as in the
 * output of tools that read files.
 */
export const environmentLine = patternDetector(
  {
    rule: 'environmentLine',
    label: 'restricted',
    message: translate('found a credential in an environment file'),
  },
  /^[ \t]{0,16}(?:\d{1,8}[→:\t][ \t]{0,4})?(?:export[ \t]{1,4})?[A-Z0-9_]{0,60}(?:PASSWO?R?D|PASSPHRASE|PWD|SECRET|TOKEN|(?:API|ACCESS|AUTH|SECRET|PRIVATE|ENCRYPTION|SIGNING)_?KEY|CREDENTIALS?)=(?<value>[^\s"'`\\]{8,512})\r?$/dgm,
  value => !isPlaceholder(value) && !/^(?:[./~]|https?:)/.test(value) && !/\(.*\)/.test(value),
  text => /(?:PASSWO?R?D|PASSPHRASE|PWD|SECRET|TOKEN|KEY|CREDENTIALS?)=/.test(text),
);
