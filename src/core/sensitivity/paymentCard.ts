import { type AnchoredDetector, matchAt } from './anchored';
import { labelled } from './ruleWords';

/** Visa, Mastercard, American Express, Discover: prefix and length. */
const issuers =
  /^(?:4\d{15}|(?:5[1-5]\d\d|222[1-9]|22[3-9]\d|2[3-6]\d\d|27[01]\d|2720)\d{12}|3[47]\d{13}|6(?:011|5\d\d)\d{12})$/;
/** Payment providers' published test numbers. */
const testNumbers =
  /^(?:4242424242424242|4111111111111111|4012888888881881|4000000000000002|5555555555554444|5105105105105100|378282246310005|371449635398431|6011111111111117|6011000990139424)$/;
const cardWord = /card|visa|master|amex|discover|\bpan\b/i;

/** Luhn's check digit (ISO/IEC 7812-1). */
function passesLuhn(digits: string): boolean {
  let sum = 0;
  for (let position = 1; position <= digits.length; position++) {
    const digit = Number(digits.charAt(digits.length - position));
    sum += position % 2 === 1 ? digit : digit * 2 - (digit > 4 ? 9 : 0);
  }
  return sum % 10 === 0;
}

const form =
  /(?<![\w.,+/-])(?:\d{4}([ -])\d{4}\1\d{4}\1\d{4}|\d{4}([ -])\d{6}\2\d{5}|\d{15,16})(?![\w./-]?\d|[A-Za-z_])/y;

/**
 * Numbers of payment cards: grouped as on a card, or plain with a word for a card shortly before. One in ten other long
 * numbers has a valid check digit too.
 */
export const paymentCard: AnchoredDetector = {
  ...labelled('paymentCard', 'private'),
  literals: [],
  place: 'card',
  find: (text, at) => {
    const value = matchAt(form, text, at)?.[0] ?? '';
    const digits = value.replace(/\D/g, '');
    return issuers.test(digits) &&
      !testNumbers.test(digits) &&
      passesLuhn(digits) &&
      (digits.length < value.length || cardWord.test(text.slice(Math.max(0, at - 40), at)))
      ? { start: at, end: at + value.length }
      : undefined;
  },
};
