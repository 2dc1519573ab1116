import type { Pool } from 'pg';
import { dayFromColumn, formatDay, type CalendarDate } from '../dates/calendarDate.js';
import { notFound } from '../errors.js';

/** A statement file of a bank. Opening balance plus rows is the closing balance. */
export interface Statement {
  readonly id: number;
  readonly companyId: number;
  readonly bankCode: string;
  readonly fileName: string;
  readonly coversFrom: CalendarDate;
  readonly coversTo: CalendarDate;
  readonly openingBalance: bigint;
  readonly closingBalance: bigint;
  readonly rowCount: number;
  readonly importedAt: Date;
  readonly checksum: string;
}

interface StatementRow {
  readonly id: string;
  readonly company_id: string;
  readonly bank_code: string;
  readonly file_name: string;
  readonly covers_from: string;
  readonly covers_to: string;
  readonly opening_balance: string;
  readonly closing_balance: string;
  readonly row_count: string;
  readonly imported_at: string;
  readonly checksum: string;
}

function readStatement(row: StatementRow): Statement {
  return {
    id: Number(row.id),
    companyId: Number(row.company_id),
    bankCode: row.bank_code,
    fileName: row.file_name,
    coversFrom: dayFromColumn(row.covers_from),
    coversTo: dayFromColumn(row.covers_to),
    openingBalance: BigInt(row.opening_balance),
    closingBalance: BigInt(row.closing_balance),
    rowCount: Number(row.row_count),
    importedAt: new Date(row.imported_at),
    checksum: row.checksum,
  };
}

export class StatementRepository {
  constructor(private readonly pool: Pool) {}

  async get(companyId: number, id: number): Promise<Statement> {
    const { rows } = await this.pool.query<StatementRow>(
      'select * from statements where company_id = $1 and id = $2',
      [companyId, id],
    );
    const row = rows[0];
    if (row === undefined) {
      throw notFound('statement', id);
    }
    return readStatement(row);
  }

  async findByBankCode(companyId: number, bankCode: string): Promise<readonly Statement[]> {
    const { rows } = await this.pool.query<StatementRow>(
      'select * from statements where company_id = $1 and bank_code = $2 order by id',
      [companyId, bankCode],
    );
    return rows.map(readStatement);
  }

  async findByFileName(companyId: number, fileName: string): Promise<readonly Statement[]> {
    const { rows } = await this.pool.query<StatementRow>(
      'select * from statements where company_id = $1 and file_name = $2 order by id',
      [companyId, fileName],
    );
    return rows.map(readStatement);
  }

  async findByChecksum(companyId: number, checksum: string): Promise<readonly Statement[]> {
    const { rows } = await this.pool.query<StatementRow>(
      'select * from statements where company_id = $1 and checksum = $2 order by id',
      [companyId, checksum],
    );
    return rows.map(readStatement);
  }

  /** Statements whose covers from lies in a range of days, both ends included. */
  async findCoversFromBetween(companyId: number, from: CalendarDate, to: CalendarDate): Promise<readonly Statement[]> {
    const { rows } = await this.pool.query<StatementRow>(
      `select id, company_id, bank_code, file_name, covers_from, covers_to, opening_balance, closing_balance, row_count, imported_at, checksum
         from statements
        where company_id = $1 and covers_from between $2 and $3
        order by covers_from, id`,
      [companyId, formatDay(from), formatDay(to)],
    );
    return rows.map(readStatement);
  }

  /** Statements whose covers to lies in a range of days, both ends included. */
  async findCoversToBetween(companyId: number, from: CalendarDate, to: CalendarDate): Promise<readonly Statement[]> {
    const { rows } = await this.pool.query<StatementRow>(
      `select id, company_id, bank_code, file_name, covers_from, covers_to, opening_balance, closing_balance, row_count, imported_at, checksum
         from statements
        where company_id = $1 and covers_to between $2 and $3
        order by covers_to, id`,
      [companyId, formatDay(from), formatDay(to)],
    );
    return rows.map(readStatement);
  }

  /** Sum in minor units; nothing for a company without statements. */
  async totalOpeningBalance(companyId: number, until: CalendarDate): Promise<bigint> {
    const { rows } = await this.pool.query<{ total: string | null }>(
      'select sum(opening_balance) as total from statements where company_id = $1 and covers_from <= $2',
      [companyId, formatDay(until)],
    );
    return BigInt(rows[0]?.total ?? '0');
  }

  /** Sum in minor units; nothing for a company without statements. */
  async totalClosingBalance(companyId: number, until: CalendarDate): Promise<bigint> {
    const { rows } = await this.pool.query<{ total: string | null }>(
      'select sum(closing_balance) as total from statements where company_id = $1 and covers_from <= $2',
      [companyId, formatDay(until)],
    );
    return BigInt(rows[0]?.total ?? '0');
  }

  async insert(companyId: number, statement: Omit<Statement, 'id' | 'companyId'>): Promise<number> {
    const { rows } = await this.pool.query<{ id: string }>(
      `insert into statements (company_id, bank_code, file_name, covers_from, covers_to, opening_balance, closing_balance, row_count, imported_at, checksum)
       values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)
       returning id`,
      [
        companyId,
        statement.bankCode,
        statement.fileName,
        formatDay(statement.coversFrom),
        formatDay(statement.coversTo),
        statement.openingBalance.toString(),
        statement.closingBalance.toString(),
        statement.rowCount,
        statement.importedAt,
        statement.checksum,
      ],
    );
    return Number(rows[0]?.id);
  }

  /** The same file is never imported twice. */
  async remove(companyId: number, id: number): Promise<void> {
    const { rowCount } = await this.pool.query('delete from statements where company_id = $1 and id = $2', [companyId, id]);
    if (rowCount === 0) {
      throw notFound('statement', id);
    }
  }
}
