import type { TokenFigure } from '../core/tokens/quality';

const whole = new Intl.NumberFormat('en');

export function number(value: number): string {
  return whole.format(value);
}

export function count(amount: number, noun: string): string {
  return `${number(amount)} ${noun}${amount === 1 ? '' : 's'}`;
}

export function percent(share: number): string {
  return `${(share * 100).toFixed(0)} %`;
}

/** A figure with its quality and expected error. */
export function figure({ value, quality, error }: TokenFigure): string {
  return `${number(value)} (${quality}${error === undefined ? '' : ` ±${percent(error)}`})`;
}

/** US dollars with the digits that say something. */
export function money(dollars: number): string {
  const size = Math.abs(dollars);
  return `${dollars < 0 ? '-' : ''}$${size.toFixed(size < 1 ? 4 : 2)}`;
}
