import { lazy } from '../base/lazy';

const cents = lazy(
  () => new Intl.NumberFormat('en-US', { minimumFractionDigits: 2, maximumFractionDigits: 2 }),
);
const smallMoney = lazy(() => new Intl.NumberFormat('en-US', { maximumSignificantDigits: 2 }));

/** US dollars in cents. An amount of less than ten cents has two significant digits. */
export function formatMoney(dollars: number): string {
  const amount = Math.abs(dollars);
  const text = amount > 0 && amount < 0.1 ? smallMoney().format(amount) : cents().format(amount);
  return `${dollars < 0 ? '-' : ''}$${text}`;
}
