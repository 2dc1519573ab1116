import { translate } from '../base/translate';
import { patternDetector } from './detector';
import { isPlaceholder, mixesLettersAndDigits } from './placeholder';

/** The token of `Bearer …`, and that of an Authorization header of another scheme. */
export const authorizationHeader = patternDetector(
  {
    rule: 'authorizationHeader',
    label: 'restricted',
    message: translate('found a credential in an Authorization header'),
  },
  /(?:\bBearer|\bauthorization\\?["']?[ \t]{0,4}[:=][ \t]{0,4}\\?["']?(?:Basic|Token))[ \t]{1,4}(?<value>[A-Za-z0-9._~+/=-]{16,4096})/dgi,
  value => mixesLettersAndDigits(value) && !isPlaceholder(value),
);
