/** A day in the calendar: no time, no zone. Months count from 1. */
export interface CalendarDate {
  readonly year: number;
  readonly month: number;
  readonly day: number;
}

const daysInMonth = (year: number, month: number): number => new Date(Date.UTC(year, month, 0)).getUTCDate();

/** Throws RangeError for a day that the calendar does not have, such as 30 February. */
export function calendarDate(year: number, month: number, day: number): CalendarDate {
  const isDay =
    Number.isInteger(year) && month >= 1 && month <= 12 && day >= 1 && day <= daysInMonth(year, month);
  if (!isDay) {
    throw new RangeError(`No such day: ${year}-${month}-${day}`);
  }
  return { year, month, day };
}

export function formatDay({ year, month, day }: CalendarDate): string {
  return [String(year).padStart(4, '0'), pad(month), pad(day)].join('-');
}

/** A `date` column, which the driver gives as text. */
export function dayFromColumn(column: string): CalendarDate {
  const [year, month, day] = column.split('-').map(Number);
  return calendarDate(year ?? 0, month ?? 0, day ?? 0);
}

export function compareDays(left: CalendarDate, right: CalendarDate): number {
  return left.year - right.year || left.month - right.month || left.day - right.day;
}

/** Whole days from one day to a later one. */
export function daysBetween(from: CalendarDate, to: CalendarDate): number {
  return (utcMidnight(to) - utcMidnight(from)) / 86_400_000;
}

/** The day that it is at a moment in a time zone, e.g. Europe/Oslo. */
export function dayInZone(moment: Date, timeZone: string): CalendarDate {
  const parts = new Intl.DateTimeFormat('en-CA', { timeZone, year: 'numeric', month: '2-digit', day: '2-digit' });
  return dayFromColumn(parts.format(moment));
}

function utcMidnight({ year, month, day }: CalendarDate): number {
  return Date.UTC(year, month - 1, day);
}

function pad(value: number): string {
  return String(value).padStart(2, '0');
}
