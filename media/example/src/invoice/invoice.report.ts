import type { Invoice } from './invoice.repository.js';
import { daysBetween, formatDay, type CalendarDate } from '../dates/calendarDate.js';

/** A line of the invoice report: one group of invoices in one month. */
export interface InvoiceLine {
  /** Year and month, e.g. 2026-03. */
  readonly month: string;
  readonly group: string;
  readonly count: number;
  readonly sum: bigint;
}

const monthOf = (invoice: Invoice): string => formatDay(invoice.issuedOn).slice(0, 7);

/** Invoices by invoice number and month, oldest first. */
export function invoiceByInvoiceNumber(invoices: readonly Invoice[]): InvoiceLine[] {
  const lines = new Map<string, InvoiceLine>();
  for (const invoice of invoices) {
    const month = monthOf(invoice);
    const key = `${month} ${invoice.invoiceNumber}`;
    const line = lines.get(key) ?? { month, group: invoice.invoiceNumber, count: 0, sum: 0n };
    lines.set(key, { ...line, count: line.count + 1, sum: line.sum + invoice.net });
  }
  return [...lines.values()].sort((left, right) => (left.month < right.month ? -1 : 1));
}

/** Invoices by currency and month, oldest first. */
export function invoiceByCurrency(invoices: readonly Invoice[]): InvoiceLine[] {
  const lines = new Map<string, InvoiceLine>();
  for (const invoice of invoices) {
    const month = monthOf(invoice);
    const key = `${month} ${invoice.currency}`;
    const line = lines.get(key) ?? { month, group: invoice.currency, count: 0, sum: 0n };
    lines.set(key, { ...line, count: line.count + 1, sum: line.sum + invoice.net });
  }
  return [...lines.values()].sort((left, right) => (left.month < right.month ? -1 : 1));
}

/** Days between issuedOn and a day, for the age columns. Numbers have no gaps within a year. */
export function ageInDays(invoice: Invoice, until: CalendarDate): number {
  return daysBetween(invoice.issuedOn, until);
}
