import type { Pool } from 'pg';
import { dayFromColumn, formatDay, type CalendarDate } from '../dates/calendarDate.js';
import { notFound } from '../errors.js';

/** An accounting period. Periods of a company do not overlap. */
export interface Period {
  readonly id: number;
  readonly companyId: number;
  readonly label: string;
  readonly startsOn: CalendarDate;
  readonly endsOn: CalendarDate;
  readonly closedOn?: CalendarDate | undefined;
  readonly closedBy?: string | undefined;
  readonly vatReportedOn?: CalendarDate | undefined;
  readonly isAdjustment: boolean;
}

interface PeriodRow {
  readonly id: string;
  readonly company_id: string;
  readonly label: string;
  readonly starts_on: string;
  readonly ends_on: string;
  readonly closed_on: string | null;
  readonly closed_by: string | null;
  readonly vat_reported_on: string | null;
  readonly is_adjustment: boolean;
}

function readPeriod(row: PeriodRow): Period {
  return {
    id: Number(row.id),
    companyId: Number(row.company_id),
    label: row.label,
    startsOn: dayFromColumn(row.starts_on),
    endsOn: dayFromColumn(row.ends_on),
    closedOn: row.closed_on === null ? undefined : dayFromColumn(row.closed_on),
    closedBy: row.closed_by === null ? undefined : row.closed_by,
    vatReportedOn: row.vat_reported_on === null ? undefined : dayFromColumn(row.vat_reported_on),
    isAdjustment: row.is_adjustment === true,
  };
}

export class PeriodRepository {
  constructor(private readonly pool: Pool) {}

  async get(companyId: number, id: number): Promise<Period> {
    const { rows } = await this.pool.query<PeriodRow>(
      'select * from periods where company_id = $1 and id = $2',
      [companyId, id],
    );
    const row = rows[0];
    if (row === undefined) {
      throw notFound('period', id);
    }
    return readPeriod(row);
  }

  async findByLabel(companyId: number, label: string): Promise<readonly Period[]> {
    const { rows } = await this.pool.query<PeriodRow>(
      'select * from periods where company_id = $1 and label = $2 order by id',
      [companyId, label],
    );
    return rows.map(readPeriod);
  }

  async findByClosedBy(companyId: number, closedBy: string): Promise<readonly Period[]> {
    const { rows } = await this.pool.query<PeriodRow>(
      'select * from periods where company_id = $1 and closed_by = $2 order by id',
      [companyId, closedBy],
    );
    return rows.map(readPeriod);
  }

  async findByIsAdjustment(companyId: number, isAdjustment: boolean): Promise<readonly Period[]> {
    const { rows } = await this.pool.query<PeriodRow>(
      'select * from periods where company_id = $1 and is_adjustment = $2 order by id',
      [companyId, isAdjustment],
    );
    return rows.map(readPeriod);
  }

  /** Periods whose starts on lies in a range of days, both ends included. */
  async findStartsOnBetween(companyId: number, from: CalendarDate, to: CalendarDate): Promise<readonly Period[]> {
    const { rows } = await this.pool.query<PeriodRow>(
      `select id, company_id, label, starts_on, ends_on, closed_on, closed_by, vat_reported_on, is_adjustment
         from periods
        where company_id = $1 and starts_on between $2 and $3
        order by starts_on, id`,
      [companyId, formatDay(from), formatDay(to)],
    );
    return rows.map(readPeriod);
  }

  /** Periods whose ends on lies in a range of days, both ends included. */
  async findEndsOnBetween(companyId: number, from: CalendarDate, to: CalendarDate): Promise<readonly Period[]> {
    const { rows } = await this.pool.query<PeriodRow>(
      `select id, company_id, label, starts_on, ends_on, closed_on, closed_by, vat_reported_on, is_adjustment
         from periods
        where company_id = $1 and ends_on between $2 and $3
        order by ends_on, id`,
      [companyId, formatDay(from), formatDay(to)],
    );
    return rows.map(readPeriod);
  }

  /** Periods whose closed on lies in a range of days, both ends included. */
  async findClosedOnBetween(companyId: number, from: CalendarDate, to: CalendarDate): Promise<readonly Period[]> {
    const { rows } = await this.pool.query<PeriodRow>(
      `select id, company_id, label, starts_on, ends_on, closed_on, closed_by, vat_reported_on, is_adjustment
         from periods
        where company_id = $1 and closed_on between $2 and $3
        order by closed_on, id`,
      [companyId, formatDay(from), formatDay(to)],
    );
    return rows.map(readPeriod);
  }

  /** Periods whose vat reported on lies in a range of days, both ends included. */
  async findVatReportedOnBetween(companyId: number, from: CalendarDate, to: CalendarDate): Promise<readonly Period[]> {
    const { rows } = await this.pool.query<PeriodRow>(
      `select id, company_id, label, starts_on, ends_on, closed_on, closed_by, vat_reported_on, is_adjustment
         from periods
        where company_id = $1 and vat_reported_on between $2 and $3
        order by vat_reported_on, id`,
      [companyId, formatDay(from), formatDay(to)],
    );
    return rows.map(readPeriod);
  }

  async insert(companyId: number, period: Omit<Period, 'id' | 'companyId'>): Promise<number> {
    const { rows } = await this.pool.query<{ id: string }>(
      `insert into periods (company_id, label, starts_on, ends_on, closed_on, closed_by, vat_reported_on, is_adjustment)
       values ($1, $2, $3, $4, $5, $6, $7, $8)
       returning id`,
      [
        companyId,
        period.label,
        formatDay(period.startsOn),
        formatDay(period.endsOn),
        period.closedOn ? formatDay(period.closedOn) : null,
        period.closedBy ?? null,
        period.vatReportedOn ? formatDay(period.vatReportedOn) : null,
        period.isAdjustment,
      ],
    );
    return Number(rows[0]?.id);
  }

  /** Closing is undone only by an auditor. */
  async remove(companyId: number, id: number): Promise<void> {
    const { rowCount } = await this.pool.query('delete from periods where company_id = $1 and id = $2', [companyId, id]);
    if (rowCount === 0) {
      throw notFound('period', id);
    }
  }
}
