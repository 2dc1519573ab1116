import type { Pool } from 'pg';
import { dayFromColumn, formatDay, type CalendarDate } from '../dates/calendarDate.js';
import { notFound } from '../errors.js';

/** Money that came in or went out. A payment is matched with one invoice, or with none. */
export interface Payment {
  readonly id: number;
  readonly companyId: number;
  readonly statementId: number;
  readonly bookedOn: CalendarDate;
  readonly valueOn?: CalendarDate | undefined;
  readonly amount: bigint;
  readonly currency: string;
  readonly counterpartyAccount?: string | undefined;
  readonly remittance?: string | undefined;
  readonly matchedInvoiceId?: number | undefined;
  readonly isIgnored: boolean;
}

interface PaymentRow {
  readonly id: string;
  readonly company_id: string;
  readonly statement_id: string;
  readonly booked_on: string;
  readonly value_on: string | null;
  readonly amount: string;
  readonly currency: string;
  readonly counterparty_account: string | null;
  readonly remittance: string | null;
  readonly matched_invoice_id: string | null;
  readonly is_ignored: boolean;
}

function readPayment(row: PaymentRow): Payment {
  return {
    id: Number(row.id),
    companyId: Number(row.company_id),
    statementId: Number(row.statement_id),
    bookedOn: dayFromColumn(row.booked_on),
    valueOn: row.value_on === null ? undefined : dayFromColumn(row.value_on),
    amount: BigInt(row.amount),
    currency: row.currency,
    counterpartyAccount: row.counterparty_account === null ? undefined : row.counterparty_account,
    remittance: row.remittance === null ? undefined : row.remittance,
    matchedInvoiceId: row.matched_invoice_id === null ? undefined : Number(row.matched_invoice_id),
    isIgnored: row.is_ignored === true,
  };
}

export class PaymentRepository {
  constructor(private readonly pool: Pool) {}

  async get(companyId: number, id: number): Promise<Payment> {
    const { rows } = await this.pool.query<PaymentRow>(
      'select * from payments where company_id = $1 and id = $2',
      [companyId, id],
    );
    const row = rows[0];
    if (row === undefined) {
      throw notFound('payment', id);
    }
    return readPayment(row);
  }

  async findByCurrency(companyId: number, currency: string): Promise<readonly Payment[]> {
    const { rows } = await this.pool.query<PaymentRow>(
      'select * from payments where company_id = $1 and currency = $2 order by id',
      [companyId, currency],
    );
    return rows.map(readPayment);
  }

  async findByCounterpartyAccount(companyId: number, counterpartyAccount: string): Promise<readonly Payment[]> {
    const { rows } = await this.pool.query<PaymentRow>(
      'select * from payments where company_id = $1 and counterparty_account = $2 order by id',
      [companyId, counterpartyAccount],
    );
    return rows.map(readPayment);
  }

  async findByRemittance(companyId: number, remittance: string): Promise<readonly Payment[]> {
    const { rows } = await this.pool.query<PaymentRow>(
      'select * from payments where company_id = $1 and remittance = $2 order by id',
      [companyId, remittance],
    );
    return rows.map(readPayment);
  }

  /** Payments whose booked on lies in a range of days, both ends included. */
  async findBookedOnBetween(companyId: number, from: CalendarDate, to: CalendarDate): Promise<readonly Payment[]> {
    const { rows } = await this.pool.query<PaymentRow>(
      `select id, company_id, statement_id, booked_on, value_on, amount, currency, counterparty_account, remittance, matched_invoice_id, is_ignored
         from payments
        where company_id = $1 and booked_on between $2 and $3
        order by booked_on, id`,
      [companyId, formatDay(from), formatDay(to)],
    );
    return rows.map(readPayment);
  }

  /** Payments whose value on lies in a range of days, both ends included. */
  async findValueOnBetween(companyId: number, from: CalendarDate, to: CalendarDate): Promise<readonly Payment[]> {
    const { rows } = await this.pool.query<PaymentRow>(
      `select id, company_id, statement_id, booked_on, value_on, amount, currency, counterparty_account, remittance, matched_invoice_id, is_ignored
         from payments
        where company_id = $1 and value_on between $2 and $3
        order by value_on, id`,
      [companyId, formatDay(from), formatDay(to)],
    );
    return rows.map(readPayment);
  }

  /** Sum in minor units; nothing for a company without payments. */
  async totalAmount(companyId: number, until: CalendarDate): Promise<bigint> {
    const { rows } = await this.pool.query<{ total: string | null }>(
      'select sum(amount) as total from payments where company_id = $1 and booked_on <= $2',
      [companyId, formatDay(until)],
    );
    return BigInt(rows[0]?.total ?? '0');
  }

  async insert(companyId: number, payment: Omit<Payment, 'id' | 'companyId'>): Promise<number> {
    const { rows } = await this.pool.query<{ id: string }>(
      `insert into payments (company_id, statement_id, booked_on, value_on, amount, currency, counterparty_account, remittance, matched_invoice_id, is_ignored)
       values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)
       returning id`,
      [
        companyId,
        payment.statementId,
        formatDay(payment.bookedOn),
        payment.valueOn ? formatDay(payment.valueOn) : null,
        payment.amount.toString(),
        payment.currency,
        payment.counterpartyAccount ?? null,
        payment.remittance ?? null,
        payment.matchedInvoiceId ?? null,
        payment.isIgnored,
      ],
    );
    return Number(rows[0]?.id);
  }

  /** What the bank wrote is kept as it came. */
  async remove(companyId: number, id: number): Promise<void> {
    const { rowCount } = await this.pool.query('delete from payments where company_id = $1 and id = $2', [companyId, id]);
    if (rowCount === 0) {
      throw notFound('payment', id);
    }
  }
}
