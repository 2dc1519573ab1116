import type { AnchoredDetector } from './anchored';
import { labelled } from './ruleWords';

/** The remainder of a weighted sum of digits. */
function weighted(digits: string, weights: readonly number[], modulus: number): number {
  return weights.reduce((sum, weight, index) => sum + weight * Number(digits.charAt(index)), 0) % modulus;
}

/** The remainder of a long number. */
function remainder(digits: string, modulus: number): number {
  return Array.from(digits).reduce((rest, digit) => (rest * 10 + Number(digit)) % modulus, 0);
}

function down(from: number, to: number): readonly number[] {
  return Array.from({ length: from - to + 1 }, (_, index) => from - index);
}

/** ISO 7064, MOD 11,10. */
function passesMod1110(digits: string): boolean {
  let product = 10;
  for (const digit of digits.slice(0, -1)) {
    const sum = (Number(digit) + product) % 10 || 10;
    product = (sum * 2) % 11;
  }
  return (11 - product) % 10 === Number(digits.at(-1));
}

/** The multiplication of the group of symmetries of a pentagon, and its permutations (Verhoeff's check digit). */
const dihedral = (first: number, second: number): number =>
  first < 5
    ? second < 5
      ? (first + second) % 5
      : ((first + second) % 5) + 5
    : second < 5
      ? ((first - second + 5) % 5) + 5
      : (first - second + 5) % 5;
const firstPermutation = [1, 5, 7, 6, 2, 8, 3, 0, 9, 4];

function passesVerhoeff(digits: string): boolean {
  let check = 0;
  for (const [position, digit] of Array.from(digits).reverse().entries()) {
    let value = Number(digit);
    for (let turn = 0; turn < position % 8; turn += 1) {
      value = firstPermutation[value] ?? 0;
    }
    check = dihedral(check, value);
  }
  return check === 0;
}

function passesTwoDigits(digits: string, length: number, weights: readonly number[]): boolean {
  const digit = (count: number): number => {
    const rest = weighted(digits, weights.slice(weights.length - count), 11);
    return rest < 2 ? 0 : 11 - rest;
  };
  return (
    digit(length) === Number(digits.charAt(length)) && digit(length + 1) === Number(digits.charAt(length + 1))
  );
}

const oddValues = [
  1, 0, 5, 7, 9, 13, 15, 17, 19, 21, 2, 4, 18, 20, 11, 3, 6, 8, 12, 14, 16, 10, 22, 25, 24, 23,
];

function passesItalian(code: string): boolean {
  const sum = Array.from(code.slice(0, 15)).reduce((total, character, index) => {
    const value = /\d/.test(character) ? Number(character) : character.charCodeAt(0) - 65;
    return total + (index % 2 === 0 ? (oddValues[value] ?? 0) : value);
  }, 0);
  return String.fromCharCode(65 + (sum % 26)) === code.charAt(15);
}

function passesSpanish(value: string): boolean {
  const number = value.slice(0, -1).replace(/^[XYZ]/, letter => String('XYZ'.indexOf(letter)));
  return 'TRWAGMYFPDXBNJZSQVHLCKE'.charAt(Number(number) % 23) === value.at(-1);
}

interface Identifier {
  /** Words of which one must come shortly before the number. */
  readonly words: readonly string[];
  readonly form: RegExp;
  /** True if the number, without blanks and separators, is a valid one. */
  readonly passes: (value: string) => boolean;
}

