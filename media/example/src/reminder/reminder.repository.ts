import type { Pool } from 'pg';
import { dayFromColumn, formatDay, type CalendarDate } from '../dates/calendarDate.js';
import { notFound } from '../errors.js';

/** A reminder for an unpaid invoice. The third level is the last. */
export interface Reminder {
  readonly id: number;
  readonly companyId: number;
  readonly invoiceId: number;
  readonly level: number;
  readonly sentOn?: CalendarDate | undefined;
  readonly dueOn: CalendarDate;
  readonly fee: bigint;
  readonly currency: string;
  readonly channel: string;
  readonly text?: string | undefined;
}

interface ReminderRow {
  readonly id: string;
  readonly company_id: string;
  readonly invoice_id: string;
  readonly level: string;
  readonly sent_on: string | null;
  readonly due_on: string;
  readonly fee: string;
  readonly currency: string;
  readonly channel: string;
  readonly text: string | null;
}

function readReminder(row: ReminderRow): Reminder {
  return {
    id: Number(row.id),
    companyId: Number(row.company_id),
    invoiceId: Number(row.invoice_id),
    level: Number(row.level),
    sentOn: row.sent_on === null ? undefined : dayFromColumn(row.sent_on),
    dueOn: dayFromColumn(row.due_on),
    fee: BigInt(row.fee),
    currency: row.currency,
    channel: row.channel,
    text: row.text === null ? undefined : row.text,
  };
}

export class ReminderRepository {
  constructor(private readonly pool: Pool) {}

  async get(companyId: number, id: number): Promise<Reminder> {
    const { rows } = await this.pool.query<ReminderRow>(
      'select * from reminders where company_id = $1 and id = $2',
      [companyId, id],
    );
    const row = rows[0];
    if (row === undefined) {
      throw notFound('reminder', id);
    }
    return readReminder(row);
  }

  async findByCurrency(companyId: number, currency: string): Promise<readonly Reminder[]> {
    const { rows } = await this.pool.query<ReminderRow>(
      'select * from reminders where company_id = $1 and currency = $2 order by id',
      [companyId, currency],
    );
    return rows.map(readReminder);
  }

  async findByChannel(companyId: number, channel: string): Promise<readonly Reminder[]> {
    const { rows } = await this.pool.query<ReminderRow>(
      'select * from reminders where company_id = $1 and channel = $2 order by id',
      [companyId, channel],
    );
    return rows.map(readReminder);
  }

  async findByText(companyId: number, text: string): Promise<readonly Reminder[]> {
    const { rows } = await this.pool.query<ReminderRow>(
      'select * from reminders where company_id = $1 and text = $2 order by id',
      [companyId, text],
    );
    return rows.map(readReminder);
  }

  /** Reminders whose sent on lies in a range of days, both ends included. */
  async findSentOnBetween(companyId: number, from: CalendarDate, to: CalendarDate): Promise<readonly Reminder[]> {
    const { rows } = await this.pool.query<ReminderRow>(
      `select id, company_id, invoice_id, level, sent_on, due_on, fee, currency, channel, text
         from reminders
        where company_id = $1 and sent_on between $2 and $3
        order by sent_on, id`,
      [companyId, formatDay(from), formatDay(to)],
    );
    return rows.map(readReminder);
  }

  /** Reminders whose due on lies in a range of days, both ends included. */
  async findDueOnBetween(companyId: number, from: CalendarDate, to: CalendarDate): Promise<readonly Reminder[]> {
    const { rows } = await this.pool.query<ReminderRow>(
      `select id, company_id, invoice_id, level, sent_on, due_on, fee, currency, channel, text
         from reminders
        where company_id = $1 and due_on between $2 and $3
        order by due_on, id`,
      [companyId, formatDay(from), formatDay(to)],
    );
    return rows.map(readReminder);
  }

  /** Sum in minor units; nothing for a company without reminders. */
  async totalFee(companyId: number, until: CalendarDate): Promise<bigint> {
    const { rows } = await this.pool.query<{ total: string | null }>(
      'select sum(fee) as total from reminders where company_id = $1 and sent_on <= $2',
      [companyId, formatDay(until)],
    );
    return BigInt(rows[0]?.total ?? '0');
  }

  async insert(companyId: number, reminder: Omit<Reminder, 'id' | 'companyId'>): Promise<number> {
    const { rows } = await this.pool.query<{ id: string }>(
      `insert into reminders (company_id, invoice_id, level, sent_on, due_on, fee, currency, channel, text)
       values ($1, $2, $3, $4, $5, $6, $7, $8, $9)
       returning id`,
      [
        companyId,
        reminder.invoiceId,
        reminder.level,
        reminder.sentOn ? formatDay(reminder.sentOn) : null,
        formatDay(reminder.dueOn),
        reminder.fee.toString(),
        reminder.currency,
        reminder.channel,
        reminder.text ?? null,
      ],
    );
    return Number(rows[0]?.id);
  }

  /** The third level is the last. */
  async remove(companyId: number, id: number): Promise<void> {
    const { rowCount } = await this.pool.query('delete from reminders where company_id = $1 and id = $2', [companyId, id]);
    if (rowCount === 0) {
      throw notFound('reminder', id);
    }
  }
}
