import { lazy } from '../base/lazy';

const cents = lazy(
  () => new Intl.NumberFormat('en-US', { minimumFractionDigits: 2, maximumFractionDigits: 2 }),
);
const smallMoney = lazy(() => new Intl.NumberFormat('en-US', { maximumSignificantDigits: 2 }));

/** US dollars to the cent; amounts below ten cents with two significant digits. */
export function formatMoney(dollars: number): string {
  return dollars > 0 && dollars < 0.1 ? `$${smallMoney().format(dollars)}` : `$${cents().format(dollars)}`;
}
