import type { Pool } from 'pg';
import { dayFromColumn, formatDay, type CalendarDate } from '../dates/calendarDate.js';
import { notFound } from '../errors.js';

/** An account of the chart of accounts. An account with postings is never deleted, only closed. */
export interface Account {
  readonly id: number;
  readonly companyId: number;
  readonly number: string;
  readonly name: string;
  readonly kind: string;
  readonly currency: string;
  readonly openedOn: CalendarDate;
  readonly closedOn?: CalendarDate | undefined;
  readonly isLocked: boolean;
  readonly vatCode?: string | undefined;
  readonly parentNumber?: string | undefined;
}

interface AccountRow {
  readonly id: string;
  readonly company_id: string;
  readonly number: string;
  readonly name: string;
  readonly kind: string;
  readonly currency: string;
  readonly opened_on: string;
  readonly closed_on: string | null;
  readonly is_locked: boolean;
  readonly vat_code: string | null;
  readonly parent_number: string | null;
}

function readAccount(row: AccountRow): Account {
  return {
    id: Number(row.id),
    companyId: Number(row.company_id),
    number: row.number,
    name: row.name,
    kind: row.kind,
    currency: row.currency,
    openedOn: dayFromColumn(row.opened_on),
    closedOn: row.closed_on === null ? undefined : dayFromColumn(row.closed_on),
    isLocked: row.is_locked === true,
    vatCode: row.vat_code === null ? undefined : row.vat_code,
    parentNumber: row.parent_number === null ? undefined : row.parent_number,
  };
}

export class AccountRepository {
  constructor(private readonly pool: Pool) {}

  async get(companyId: number, id: number): Promise<Account> {
    const { rows } = await this.pool.query<AccountRow>(
      'select * from accounts where company_id = $1 and id = $2',
      [companyId, id],
    );
    const row = rows[0];
    if (row === undefined) {
      throw notFound('account', id);
    }
    return readAccount(row);
  }

  async findByNumber(companyId: number, number: string): Promise<readonly Account[]> {
    const { rows } = await this.pool.query<AccountRow>(
      'select * from accounts where company_id = $1 and number = $2 order by id',
      [companyId, number],
    );
    return rows.map(readAccount);
  }

  async findByName(companyId: number, name: string): Promise<readonly Account[]> {
    const { rows } = await this.pool.query<AccountRow>(
      'select * from accounts where company_id = $1 and name = $2 order by id',
      [companyId, name],
    );
    return rows.map(readAccount);
  }

  async findByKind(companyId: number, kind: string): Promise<readonly Account[]> {
    const { rows } = await this.pool.query<AccountRow>(
      'select * from accounts where company_id = $1 and kind = $2 order by id',
      [companyId, kind],
    );
    return rows.map(readAccount);
  }

  /** Accounts whose opened on lies in a range of days, both ends included. */
  async findOpenedOnBetween(companyId: number, from: CalendarDate, to: CalendarDate): Promise<readonly Account[]> {
    const { rows } = await this.pool.query<AccountRow>(
      `select id, company_id, number, name, kind, currency, opened_on, closed_on, is_locked, vat_code, parent_number
         from accounts
        where company_id = $1 and opened_on between $2 and $3
        order by opened_on, id`,
      [companyId, formatDay(from), formatDay(to)],
    );
    return rows.map(readAccount);
  }

  /** Accounts whose closed on lies in a range of days, both ends included. */
  async findClosedOnBetween(companyId: number, from: CalendarDate, to: CalendarDate): Promise<readonly Account[]> {
    const { rows } = await this.pool.query<AccountRow>(
      `select id, company_id, number, name, kind, currency, opened_on, closed_on, is_locked, vat_code, parent_number
         from accounts
        where company_id = $1 and closed_on between $2 and $3
        order by closed_on, id`,
      [companyId, formatDay(from), formatDay(to)],
    );
    return rows.map(readAccount);
  }

  async insert(companyId: number, account: Omit<Account, 'id' | 'companyId'>): Promise<number> {
    const { rows } = await this.pool.query<{ id: string }>(
      `insert into accounts (company_id, number, name, kind, currency, opened_on, closed_on, is_locked, vat_code, parent_number)
       values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)
       returning id`,
      [
        companyId,
        account.number,
        account.name,
        account.kind,
        account.currency,
        formatDay(account.openedOn),
        account.closedOn ? formatDay(account.closedOn) : null,
        account.isLocked,
        account.vatCode ?? null,
        account.parentNumber ?? null,
      ],
    );
    return Number(rows[0]?.id);
  }

  /** An account with postings is never deleted, only closed. */
  async remove(companyId: number, id: number): Promise<void> {
    const { rowCount } = await this.pool.query('delete from accounts where company_id = $1 and id = $2', [companyId, id]);
    if (rowCount === 0) {
      throw notFound('account', id);
    }
  }
}
