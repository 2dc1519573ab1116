import { parseJson, stringAt } from '../../base/json';
import type { Locate } from '../../content/place';
import type { Database } from '../format';

/**
 * The row of the database that each object of the document came from. Rows are counted from 1 in the order of reading.
 */
export class StoreRows {
  private readonly rows = new Map<unknown, number>();

  add<Value extends object>(value: Value): Value {
    this.rows.set(value, this.rows.size + 1);
    return value;
  }

  /**
   * Places in a database are rows: the line is the row number, and there are no bytes, because a row is seldom stored
   * in one piece.
   */
  locator(document: unknown): Locate {
    return path => {
      let current = document;
      let line = 1;
      for (const key of path) {
        current = childOf(current, key);
        line = this.rows.get(current) ?? line;
      }
      return { line, offset: 0, length: 0 };
    };
  }
}

function childOf(value: unknown, key: string | number): unknown {
  return typeof value === 'object' && value !== null && Object.hasOwn(value, key)
    ? Object.getOwnPropertyDescriptor(value, key)?.value
    : undefined;
}

/** The value of a column that holds JSON; `undefined` if it is not JSON. */
export function jsonColumn(row: unknown, column: string): unknown {
  return parseJson(stringAt(row, column) ?? '');
}

/** Whether a database has the table, with the column. */
export function hasColumn(database: Database, table: string, column: string): boolean {
  return database
    .query(`SELECT name FROM pragma_table_info('${table}')`)
    .some(found => stringAt(found, 'name') === column);
}
