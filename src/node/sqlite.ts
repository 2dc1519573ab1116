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

/** Rewrites every text of a database and clears its blobs; nothing of the old content is left in the bytes. */
export async function rewriteDatabase(
  bytes: Uint8Array,
  twinOf: (value: string, column: string) => string,
): Promise<Uint8Array> {
  const sqlite = await initSqlJs();
  const database = new sqlite.Database(bytes);
  try {
    const rows = (statement: string): readonly unknown[][] => database.exec(statement)[0]?.values ?? [];
    const quoted = (name: unknown): string => `"${String(name).replaceAll('"', '""')}"`;
    // An index for full text searches holds the words, and triggers would write to it.
    for (const [type, name] of rows(
      "SELECT type, name FROM sqlite_master WHERE type IN ('trigger', 'view') OR sql LIKE 'CREATE VIRTUAL%' ORDER BY type = 'table'",
    )) {
      database.run(`DROP ${String(type)} ${quoted(name)}`);
    }
    for (const [table] of rows(
      "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite_%' AND sql NOT LIKE 'CREATE VIRTUAL%'",
    )) {
      const columns = rows(
        `SELECT name FROM pragma_table_info('${String(table).replaceAll("'", "''")}')`,
      ).map(([name]) => String(name));
      for (const column of columns) {
        const values = rows(
          `SELECT DISTINCT ${quoted(column)} FROM ${quoted(table)} WHERE typeof(${quoted(column)}) = 'text'`,
        );
        const update = database.prepare(
          `UPDATE ${quoted(table)} SET ${quoted(column)} = ? WHERE ${quoted(column)} = ?`,
        );
        for (const [value] of values) {
          if (typeof value === 'string') {
            const twin = twinOf(value, column);
            if (twin !== value) {
              update.run([twin, value]);
            }
          }
        }
        update.free();
        database.run(
          `UPDATE ${quoted(table)} SET ${quoted(column)} = zeroblob(length(${quoted(column)})) WHERE typeof(${quoted(column)}) = 'blob'`,
        );
      }
    }
    database.run('VACUUM');
    return database.export();
  } finally {
    database.close();
  }
}
