import type { Pool } from 'pg';
import { dayFromColumn, formatDay, type CalendarDate } from '../dates/calendarDate.js';
import { notFound } from '../errors.js';

/** An invoice to a customer. Numbers have no gaps within a year. */
export interface Invoice {
  readonly id: number;
  readonly companyId: number;
  readonly invoiceNumber: string;
  readonly customerId: number;
  readonly issuedOn: CalendarDate;
  readonly dueOn: CalendarDate;
  readonly paidOn?: CalendarDate | undefined;
  readonly net: bigint;
  readonly vat: bigint;
  readonly currency: string;
  readonly reference?: string | undefined;
  readonly isCredit: boolean;
}

interface InvoiceRow {
  readonly id: string;
  readonly company_id: string;
  readonly invoice_number: string;
  readonly customer_id: string;
  readonly issued_on: string;
  readonly due_on: string;
  readonly paid_on: string | null;
  readonly net: string;
  readonly vat: string;
  readonly currency: string;
  readonly reference: string | null;
  readonly is_credit: boolean;
}

function readInvoice(row: InvoiceRow): Invoice {
  return {
    id: Number(row.id),
    companyId: Number(row.company_id),
    invoiceNumber: row.invoice_number,
    customerId: Number(row.customer_id),
    issuedOn: dayFromColumn(row.issued_on),
    dueOn: dayFromColumn(row.due_on),
    paidOn: row.paid_on === null ? undefined : dayFromColumn(row.paid_on),
    net: BigInt(row.net),
    vat: BigInt(row.vat),
    currency: row.currency,
    reference: row.reference === null ? undefined : row.reference,
    isCredit: row.is_credit === true,
  };
}

export class InvoiceRepository {
  constructor(private readonly pool: Pool) {}

  async get(companyId: number, id: number): Promise<Invoice> {
    const { rows } = await this.pool.query<InvoiceRow>(
      'select * from invoices where company_id = $1 and id = $2',
      [companyId, id],
    );
    const row = rows[0];
    if (row === undefined) {
      throw notFound('invoice', id);
    }
    return readInvoice(row);
  }

  async findByInvoiceNumber(companyId: number, invoiceNumber: string): Promise<readonly Invoice[]> {
    const { rows } = await this.pool.query<InvoiceRow>(
      'select * from invoices where company_id = $1 and invoice_number = $2 order by id',
      [companyId, invoiceNumber],
    );
    return rows.map(readInvoice);
  }

  async findByCurrency(companyId: number, currency: string): Promise<readonly Invoice[]> {
    const { rows } = await this.pool.query<InvoiceRow>(
      'select * from invoices where company_id = $1 and currency = $2 order by id',
      [companyId, currency],
    );
    return rows.map(readInvoice);
  }

  async findByReference(companyId: number, reference: string): Promise<readonly Invoice[]> {
    const { rows } = await this.pool.query<InvoiceRow>(
      'select * from invoices where company_id = $1 and reference = $2 order by id',
      [companyId, reference],
    );
    return rows.map(readInvoice);
  }

  /** Invoices whose issued on lies in a range of days, both ends included. */
  async findIssuedOnBetween(companyId: number, from: CalendarDate, to: CalendarDate): Promise<readonly Invoice[]> {
    const { rows } = await this.pool.query<InvoiceRow>(
      `select id, company_id, invoice_number, customer_id, issued_on, due_on, paid_on, net, vat, currency, reference, is_credit
         from invoices
        where company_id = $1 and issued_on between $2 and $3
        order by issued_on, id`,
      [companyId, formatDay(from), formatDay(to)],
    );
    return rows.map(readInvoice);
  }

  /** Invoices whose due on lies in a range of days, both ends included. */
  async findDueOnBetween(companyId: number, from: CalendarDate, to: CalendarDate): Promise<readonly Invoice[]> {
    const { rows } = await this.pool.query<InvoiceRow>(
      `select id, company_id, invoice_number, customer_id, issued_on, due_on, paid_on, net, vat, currency, reference, is_credit
         from invoices
        where company_id = $1 and due_on between $2 and $3
        order by due_on, id`,
      [companyId, formatDay(from), formatDay(to)],
    );
    return rows.map(readInvoice);
  }

  /** Invoices whose paid on lies in a range of days, both ends included. */
  async findPaidOnBetween(companyId: number, from: CalendarDate, to: CalendarDate): Promise<readonly Invoice[]> {
    const { rows } = await this.pool.query<InvoiceRow>(
      `select id, company_id, invoice_number, customer_id, issued_on, due_on, paid_on, net, vat, currency, reference, is_credit
         from invoices
        where company_id = $1 and paid_on between $2 and $3
        order by paid_on, id`,
      [companyId, formatDay(from), formatDay(to)],
    );
    return rows.map(readInvoice);
  }

  /** Sum in minor units; nothing for a company without invoices. */
  async totalNet(companyId: number, until: CalendarDate): Promise<bigint> {
    const { rows } = await this.pool.query<{ total: string | null }>(
      'select sum(net) as total from invoices where company_id = $1 and issued_on <= $2',
      [companyId, formatDay(until)],
    );
    return BigInt(rows[0]?.total ?? '0');
  }

  /** Sum in minor units; nothing for a company without invoices. */
  async totalVat(companyId: number, until: CalendarDate): Promise<bigint> {
    const { rows } = await this.pool.query<{ total: string | null }>(
      'select sum(vat) as total from invoices where company_id = $1 and issued_on <= $2',
      [companyId, formatDay(until)],
    );
    return BigInt(rows[0]?.total ?? '0');
  }

  async insert(companyId: number, invoice: Omit<Invoice, 'id' | 'companyId'>): Promise<number> {
    const { rows } = await this.pool.query<{ id: string }>(
      `insert into invoices (company_id, invoice_number, customer_id, issued_on, due_on, paid_on, net, vat, currency, reference, is_credit)
       values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)
       returning id`,
      [
        companyId,
        invoice.invoiceNumber,
        invoice.customerId,
        formatDay(invoice.issuedOn),
        formatDay(invoice.dueOn),
        invoice.paidOn ? formatDay(invoice.paidOn) : null,
        invoice.net.toString(),
        invoice.vat.toString(),
        invoice.currency,
        invoice.reference ?? null,
        invoice.isCredit,
      ],
    );
    return Number(rows[0]?.id);
  }

  /** Numbers have no gaps within a year. */
  async remove(companyId: number, id: number): Promise<void> {
    const { rowCount } = await this.pool.query('delete from invoices where company_id = $1 and id = $2', [companyId, id]);
    if (rowCount === 0) {
      throw notFound('invoice', id);
    }
  }
}
