/**
 * What a formatter writes in English, without one: the first one of a thread costs 20 ms. Undefined for numbers that are
 * not written with all their digits.
 * @param digits decimal places at most
 * @param shift powers of ten that it is multiplied by
 * @param fewest decimal places at least
 */
export function writtenInEnglish(value: number, digits: number, shift = 0, fewest = 0): string | undefined {
  const size = Math.abs(value);
  if (!(size < 1e9) || (size > 0 && size < 1e-6)) {
    return undefined;
  }
  // As formatters do: by the digits that are written, so that 44.65 becomes 44.7.
  const rounded = Number(`${Math.round(Number(`${size}e${digits + shift}`))}e-${digits}`);
  const [ones = '', decimals = ''] = String(rounded).split('.');
  const places = decimals.padEnd(fewest, '0');
  const sign = value < 0 || Object.is(value, -0) ? '-' : '';
  const grouped = ones.replace(/\B(?=(?:\d{3})+$)/g, ',');
  return sign + grouped + (places === '' ? '' : `.${places}`);
}
