import type { Pool } from 'pg';
import { dayFromColumn, formatDay, type CalendarDate } from '../dates/calendarDate.js';
import { notFound } from '../errors.js';

/** A planned amount for an account and a month. A revision keeps the first plan. */
export interface Budget {
  readonly id: number;
  readonly companyId: number;
  readonly accountNumber: string;
  readonly monthStartsOn: CalendarDate;
  readonly planned: bigint;
  readonly currency: string;
  readonly revisedOn?: CalendarDate | undefined;
  readonly note?: string | undefined;
}

interface BudgetRow {
  readonly id: string;
  readonly company_id: string;
  readonly account_number: string;
  readonly month_starts_on: string;
  readonly planned: string;
  readonly currency: string;
  readonly revised_on: string | null;
  readonly note: string | null;
}

function readBudget(row: BudgetRow): Budget {
  return {
    id: Number(row.id),
    companyId: Number(row.company_id),
    accountNumber: row.account_number,
    monthStartsOn: dayFromColumn(row.month_starts_on),
    planned: BigInt(row.planned),
    currency: row.currency,
    revisedOn: row.revised_on === null ? undefined : dayFromColumn(row.revised_on),
    note: row.note === null ? undefined : row.note,
  };
}

export class BudgetRepository {
  constructor(private readonly pool: Pool) {}

  async get(companyId: number, id: number): Promise<Budget> {
    const { rows } = await this.pool.query<BudgetRow>(
      'select * from budgets where company_id = $1 and id = $2',
      [companyId, id],
    );
    const row = rows[0];
    if (row === undefined) {
      throw notFound('budget', id);
    }
    return readBudget(row);
  }

  async findByAccountNumber(companyId: number, accountNumber: string): Promise<readonly Budget[]> {
    const { rows } = await this.pool.query<BudgetRow>(
      'select * from budgets where company_id = $1 and account_number = $2 order by id',
      [companyId, accountNumber],
    );
    return rows.map(readBudget);
  }

  async findByCurrency(companyId: number, currency: string): Promise<readonly Budget[]> {
    const { rows } = await this.pool.query<BudgetRow>(
      'select * from budgets where company_id = $1 and currency = $2 order by id',
      [companyId, currency],
    );
    return rows.map(readBudget);
  }

  async findByNote(companyId: number, note: string): Promise<readonly Budget[]> {
    const { rows } = await this.pool.query<BudgetRow>(
      'select * from budgets where company_id = $1 and note = $2 order by id',
      [companyId, note],
    );
    return rows.map(readBudget);
  }

  /** Budgets whose month starts on lies in a range of days, both ends included. */
  async findMonthStartsOnBetween(companyId: number, from: CalendarDate, to: CalendarDate): Promise<readonly Budget[]> {
    const { rows } = await this.pool.query<BudgetRow>(
      `select id, company_id, account_number, month_starts_on, planned, currency, revised_on, note
         from budgets
        where company_id = $1 and month_starts_on between $2 and $3
        order by month_starts_on, id`,
      [companyId, formatDay(from), formatDay(to)],
    );
    return rows.map(readBudget);
  }

  /** Budgets whose revised on lies in a range of days, both ends included. */
  async findRevisedOnBetween(companyId: number, from: CalendarDate, to: CalendarDate): Promise<readonly Budget[]> {
    const { rows } = await this.pool.query<BudgetRow>(
      `select id, company_id, account_number, month_starts_on, planned, currency, revised_on, note
         from budgets
        where company_id = $1 and revised_on between $2 and $3
        order by revised_on, id`,
      [companyId, formatDay(from), formatDay(to)],
    );
    return rows.map(readBudget);
  }

  /** Sum in minor units; nothing for a company without budgets. */
  async totalPlanned(companyId: number, until: CalendarDate): Promise<bigint> {
    const { rows } = await this.pool.query<{ total: string | null }>(
      'select sum(planned) as total from budgets where company_id = $1 and month_starts_on <= $2',
      [companyId, formatDay(until)],
    );
    return BigInt(rows[0]?.total ?? '0');
  }

  async insert(companyId: number, budget: Omit<Budget, 'id' | 'companyId'>): Promise<number> {
    const { rows } = await this.pool.query<{ id: string }>(
      `insert into budgets (company_id, account_number, month_starts_on, planned, currency, revised_on, note)
       values ($1, $2, $3, $4, $5, $6, $7)
       returning id`,
      [
        companyId,
        budget.accountNumber,
        formatDay(budget.monthStartsOn),
        budget.planned.toString(),
        budget.currency,
        budget.revisedOn ? formatDay(budget.revisedOn) : null,
        budget.note ?? null,
      ],
    );
    return Number(rows[0]?.id);
  }

  /** A revision keeps the first plan. */
  async remove(companyId: number, id: number): Promise<void> {
    const { rowCount } = await this.pool.query('delete from budgets where company_id = $1 and id = $2', [companyId, id]);
    if (rowCount === 0) {
      throw notFound('budget', id);
    }
  }
}
