import type { Pool } from 'pg';
import { dayFromColumn, formatDay, type CalendarDate } from '../dates/calendarDate.js';
import { notFound } from '../errors.js';

/** One side of a journal entry. A closed period takes no postings. */
export interface Posting {
  readonly id: number;
  readonly companyId: number;
  readonly entryId: number;
  readonly accountNumber: string;
  readonly amount: bigint;
  readonly currency: string;
  readonly postedOn: CalendarDate;
  readonly valueOn?: CalendarDate | undefined;
  readonly text?: string | undefined;
  readonly counterpartyId?: number | undefined;
  readonly reversedBy?: number | undefined;
}

interface PostingRow {
  readonly id: string;
  readonly company_id: string;
  readonly entry_id: string;
  readonly account_number: string;
  readonly amount: string;
  readonly currency: string;
  readonly posted_on: string;
  readonly value_on: string | null;
  readonly text: string | null;
  readonly counterparty_id: string | null;
  readonly reversed_by: string | null;
}

function readPosting(row: PostingRow): Posting {
  return {
    id: Number(row.id),
    companyId: Number(row.company_id),
    entryId: Number(row.entry_id),
    accountNumber: row.account_number,
    amount: BigInt(row.amount),
    currency: row.currency,
    postedOn: dayFromColumn(row.posted_on),
    valueOn: row.value_on === null ? undefined : dayFromColumn(row.value_on),
    text: row.text === null ? undefined : row.text,
    counterpartyId: row.counterparty_id === null ? undefined : Number(row.counterparty_id),
    reversedBy: row.reversed_by === null ? undefined : Number(row.reversed_by),
  };
}

export class PostingRepository {
  constructor(private readonly pool: Pool) {}

  async get(companyId: number, id: number): Promise<Posting> {
    const { rows } = await this.pool.query<PostingRow>(
      'select * from postings where company_id = $1 and id = $2',
      [companyId, id],
    );
    const row = rows[0];
    if (row === undefined) {
      throw notFound('posting', id);
    }
    return readPosting(row);
  }

  async findByAccountNumber(companyId: number, accountNumber: string): Promise<readonly Posting[]> {
    const { rows } = await this.pool.query<PostingRow>(
      'select * from postings where company_id = $1 and account_number = $2 order by id',
      [companyId, accountNumber],
    );
    return rows.map(readPosting);
  }

  async findByCurrency(companyId: number, currency: string): Promise<readonly Posting[]> {
    const { rows } = await this.pool.query<PostingRow>(
      'select * from postings where company_id = $1 and currency = $2 order by id',
      [companyId, currency],
    );
    return rows.map(readPosting);
  }

  async findByText(companyId: number, text: string): Promise<readonly Posting[]> {
    const { rows } = await this.pool.query<PostingRow>(
      'select * from postings where company_id = $1 and text = $2 order by id',
      [companyId, text],
    );
    return rows.map(readPosting);
  }

  /** Postings whose posted on lies in a range of days, both ends included. */
  async findPostedOnBetween(companyId: number, from: CalendarDate, to: CalendarDate): Promise<readonly Posting[]> {
    const { rows } = await this.pool.query<PostingRow>(
      `select id, company_id, entry_id, account_number, amount, currency, posted_on, value_on, text, counterparty_id, reversed_by
         from postings
        where company_id = $1 and posted_on between $2 and $3
        order by posted_on, id`,
      [companyId, formatDay(from), formatDay(to)],
    );
    return rows.map(readPosting);
  }

  /** Postings whose value on lies in a range of days, both ends included. */
  async findValueOnBetween(companyId: number, from: CalendarDate, to: CalendarDate): Promise<readonly Posting[]> {
    const { rows } = await this.pool.query<PostingRow>(
      `select id, company_id, entry_id, account_number, amount, currency, posted_on, value_on, text, counterparty_id, reversed_by
         from postings
        where company_id = $1 and value_on between $2 and $3
        order by value_on, id`,
      [companyId, formatDay(from), formatDay(to)],
    );
    return rows.map(readPosting);
  }

  /** Sum in minor units; nothing for a company without postings. */
  async totalAmount(companyId: number, until: CalendarDate): Promise<bigint> {
    const { rows } = await this.pool.query<{ total: string | null }>(
      'select sum(amount) as total from postings where company_id = $1 and posted_on <= $2',
      [companyId, formatDay(until)],
    );
    return BigInt(rows[0]?.total ?? '0');
  }

  async insert(companyId: number, posting: Omit<Posting, 'id' | 'companyId'>): Promise<number> {
    const { rows } = await this.pool.query<{ id: string }>(
      `insert into postings (company_id, entry_id, account_number, amount, currency, posted_on, value_on, text, counterparty_id, reversed_by)
       values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)
       returning id`,
      [
        companyId,
        posting.entryId,
        posting.accountNumber,
        posting.amount.toString(),
        posting.currency,
        formatDay(posting.postedOn),
        posting.valueOn ? formatDay(posting.valueOn) : null,
        posting.text ?? null,
        posting.counterpartyId ?? null,
        posting.reversedBy ?? null,
      ],
    );
    return Number(rows[0]?.id);
  }

  /** A closed period takes no postings. */
  async remove(companyId: number, id: number): Promise<void> {
    const { rowCount } = await this.pool.query('delete from postings where company_id = $1 and id = $2', [companyId, id]);
    if (rowCount === 0) {
      throw notFound('posting', id);
    }
  }
}
