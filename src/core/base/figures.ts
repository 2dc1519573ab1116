import { lazy } from './lazy';

const whole = lazy(() => new Intl.NumberFormat('en-US', { maximumFractionDigits: 0 }));
const oneDigit = lazy(() => new Intl.NumberFormat('en-US', { maximumFractionDigits: 1 }));

/** A whole number with separators: `12,345`. */
export function formatNumber(value: number): string {
  return whole().format(value);
}

/** A number with one digit after the point where that digit is not 0. */
export function formatTenths(value: number): string {
  return oneDigit().format(value);
}

/** A share of 1 in percent. Below 10 % it has a digit after the point. */
export function formatShare(share: number): string {
  const percent = share * 100;
  if (percent > 0 && percent < 0.1) {
    return '<0.1 %';
  }
  return `${percent > 0 && percent < 10 ? formatTenths(percent) : formatNumber(percent)} %`;
}
