import { translate } from '../../core/base/translate';
import { UsageError } from './usageError';

/** The beginning of a day in this machine's time zone, from `2026-01-31`. Throws UsageError for anything else. */
export function readDay(option: string, text: string | undefined): Date | undefined {
  if (text === undefined) {
    return undefined;
  }
  const [, year = 0, month = 0, day = 0] = /^(\d{4})-(\d{2})-(\d{2})$/.exec(text)?.map(Number) ?? [];
  const date = new Date(year, month - 1, day);
  if (year === 0 || date.getMonth() !== month - 1 || date.getDate() !== day) {
    throw new UsageError(translate('{0} takes a day such as 2026-01-31, not "{1}".', option, text));
  }
  return date;
}

/** The beginning of the next day, which may be 23 or 25 hours later. */
export function dayAfter(date: Date): Date {
  return new Date(date.getFullYear(), date.getMonth(), date.getDate() + 1);
}
