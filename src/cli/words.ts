import { lazy } from '../core/base/lazy';
import type { TokenFigure } from '../core/tokens/quality';

const whole = lazy(() => new Intl.NumberFormat('en'));

export function number(value: number): string {
  return whole().format(value);
}

export function count(amount: number, noun: string): string {
  return `${number(amount)} ${noun}${amount === 1 ? '' : 's'}`;
}

export function percent(share: number): string {
  return `${(share * 100).toFixed(0)} %`;
}

/** Money for JSON: null where it is not known. */
export function knownMoney(dollars = Number.NaN): number | null {
  return Number.isNaN(dollars) ? null : dollars;
}

/** A figure with its quality and expected error. */
export function figure({ value, quality, error }: TokenFigure): string {
  return `${number(value)} (${quality}${error === undefined ? '' : ` ±${percent(error)}`})`;
}

export { formatMoney as money } from '../core/tokens/formatMoney';
