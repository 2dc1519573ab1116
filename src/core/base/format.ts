/** How numbers, money, sizes and times are written for people: on the page, in reports, in lists and on the command line. */
import { lazy } from './lazy';

const whole = lazy(() => new Intl.NumberFormat('en-US', { maximumFractionDigits: 0 }));
const oneDigit = lazy(() => new Intl.NumberFormat('en-US', { maximumFractionDigits: 1 }));
const cents = lazy(
  () => new Intl.NumberFormat('en-US', { minimumFractionDigits: 2, maximumFractionDigits: 2 }),
);
const smallMoney = lazy(() => new Intl.NumberFormat('en-US', { maximumSignificantDigits: 2 }));
const time = lazy(
  () => new Intl.DateTimeFormat('en-GB', { hour: '2-digit', minute: '2-digit', second: '2-digit' }),
);
const day = lazy(() => new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short', year: 'numeric' }));
const minute = lazy(() => new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium', timeStyle: 'short' }));

/** `1,234`; rounded to a whole number. */
export const formatNumber = (value: number): string => whole().format(value);

/** Rounded to one decimal place: `1.5`, `2`. */
export const formatDecimal = (value: number): string => oneDigit().format(value);

/** US dollars to the cent; amounts below ten cents have two significant digits. */
export function formatMoney(dollars: number): string {
  const size = Math.abs(dollars);
  const format = size > 0 && size < 0.1 ? smallMoney() : cents();
  return `${dollars < 0 ? '-' : ''}$${format.format(size)}`;
}

/** Below 10 with one decimal place, which says more there than a whole number. */
const formatShort = (value: number): string =>
  value > 0 && value < 10 ? formatDecimal(value) : formatNumber(value);

/** A fraction of 1 in percent. Below 10 % it has one decimal place. */
export function formatShare(share: number): string {
  return share > 0 && share < 0.001 ? '<0.1 %' : `${formatShort(share * 100)} %`;
}

/** A fraction of 1 in percent with one decimal place, where 99.9 % must not read as 100 %. */
export const formatExactShare = (share: number): string => `${formatDecimal(share * 100)} %`;

/** Bytes in KB and MB of 1,000 and 1,000,000 bytes, as file managers show them. */
export function formatBytes(bytes: number): string {
  if (bytes < 1000) {
    return `${formatNumber(bytes)} B`;
  }
  return bytes < 1_000_000 ? `${formatShort(bytes / 1000)} KB` : `${formatDecimal(bytes / 1_000_000)} MB`;
}

/** `4.2 s` */
export const formatSeconds = (milliseconds: number): string => `${(milliseconds / 1000).toFixed(1)} s`;

/** `14:05:09`, in local time; empty for NaN. Milliseconds since 1970, as in all functions below. */
export const formatTime = (milliseconds: number): string =>
  Number.isNaN(milliseconds) ? '' : time().format(milliseconds);

/** `5 Jan 2026, 14:05:09`; empty for NaN. */
export const formatDateTime = (milliseconds: number): string =>
  Number.isNaN(milliseconds) ? '' : `${day().format(milliseconds)}, ${time().format(milliseconds)}`;

/** `5 Jan 2026, 14:05` */
export const formatMinute = (milliseconds: number): string => minute().format(milliseconds);
