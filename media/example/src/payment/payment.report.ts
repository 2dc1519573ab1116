import type { Payment } from './payment.repository.js';
import { daysBetween, formatDay, type CalendarDate } from '../dates/calendarDate.js';

/** A line of the payment report: one group of payments in one month. */
export interface PaymentLine {
  /** Year and month, e.g. 2026-03. */
  readonly month: string;
  readonly group: string;
  readonly count: number;
  readonly sum: bigint;
}

const monthOf = (payment: Payment): string => formatDay(payment.bookedOn).slice(0, 7);

/** Payments by currency and month, oldest first. */
export function paymentByCurrency(payments: readonly Payment[]): PaymentLine[] {
  const lines = new Map<string, PaymentLine>();
  for (const payment of payments) {
    const month = monthOf(payment);
    const key = `${month} ${payment.currency}`;
    const line = lines.get(key) ?? { month, group: payment.currency, count: 0, sum: 0n };
    lines.set(key, { ...line, count: line.count + 1, sum: line.sum + payment.amount });
  }
  return [...lines.values()].sort((left, right) => (left.month < right.month ? -1 : 1));
}

/** Days between bookedOn and a day, for the age columns. What the bank wrote is kept as it came. */
export function ageInDays(payment: Payment, until: CalendarDate): number {
  return daysBetween(payment.bookedOn, until);
}
