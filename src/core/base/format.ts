/** Writes numbers, money, sizes and times for people: on the page, in reports, in lists and on the command line. */
import { currentTranslations, isEnglish, numberLocale, perLanguage } from './translate';

const dateLocale = (): string => (isEnglish() ? 'en-GB' : currentTranslations().language);

const numbers = (options: Intl.NumberFormatOptions): (() => Intl.NumberFormat) =>
  perLanguage(() => new Intl.NumberFormat(numberLocale(), options));
const dates = (options: Intl.DateTimeFormatOptions): (() => Intl.DateTimeFormat) =>
  perLanguage(() => new Intl.DateTimeFormat(dateLocale(), options));

const whole = numbers({ maximumFractionDigits: 0 });
const oneDigit = numbers({ maximumFractionDigits: 1 });
const short = numbers({ notation: 'compact', maximumFractionDigits: 1 });
const shortWhole = numbers({ notation: 'compact', maximumFractionDigits: 0 });
const cents = { minimumFractionDigits: 2, maximumFractionDigits: 2 };
const smallMoney = { maximumSignificantDigits: 2 };
const dollars = { style: 'currency', currency: 'USD' } as const;
const money = numbers({ ...dollars, ...cents });
const pennies = numbers({ ...dollars, ...smallMoney });
const percent = numbers({ style: 'percent', maximumFractionDigits: 0 });
const exactPercent = numbers({ style: 'percent', maximumFractionDigits: 1 });
const seconds = numbers({
  style: 'unit',
  unit: 'second',
  unitDisplay: 'short',
  minimumFractionDigits: 1,
  maximumFractionDigits: 1,
});
const span = (unit: 'second' | 'minute' | 'hour', digits: number): (() => Intl.NumberFormat) =>
  numbers({ style: 'unit', unit, unitDisplay: 'short', maximumFractionDigits: digits });
const spanSeconds = span('second', 0);
const spanMinutes = span('minute', 1);
const spanHours = span('hour', 1);
const time = dates({ hour: '2-digit', minute: '2-digit', second: '2-digit' });
const day = dates({ day: 'numeric', month: 'short', year: 'numeric' });
const minute = dates({ dateStyle: 'medium', timeStyle: 'short' });

/** `1,234`; rounded to a whole number. */
export const formatNumber = (value: number): string => whole().format(value);

/** `900–1,600`, with at most three significant digits; rounded away from the middle. */
export function formatNumberRange(low: number, high: number): string {
  const step = 10 ** Math.max(0, Math.floor(Math.log10(Math.max(1, high))) - 2);
  return whole().formatRange(Math.floor(low / step) * step, Math.ceil(high / step) * step);
}

/** Rounded to one decimal place: `1.5`, `2`. */
export const formatDecimal = (value: number): string => oneDigit().format(value);

/** US dollars to the cent; amounts below ten cents have two significant digits. */
export function formatMoney(amount: number): string {
  const size = Math.abs(amount);
  // An amount that two digits would round to ten cents is written with cents.
  const isSmall = size > 0 && size < 0.0995;
  return (isSmall ? pennies() : money()).format(amount);
}

/** True for languages whose next unit after 1 is ten thousand, and not a thousand. */
const countsMyriads = perLanguage(() =>
  short()
    .formatToParts(10_000)
    .some(({ value }) => value === '1'),
);

/** The shortest form: `980`, `2.3k`, `12k`, `1.2M`. */
export function formatShortNumber(value: number): string {
  const isWhole = value >= 9_950 && value < 1_000_000 && !countsMyriads();
  const text = (isWhole ? shortWhole() : short()).format(value);
  return isEnglish() ? text.replace('K', 'k') : text;
}

/** The shortest form of a difference, with its sign: `+4.2k`, `−300`. */
export const formatShortChange = (value: number): string =>
  `${value < 0 ? '−' : '+'}${formatShortNumber(Math.abs(value))}`;

/** A name within a sentence: in English, its first letter is small, unless it is an abbreviation. */
export const nameInSentence = (name: string): string =>
  isEnglish() && name !== name.toUpperCase() ? `${name.charAt(0).toLowerCase()}${name.slice(1)}` : name;

/** Has one decimal place below 10, where a whole number would be too coarse. */
const formatShort = (value: number): string =>
  value > 0 && value < 10 ? formatDecimal(value) : formatNumber(value);

/**
 * A fraction of 1 in percent. Has one decimal place below 10 %, and if a share below 1 would be rounded to 100 %. In
 * English, a space precedes the sign, as for other units.
 */
export function formatShare(share: number): string {
  if (share > 0 && share < 0.001) {
    return `<${formatExactShare(0.001)}`;
  }
  return (share > 0 && share < 0.1) || (share >= 0.995 && share < 1)
    ? formatExactShare(share)
    : spaced(percent().format(share));
}

/** A share below 1 is never shown as 100 %. */
const nearlyAll = 0.999;

/** A fraction of 1 in percent with one decimal place. */
export function formatExactShare(share: number): string {
  const shown = share > nearlyAll && share < 1 ? nearlyAll : share;
  return spaced(exactPercent().format(shown));
}

const spaced = (text: string): string => (isEnglish() ? text.replace('%', ' %') : text);

/** Bytes in KB and MB of 1,000 and 1,000,000 bytes, as file managers show them. */
export function formatBytes(bytes: number): string {
  if (bytes < 1000) {
    return `${formatNumber(bytes)} B`;
  }
  return bytes < 1_000_000 ? `${formatShort(bytes / 1000)} KB` : `${formatDecimal(bytes / 1_000_000)} MB`;
}

/** `4.2 s` */
export const formatSeconds = (milliseconds: number): string =>
  isEnglish() ? `${(milliseconds / 1000).toFixed(1)} s` : seconds().format(milliseconds / 1000);

/** A duration in the largest unit in which it is at least two: `90 s`, `12.5 min`, `3 h`. */
export function formatDuration(spent: number): string {
  const [value, format, sign] =
    spent < 120
      ? ([Math.round(spent), spanSeconds, 's'] as const)
      : spent < 7200
        ? ([spent / 60, spanMinutes, 'min'] as const)
        : ([spent / 3600, spanHours, 'h'] as const);
  return isEnglish() ? `${formatDecimal(value)} ${sign}` : format().format(value);
}

/** `14:05:09`, in local time; empty for NaN. Milliseconds since 1970, as in all functions below. */
export const formatTime = (milliseconds: number): string =>
  Number.isNaN(milliseconds) ? '' : time().format(milliseconds);

/** `5 Jan 2026, 14:05:09`; empty for NaN. */
export const formatDateTime = (milliseconds: number): string =>
  Number.isNaN(milliseconds) ? '' : `${day().format(milliseconds)}, ${time().format(milliseconds)}`;

/** `5 Jan 2026, 14:05` */
export const formatMinute = (milliseconds: number): string => minute().format(milliseconds);

/** The range between two times, to the minute. If both are on the same day, the day is shown once. */
export const formatMinutes = (first: number, last: number): string => minute().formatRange(first, last);
