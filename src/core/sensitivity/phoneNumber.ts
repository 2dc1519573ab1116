import { type AnchoredDetector, matchAt } from './anchored';
import { labelled } from './ruleWords';

/**
 * Numbers reserved for fiction, by their digits with the country code: 555-01XX in North America, and in the United
 * Kingdom those that Ofcom keeps for drama (mobile, without an area, nationwide, freephone, London, large cities).
 */
const fictional =
  /^(?:1\d{3}55501\d\d|440?(?:7700900|1632960|3069990|8081570|2079460|1(?:1[3-8]|[2-6]1)4960)\d{3})$/;
/** From the plus sign on: country, area, and groups of digits with separators (ITU-T E.123). */
const international =
  /\+[1-9]\d{0,2}[ .-]{1,2}(?:\(\d{1,4}\)[ .-]?)?\d{2,4}(?:[ .-]\d{2,4}){1,4}(?![\w.:/-]?\d)/y;
/** The same without separators, if a word names it. */
const compact = /\+[1-9]\d{8,14}(?![\w.:/-]?\d|[A-Za-z_])/y;
const phoneWord =
  /(?:phone|tel|mobile|cell|fax|call|sms|whatsapp|handy|m[oó]vil|portable)[\w.]{0,12}\W{1,6}$/i;

/**
 * Phone numbers in international form. A number at the very start of a line is skipped, because an added line of a diff
 * begins with the same plus sign.
 */
export const phoneNumber: AnchoredDetector = {
  ...labelled('phoneNumber', 'private'),
  literals: [],
  place: 'phone',
  find: (text, at) => {
    const number =
      matchAt(international, text, at)?.[0] ??
      (phoneWord.test(text.slice(Math.max(0, at - 32), at)) ? matchAt(compact, text, at)?.[0] : undefined);
    const digits = number?.replace(/\D/g, '') ?? '';
    return number !== undefined && digits.length >= 9 && digits.length <= 15 && !fictional.test(digits)
      ? { start: at, end: at + number.length }
      : undefined;
  },
};
