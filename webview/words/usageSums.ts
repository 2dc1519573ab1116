import { currentTranslations, isEnglish, translate } from '../../src/core/base/translate';

// What every page says of a sum of usage.

const locale = (): string => (isEnglish() ? 'en-GB' : currentTranslations().language);

/** @param day as `2026-01-31` */
function written(day: string, options: Intl.DateTimeFormatOptions): string {
  const [year = 0, month = 1, date = 1] = day.split('-').map(Number);
  return new Intl.DateTimeFormat(locale(), options).format(new Date(year, month - 1, date));
}

/** `Thu 5 Mar` */
export const dayName = (day: string): string =>
  written(day, { weekday: 'short', day: 'numeric', month: 'short' });
/** `5 Mar` */
export const shortDay = (day: string): string => written(day, { day: 'numeric', month: 'short' });

/** What is not known of a sum. */
export const notKnown = '–';

/** The money of a sum, of which some requests have no known price. `isLeast`: there may be more of it in any case. */
export function moneyText(
  money: string,
  { requests, unpriced }: { readonly requests: number; readonly unpriced: number },
  isLeast = unpriced > 0,
): string {
  if (unpriced > 0 && unpriced === requests) {
    return notKnown;
  }
  return isLeast ? `≥ ${money}` : money;
}

export const unpricedRequests = (count: number): string =>
  translate('No price is known for the models of {0, plural, one {# request} other {# requests}}.', count);
