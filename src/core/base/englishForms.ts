/** What formatters write in English, without them: the first one of a thread or page costs 20 ms, and for dates 40. */

/**
 * `1,234.5`. Undefined for numbers that are not written with all their digits.
 * @param digits decimal places at most
 * @param shift powers of ten that it is multiplied by
 * @param fewest decimal places at least
 */
export function numberInEnglish(value: number, digits: number, shift = 0, fewest = 0): string | undefined {
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

const months = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sept', 'Oct', 'Nov', 'Dec'];

/** `5 Jan 2026`, in local time. Undefined for years without four digits, and where there is no such time. */
export function dayInEnglish(milliseconds: number): string | undefined {
  const date = new Date(milliseconds);
  const year = date.getFullYear();
  return year >= 1000 && year <= 9999
    ? `${date.getDate()} ${months[date.getMonth()] ?? ''} ${year}`
    : undefined;
}

/**
 * `14:05:09`, in local time. Undefined where there is no such time.
 * @param parts without the seconds where it is 2
 */
export function timeInEnglish(milliseconds: number, parts: 2 | 3): string | undefined {
  const date = new Date(milliseconds);
  return Number.isNaN(date.getTime())
    ? undefined
    : [date.getHours(), date.getMinutes(), date.getSeconds()]
        .slice(0, parts)
        .map(part => String(part).padStart(2, '0'))
        .join(':');
}
