import { calendarDate, dayInZone, formatDay, type CalendarDate } from './calendarDate.js';

const months = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'];

/**
 * Reads the date forms that banks put into statements:
 * 2026-03-29, 20260329, 29.03.2026, 29/03/26 and 29 Mar 2026.
 * Throws RangeError for anything else, and for days that do not exist.
 */
export function parseDate(text: string): CalendarDate {
  const trimmed = text.trim();
  const ordered = /^(\d{4})-?(\d{2})-?(\d{2})$/.exec(trimmed);
  if (ordered) {
    return calendarDate(Number(ordered[1]), Number(ordered[2]), Number(ordered[3]));
  }
  const european = /^(\d{1,2})[./](\d{1,2})[./](\d{2}|\d{4})$/.exec(trimmed);
  if (european) {
    const year = Number(european[3]);
    return calendarDate(year < 100 ? 2000 + year : year, Number(european[2]), Number(european[1]));
  }
  const worded = /^(\d{1,2}) ([A-Za-z]{3})[a-z]* (\d{4})$/.exec(trimmed);
  if (worded) {
    const month = months.indexOf((worded[2] ?? '').toLowerCase()) + 1;
    return calendarDate(Number(worded[3]), month, Number(worded[1]));
  }
  throw new RangeError(`Not a date: ${text}`);
}

/** The day a posting is booked on, as the database wants it. */
export function toPostingDay(date: CalendarDate): string {
  return formatDay(date);
}

/** Today where the company does business, for postings that carry no date of their own. */
export function today(timeZone: string, now = new Date()): string {
  return formatDay(dayInZone(now, timeZone));
}
