import { currentTranslations, isEnglish } from '../../src/core/base/translate';

// The texts about a sum of usage that all pages share.

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

/** Shown for an unknown figure of a sum. */
export const notKnown = '–';
