import initSqlJs from 'sql.js/dist/sql-wasm-inline.js';
import { translate } from '../core/base/translate';
import type { Database } from '../core/reading/format';
import { applyWriteAheadLog } from './writeAheadLog';

/**
 * Opens an SQLite database (sql.js) in memory. The file is never written. Throws if the bytes are not a database.
 * @param log its write-ahead log
 */
export async function openDatabase(bytes: Uint8Array, log: Uint8Array = new Uint8Array()): Promise<Database> {
  const sqlite = await initSqlJs();
  // sql.js does not read logs, and without its log a database lacks its newest rows.
  const database = new sqlite.Database(applyWriteAheadLog(bytes, log));
  const query: Database['query'] = (statement, ...parameters) => {
    const prepared = database.prepare(statement, [...parameters]);
    try {
      const rows: Readonly<Record<string, unknown>>[] = [];
      while (prepared.step()) {
        rows.push(prepared.getAsObject());
      }
      return rows;
    } finally {
      prepared.free();
    }
  };
  try {
    const tables = query("SELECT name FROM sqlite_master WHERE type = 'table' ORDER BY name");
    return {
      tables: tables.flatMap(({ name }) => (typeof name === 'string' ? name : [])),
      query,
      close: () => database.close(),
    };
  } catch {
    database.close();
    throw new Error(translate('This SQLite database is damaged.'));
  }
}
