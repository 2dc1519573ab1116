import type { Pool } from 'pg';
import { dayFromColumn, formatDay, type CalendarDate } from '../dates/calendarDate.js';
import { notFound } from '../errors.js';

/** A customer or a supplier. A counterparty with open invoices is not removed. */
export interface Counterparty {
  readonly id: number;
  readonly companyId: number;
  readonly displayName: string;
  readonly kind: string;
  readonly organisationNumber?: string | undefined;
  readonly email?: string | undefined;
  readonly phone?: string | undefined;
  readonly bankAccount?: string | undefined;
  readonly since: CalendarDate;
  readonly lastInvoicedOn?: CalendarDate | undefined;
  readonly isBlocked: boolean;
}

interface CounterpartyRow {
  readonly id: string;
  readonly company_id: string;
  readonly display_name: string;
  readonly kind: string;
  readonly organisation_number: string | null;
  readonly email: string | null;
  readonly phone: string | null;
  readonly bank_account: string | null;
  readonly since: string;
  readonly last_invoiced_on: string | null;
  readonly is_blocked: boolean;
}

function readCounterparty(row: CounterpartyRow): Counterparty {
  return {
    id: Number(row.id),
    companyId: Number(row.company_id),
    displayName: row.display_name,
    kind: row.kind,
    organisationNumber: row.organisation_number === null ? undefined : row.organisation_number,
    email: row.email === null ? undefined : row.email,
    phone: row.phone === null ? undefined : row.phone,
    bankAccount: row.bank_account === null ? undefined : row.bank_account,
    since: dayFromColumn(row.since),
    lastInvoicedOn: row.last_invoiced_on === null ? undefined : dayFromColumn(row.last_invoiced_on),
    isBlocked: row.is_blocked === true,
  };
}

export class CounterpartyRepository {
  constructor(private readonly pool: Pool) {}

  async get(companyId: number, id: number): Promise<Counterparty> {
    const { rows } = await this.pool.query<CounterpartyRow>(
      'select * from counterparties where company_id = $1 and id = $2',
      [companyId, id],
    );
    const row = rows[0];
    if (row === undefined) {
      throw notFound('counterparty', id);
    }
    return readCounterparty(row);
  }

  async findByDisplayName(companyId: number, displayName: string): Promise<readonly Counterparty[]> {
    const { rows } = await this.pool.query<CounterpartyRow>(
      'select * from counterparties where company_id = $1 and display_name = $2 order by id',
      [companyId, displayName],
    );
    return rows.map(readCounterparty);
  }

  async findByKind(companyId: number, kind: string): Promise<readonly Counterparty[]> {
    const { rows } = await this.pool.query<CounterpartyRow>(
      'select * from counterparties where company_id = $1 and kind = $2 order by id',
      [companyId, kind],
    );
    return rows.map(readCounterparty);
  }

  async findByOrganisationNumber(companyId: number, organisationNumber: string): Promise<readonly Counterparty[]> {
    const { rows } = await this.pool.query<CounterpartyRow>(
      'select * from counterparties where company_id = $1 and organisation_number = $2 order by id',
      [companyId, organisationNumber],
    );
    return rows.map(readCounterparty);
  }

  /** Counterparties whose since lies in a range of days, both ends included. */
  async findSinceBetween(companyId: number, from: CalendarDate, to: CalendarDate): Promise<readonly Counterparty[]> {
    const { rows } = await this.pool.query<CounterpartyRow>(
      `select id, company_id, display_name, kind, organisation_number, email, phone, bank_account, since, last_invoiced_on, is_blocked
         from counterparties
        where company_id = $1 and since between $2 and $3
        order by since, id`,
      [companyId, formatDay(from), formatDay(to)],
    );
    return rows.map(readCounterparty);
  }

  /** Counterparties whose last invoiced on lies in a range of days, both ends included. */
  async findLastInvoicedOnBetween(companyId: number, from: CalendarDate, to: CalendarDate): Promise<readonly Counterparty[]> {
    const { rows } = await this.pool.query<CounterpartyRow>(
      `select id, company_id, display_name, kind, organisation_number, email, phone, bank_account, since, last_invoiced_on, is_blocked
         from counterparties
        where company_id = $1 and last_invoiced_on between $2 and $3
        order by last_invoiced_on, id`,
      [companyId, formatDay(from), formatDay(to)],
    );
    return rows.map(readCounterparty);
  }

  async insert(companyId: number, counterparty: Omit<Counterparty, 'id' | 'companyId'>): Promise<number> {
    const { rows } = await this.pool.query<{ id: string }>(
      `insert into counterparties (company_id, display_name, kind, organisation_number, email, phone, bank_account, since, last_invoiced_on, is_blocked)
       values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)
       returning id`,
      [
        companyId,
        counterparty.displayName,
        counterparty.kind,
        counterparty.organisationNumber ?? null,
        counterparty.email ?? null,
        counterparty.phone ?? null,
        counterparty.bankAccount ?? null,
        formatDay(counterparty.since),
        counterparty.lastInvoicedOn ? formatDay(counterparty.lastInvoicedOn) : null,
        counterparty.isBlocked,
      ],
    );
    return Number(rows[0]?.id);
  }

  /** Addresses never appear in logs. */
  async remove(companyId: number, id: number): Promise<void> {
    const { rowCount } = await this.pool.query('delete from counterparties where company_id = $1 and id = $2', [companyId, id]);
    if (rowCount === 0) {
      throw notFound('counterparty', id);
    }
  }
}
