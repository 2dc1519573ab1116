import { translate } from '../base/translate';
import { patternDetector } from './detector';

/** Numbers that are set aside for fiction in North America. */
const fictional = /555[ .-]?01\d\d$/;

/**
 * Phone numbers in international form with separators. One at the very start of a line is not taken, since an added
 * line of a diff begins with the same sign.
 */
export const phoneNumber = patternDetector(
  { rule: 'phoneNumber', label: 'private', message: translate('found a phone number') },
  /(?<=[^\w.+\-/*\n])\+[1-9]\d{0,2}[ .-]{1,2}(?:\(\d{1,4}\)[ .-]?)?\d{2,4}(?:[ .-]\d{2,4}){1,4}(?![\w.:/-]?\d)/dg,
  value => {
    const digits = value.replace(/\D/g, '').length;
    return digits >= 9 && digits <= 15 && !fictional.test(value);
  },
  text => text.includes('+'),
);
