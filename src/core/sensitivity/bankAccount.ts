import { type AnchoredDetector, matchAt } from './anchored';
import { labelled } from './ruleWords';

/** Length of an IBAN by country (SWIFT IBAN registry). */
const lengths = new Map(
  Object.entries({
    15: 'NO',
    16: 'BE',
    18: 'DK FI NL',
    20: 'AT EE LT LU',
    21: 'CH HR LI LV',
    22: 'BG DE GB GE IE ME RS',
    23: 'AE IL',
    24: 'CZ ES RO SA SE SK TN',
    25: 'PT',
    26: 'IS TR',
    27: 'FR GR IT MC',
    28: 'AL CY HU LB PL',
    29: 'BR EG PS QA UA',
  }).flatMap(([length, countries]) => countries.split(' ').map(country => [country, Number(length)])),
);

/** ISO 13616: with the first four characters at the end and letters as numbers, the remainder by 97 is 1. */
function passesChecksum(account: string): boolean {
  let remainder = 0;
  for (const character of account.slice(4) + account.slice(0, 4)) {
    const value = parseInt(character, 36);
    remainder = (remainder * (value > 9 ? 100 : 10) + value) % 97;
  }
  return remainder === 1;
}

const form =
  /(?<![A-Za-z0-9_+/-])[A-Z]{2}\d{2}(?:[A-Z0-9]{11,25}|(?: [A-Z0-9]{4}){2,6}(?: [A-Z0-9]{1,4})?)(?![A-Za-z0-9_+/=-])/y;

/** International bank account numbers, plain or in groups of four. */
export const bankAccount: AnchoredDetector = {
  ...labelled('bankAccount', 'private'),
  literals: [],
  place: 'account',
  find: (text, at) => {
    const value = matchAt(form, text, at)?.[0] ?? '';
    const account = value.replaceAll(' ', '');
    return account.length === lengths.get(account.slice(0, 2)) && passesChecksum(account)
      ? { start: at, end: at + value.length }
      : undefined;
  },
};
