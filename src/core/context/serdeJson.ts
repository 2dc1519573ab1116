import { JsonNumber, type JsonValue } from '../base/jsonValue';
import { compareUtf8 } from '../base/unicodeText';

/**
 * Compact JSON as Rust's serde_json writes it, byte for byte, for hashes that must agree with upstream: members of a
 * struct in the order of their declaration, keys of a free object by their UTF-8 bytes, floats with a fraction.
 */

/** Formats a number. The format depends on the program in which upstream runs. */
export type NumberJson = (value: number | JsonNumber) => string;

/** A free value, e.g. the arguments of a call. */
export function valueJson(value: JsonValue, number: NumberJson = kernelNumber): string {
  if (typeof value === 'number' || value instanceof JsonNumber) {
    return number(value);
  }
  if (isList(value)) {
    return `[${value.map(item => valueJson(item, number)).join(',')}]`;
  }
  if (typeof value === 'object' && value !== null) {
    const members = Object.entries(value).sort(([left], [right]) => compareUtf8(left, right));
    return structJson(members, number);
  }
  return JSON.stringify(value);
}

/** A struct: its members in the given order. */
export function structJson(
  members: readonly (readonly [name: string, value: JsonValue])[],
  number: NumberJson = kernelNumber,
): string {
  return `{${members.map(([name, value]) => `${JSON.stringify(name)}:${valueJson(value, number)}`).join(',')}}`;
}

/** Formats numbers like deepstrike's kernel, for values read from JSON text. */
const kernelNumber: NumberJson = value =>
  typeof value === 'number' ? numberJson(value) : keptNumberJson(value.source);

/**
 * Formats numbers like NeMo Relay's Node package (serde_json 1.0.149). JavaScript has no integers: every number that
 * fits in 32 bits and has no fraction is an integer there, and all others are floats.
 */
export const relayNumber: NumberJson = given => {
  const value = Number(given);
  return Number.isInteger(value) && value >= -(2 ** 31) && value < 2 ** 32
    ? value.toFixed()
    : floatJson(value).replace(/e(?=\d)/, 'e+');
};

function isList(value: JsonValue): value is readonly JsonValue[] {
  return Array.isArray(value);
}

const smallestSigned = -(2n ** 63n);
const largestUnsigned = 2n ** 64n - 1n;

function fitsInteger(value: bigint): boolean {
  return value >= smallestSigned && value <= largestUnsigned;
}

function numberJson(value: number): string {
  return Number.isInteger(value) && !Object.is(value, -0) && fitsInteger(BigInt(value))
    ? String(value)
    : floatJson(value);
}

/**
 * Formats a number like serde_json: as an integer if it has no fraction or exponent and fits in 64 bits, otherwise as a
 * float.
 */
function keptNumberJson(source: string): string {
  if (/^-?\d+$/u.test(source) && source !== '-0') {
    const integer = BigInt(source);
    if (fitsInteger(integer)) {
      return integer.toString();
    }
  }
  return floatJson(Number(source));
}

/** The shortest digits that read back as the same number, placed as Rust's ryu places them. */
function floatJson(value: number): string {
  if (value === 0) {
    return Object.is(value, -0) ? '-0.0' : '0.0';
  }
  const sign = value < 0 ? '-' : '';
  const [mantissa = '', exponent = ''] = Math.abs(value).toExponential().split('e');
  const digits = mantissa.replace('.', '');
  const point = Number(exponent) + 1;
  if (point >= digits.length && point <= 16) {
    return `${sign}${digits.padEnd(point, '0')}.0`;
  }
  if (point > 0 && point <= 16) {
    return `${sign}${digits.slice(0, point)}.${digits.slice(point)}`;
  }
  if (point > -5 && point <= 0) {
    return `${sign}0.${'0'.repeat(-point)}${digits}`;
  }
  return `${sign}${mantissa}e${point - 1}`;
}
