import type { Pool } from 'pg';
import { dayFromColumn, formatDay, type CalendarDate } from '../dates/calendarDate.js';
import { notFound } from '../errors.js';

/** A rate of the central bank for one day. Rates are whole millionths. */
export interface ExchangeRate {
  readonly id: number;
  readonly companyId: number;
  readonly base: string;
  readonly quote: string;
  readonly validOn: CalendarDate;
  readonly rateMillionths: number;
  readonly source: string;
  readonly fetchedAt: Date;
  readonly isFixed: boolean;
}

interface ExchangeRateRow {
  readonly id: string;
  readonly company_id: string;
  readonly base: string;
  readonly quote: string;
  readonly valid_on: string;
  readonly rate_millionths: string;
  readonly source: string;
  readonly fetched_at: string;
  readonly is_fixed: boolean;
}

function readExchangeRate(row: ExchangeRateRow): ExchangeRate {
  return {
    id: Number(row.id),
    companyId: Number(row.company_id),
    base: row.base,
    quote: row.quote,
    validOn: dayFromColumn(row.valid_on),
    rateMillionths: Number(row.rate_millionths),
    source: row.source,
    fetchedAt: new Date(row.fetched_at),
    isFixed: row.is_fixed === true,
  };
}

export class ExchangeRateRepository {
  constructor(private readonly pool: Pool) {}

  async get(companyId: number, id: number): Promise<ExchangeRate> {
    const { rows } = await this.pool.query<ExchangeRateRow>(
      'select * from exchange_rates where company_id = $1 and id = $2',
      [companyId, id],
    );
    const row = rows[0];
    if (row === undefined) {
      throw notFound('exchangeRate', id);
    }
    return readExchangeRate(row);
  }

  async findByBase(companyId: number, base: string): Promise<readonly ExchangeRate[]> {
    const { rows } = await this.pool.query<ExchangeRateRow>(
      'select * from exchange_rates where company_id = $1 and base = $2 order by id',
      [companyId, base],
    );
    return rows.map(readExchangeRate);
  }

  async findByQuote(companyId: number, quote: string): Promise<readonly ExchangeRate[]> {
    const { rows } = await this.pool.query<ExchangeRateRow>(
      'select * from exchange_rates where company_id = $1 and quote = $2 order by id',
      [companyId, quote],
    );
    return rows.map(readExchangeRate);
  }

  async findBySource(companyId: number, source: string): Promise<readonly ExchangeRate[]> {
    const { rows } = await this.pool.query<ExchangeRateRow>(
      'select * from exchange_rates where company_id = $1 and source = $2 order by id',
      [companyId, source],
    );
    return rows.map(readExchangeRate);
  }

  /** ExchangeRates whose valid on lies in a range of days, both ends included. */
  async findValidOnBetween(companyId: number, from: CalendarDate, to: CalendarDate): Promise<readonly ExchangeRate[]> {
    const { rows } = await this.pool.query<ExchangeRateRow>(
      `select id, company_id, base, quote, valid_on, rate_millionths, source, fetched_at, is_fixed
         from exchange_rates
        where company_id = $1 and valid_on between $2 and $3
        order by valid_on, id`,
      [companyId, formatDay(from), formatDay(to)],
    );
    return rows.map(readExchangeRate);
  }

  async insert(companyId: number, exchangeRate: Omit<ExchangeRate, 'id' | 'companyId'>): Promise<number> {
    const { rows } = await this.pool.query<{ id: string }>(
      `insert into exchange_rates (company_id, base, quote, valid_on, rate_millionths, source, fetched_at, is_fixed)
       values ($1, $2, $3, $4, $5, $6, $7, $8)
       returning id`,
      [
        companyId,
        exchangeRate.base,
        exchangeRate.quote,
        formatDay(exchangeRate.validOn),
        exchangeRate.rateMillionths,
        exchangeRate.source,
        exchangeRate.fetchedAt,
        exchangeRate.isFixed,
      ],
    );
    return Number(rows[0]?.id);
  }

  /** A weekend has the rate of the Friday before. */
  async remove(companyId: number, id: number): Promise<void> {
    const { rowCount } = await this.pool.query('delete from exchange_rates where company_id = $1 and id = $2', [companyId, id]);
    if (rowCount === 0) {
      throw notFound('exchangeRate', id);
    }
  }
}