/** National ID numbers, with the rules for their check digits. */
export const identifiers: Readonly<Record<string, Identifier>> = {
  // Social Security Administration: no area 000, 666 or 9xx, no group 00, no serial 0000.
  'US SSN': {
    words: ['ssn', 'social security', 'social_security', 'socialsecurity'],
    form: /(?!000|666|9)\d{3}([- ]?)(?!00)\d{2}\1(?!0000)\d{4}/y,
    passes: value => !/^(?:123456789|078051120|219099999)$|^(\d)\1+$/.test(value),
  },
  // National Insurance Manual, NIM39110.
  'UK NINO': {
    words: ['nino', 'national insurance', 'national_insurance', 'nationalinsurance', 'ni number'],
    form: /(?!BG|GB|NK|KN|TN|NT|ZZ)[A-CEGHJ-PR-TW-Z][A-CEGHJ-NPR-TW-Z] ?\d{2} ?\d{2} ?\d{2} ?[A-D]/y,
    passes: value => value !== 'QQ123456C',
  },
  'DE Steuer-ID': {
    words: ['steuer', 'tax id', 'tax_id', 'idnr'],
    form: /[1-9]\d ?\d{3} ?\d{3} ?\d{3}/y,
    passes: passesMod1110,
  },
  'FR NIR': {
    words: ['nir', 'insee', 'sécurité sociale', 'securite sociale', 'secu'],
    form: /[12] ?\d{2} ?(?:0[1-9]|1[0-2]|[2-9]\d) ?(?:\d{2}|2[AB]) ?\d{3} ?\d{3} ?\d{2}/y,
    passes: value => {
      const number = value.slice(0, 13).replace('2A', '19').replace('2B', '18');
      return 97 - remainder(number, 97) === Number(value.slice(13));
    },
  },
  'ES DNI': {
    words: ['dni', 'nie', 'nif'],
    form: /(?:\d{8}|[XYZ]\d{7})-?[A-HJ-NP-TV-Z]/y,
    passes: passesSpanish,
  },
  'IT codice fiscale': {
    words: ['codice', 'fiscal', 'cod. fisc', 'cf:'],
    form: /[A-Z]{6}\d{2}[A-EHLMPRST]\d{2}[A-Z]\d{3}[A-Z]/y,
    passes: passesItalian,
  },
  'NL BSN': {
    words: ['bsn', 'burgerservice', 'sofinummer'],
    form: /\d{9}/y,
    passes: value => weighted(value, [9, 8, 7, 6, 5, 4, 3, 2, -1], 11) === 0,
  },
  'PL PESEL': {
    words: ['pesel'],
    form: /\d{11}/y,
    passes: value => weighted(value, [1, 3, 7, 9, 1, 3, 7, 9, 1, 3, 1], 10) === 0,
  },
  'BR CPF': {
    words: ['cpf'],
    form: /\d{3}\.?\d{3}\.?\d{3}-?\d{2}/y,
    passes: value => !/^(\d)\1+$/.test(value) && passesTwoDigits(value, 9, down(11, 2)),
  },
  'BR CNPJ': {
    words: ['cnpj'],
    form: /\d{2}\.?\d{3}\.?\d{3}\/?\d{4}-?\d{2}/y,
    passes: value => passesTwoDigits(value, 12, [6, 5, 4, 3, 2, 9, 8, 7, 6, 5, 4, 3, 2]),
  },
  'IN Aadhaar': {
    words: ['aadhaar', 'aadhar', 'uidai', 'आधार'],
    form: /[2-9]\d{3}[ -]?\d{4}[ -]?\d{4}/y,
    passes: passesVerhoeff,
  },
  'IN PAN': {
    words: ['pan:', 'pan ', 'pan"', 'pan=', 'pan_'],
    form: /[A-Z]{3}[ABCFGHJLPT][A-Z]\d{4}[A-Z]/y,
    passes: () => true,
  },
  // GB 11643: ISO 7064, MOD 11-2.
  'CN resident number': {
    words: ['身份证', 'id card', 'idcard', 'id_card', 'resident', 'shenfenzheng'],
    form: /[1-9]\d{5}(?:19|20)\d{2}(?:0[1-9]|1[0-2])(?:0[1-9]|[12]\d|3[01])\d{3}[\dXx]/y,
    passes: value =>
      '10X98765432'.charAt(weighted(value, [7, 9, 10, 5, 8, 4, 2, 1, 6, 3, 7, 9, 10, 5, 8, 4, 2], 11)) ===
      value.charAt(17).toUpperCase(),
  },
  'JP My Number': {
    words: ['my number', 'my_number', 'mynumber', 'マイナンバー', '個人番号'],
    form: /\d{4}[ -]?\d{4}[ -]?\d{4}/y,
    passes: value => {
      const rest = weighted(value, [6, 5, 4, 3, 2, 7, 6, 5, 4, 3, 2], 11);
      return (rest < 2 ? 0 : 11 - rest) === Number(value.charAt(11));
    },
  },
  'KR RRN': {
    words: ['주민등록', 'rrn', 'resident'],
    form: /\d{2}(?:0[1-9]|1[0-2])(?:0[1-9]|[12]\d|3[01])-?[1-8]\d{6}/y,
    passes: value =>
      (11 - weighted(value, [2, 3, 4, 5, 6, 7, 8, 9, 2, 3, 4, 5], 11)) % 10 === Number(value.charAt(12)),
  },
};

/** UTF-16 units between the end of the word and the number. */
const reach = 32;
/** The possible start of a number. */
const beginning = /(?<=[^A-Za-z\d.])[A-Z\d]/g;

/** National ID numbers next to a word that names them. */
export const nationalIdentifiers: readonly AnchoredDetector[] = Object.values(identifiers).map(
  ({ words, form, passes }): AnchoredDetector => ({
    ...labelled('nationalIdentifier', 'private'),
    literals: words,
    find: (text, at) => {
      if (/[A-Za-z]/.test(text.charAt(at - 1))) {
        return undefined;
      }
      const word = words.find(candidate => text.slice(at, at + candidate.length).toLowerCase() === candidate);
      if (word === undefined) {
        return undefined;
      }
      const last = at + word.length - 1;
      for (const { index } of text.slice(last, last + reach + 2).matchAll(beginning)) {
        const start = last + index;
        form.lastIndex = start;
        const value = form.exec(text)?.[0];
        if (
          value !== undefined &&
          !/^(?:[\w/-]?\d|[A-Za-z])/.test(text.slice(start + value.length, start + value.length + 2)) &&
          passes(value.replace(/[ ./-]/g, ''))
        ) {
          return { start, end: start + value.length };
        }
      }
      return undefined;
    },
  }),
);
