import { parseJson, stringAt } from '../../base/json';
import { compareUtf8 } from '../../base/unicodeText';
import type { Locate } from '../../content/place';
import type { Database } from '../format';

/** Notes the database row of each object in the document. Rows are counted from 1 in the order of reading. */
export class StoreRows {
  private readonly rows = new Map<unknown, number>();

  add<Value extends object>(value: Value): Value {
    this.rows.set(value, this.rows.size + 1);
    return value;
  }

  /**
   * Places in a database are rows: the line is the row number. There is no byte range, because a row is seldom stored
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

/** True if a database has this table with this column. */
export function hasColumn({ tables }: Database, table: string, column: string): boolean {
  return tables.get(table)?.includes(column) === true;
}

/** Sorts rows by the values of columns, as SQLite does: numbers come before texts. Rows with equal values stay in order. */
export function sortedBy<Row extends Readonly<Record<string, unknown>>>(
  rows: readonly Row[],
  ...columns: readonly string[]
): readonly Row[] {
  return rows.toSorted((first, second) => {
    for (const column of columns) {
      const order = compareValues(first[column], second[column]);
      if (order !== 0) {
        return order;
      }
    }
    return 0;
  });
}

/** Sorts the same way in descending order. */
export function newestFirst<Row extends Readonly<Record<string, unknown>>>(
  rows: readonly Row[],
  column: string,
): readonly Row[] {
  return sortedBy(rows.toReversed(), column).toReversed();
}

function compareValues(first: unknown, second: unknown): number {
  if (typeof first === 'number' && typeof second === 'number') {
    return first - second;
  }
  if (typeof first === 'string' && typeof second === 'string') {
    return compareUtf8(first, second);
  }
  return rankOf(first) - rankOf(second);
}

function rankOf(value: unknown): number {
  return value === null || value === undefined
    ? 0
    : typeof value === 'number'
      ? 1
      : typeof value === 'string'
        ? 2
        : 3;
}
