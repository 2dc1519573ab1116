import type { SqlJsStatic, SqlValue } from 'sql.js';
import initSqlJs from 'sql.js/dist/sql-wasm-inline.js';
import { translate } from '../core/base/translate';
import type { Database } from '../core/reading/format';
import { isTreeSound } from './sqlitePages';
import { applyWriteAheadLog } from './writeAheadLog';

type Row = Readonly<Record<string, unknown>>;

/**
 * What a statement may do that only reads stored rows (SQLite, "The bytecode engine"). A view, a virtual table and a
 * computed column need other instructions, and what they run need not end.
 */
const readingOpcodes = new Set([
  'Init',
  'Transaction',
  'Goto',
  'Halt',
  'OpenRead',
  'Rewind',
  'Rowid',
  'Column',
  'RealAffinity',
  'ResultRow',
  'Next',
]);

/** How much more than its bytes a table may hold: texts that columns got later as defaults are stored once. */
const sharedValues = 1_000_000;

/**
 * Opens an SQLite database (sql.js) in memory. The file is never written. Throws if the bytes are not a database.
 * @param log its write-ahead log
 */
export async function openDatabase(bytes: Uint8Array, log: Uint8Array = new Uint8Array()): Promise<Database> {
  const sqlite = await initSqlJs();
  // sql.js does not read logs, and without its log a database lacks its newest rows.
  const file = applyWriteAheadLog(bytes, log);
  if (!isTreeSound(file)) {
    throw damaged();
  }
  const database = new sqlite.Database(file);
  // Every value takes at least a byte of its row, so no honest table exceeds this.
  const mostHeld = 2 * file.length + sharedValues;
  const query = (statement: string, parameters: readonly string[] = []): readonly Row[] => {
    const prepared = database.prepare(statement, [...parameters]);
    let left = mostHeld;
    try {
      const rows: Row[] = [];
      while (prepared.step()) {
        const row = prepared.getAsObject();
        rows.push(row);
        for (const name in row) {
          const value = row[name];
          left -= 1 + (typeof value === 'object' || typeof value === 'string' ? (value?.length ?? 0) : 0);
        }
        if (left < 0) {
          throw damaged();
        }
      }
      return rows;
    } finally {
      prepared.free();
    }
  };
  const onlyReads = (statement: string): boolean =>
    query(`EXPLAIN ${statement}`).every(
      ({ opcode }) => typeof opcode === 'string' && readingOpcodes.has(opcode),
    );
  try {
    const tables = tablesOf(query);
    return {
      tables,
      rows: (table, columns) => {
        const known = tables.get(table) ?? [];
        const read = columns === undefined ? known : known.filter(column => columns.includes(column));
        if (read.length === 0) {
          return [];
        }
        const statement = `SELECT ${read.map(quoted).join(', ')} FROM ${quoted(table)} NOT INDEXED`;
        try {
          if (onlyReads(statement)) {
            return query(statement);
          }
        } catch {
          // What SQLite says about a damaged file is no sentence for a user.
        }
        throw damaged();
      },
      close: () => database.close(),
    };
  } catch {
    database.close();
    throw damaged();
  }
}

function damaged(): Error {
  return new Error(translate('This SQLite database is damaged.'));
}

/** Tables with a tree of their own, and their columns without the computed ones. */
function tablesOf(
  query: (statement: string, parameters?: readonly string[]) => readonly Row[],
): ReadonlyMap<string, readonly string[]> {
  const real = query(
    "SELECT name FROM sqlite_master WHERE type = 'table' AND rootpage > 0 AND sql LIKE 'CREATE TABLE%' ORDER BY name",
  );
  return new Map(
    real.flatMap(({ name }): [string, readonly string[]][] => {
      if (typeof name !== 'string') {
        return [];
      }
      const columns = query('SELECT name FROM pragma_table_info(?)', [name]);
      return [[name, columns.flatMap(column => (typeof column['name'] === 'string' ? column['name'] : []))]];
    }),
  );
}

function quoted(name: string): string {
  return `"${name.replaceAll('"', '""')}"`;
}

/**
 * Rewrites every text of a database, also where it is stored as bytes, and clears other bytes; nothing of the old
 * content is left. Numbers stay. Throws if it is not a database, or a table holds more than its file can.
 * @param log its write-ahead log, whose rows become part of the result
 */
export async function rewriteDatabase(
  bytes: Uint8Array,
  twinOf: (value: string, column: string) => string,
  log: Uint8Array = new Uint8Array(),
): Promise<Uint8Array> {
  const sqlite = await initSqlJs();
  const file = applyWriteAheadLog(bytes, log);
  if (!isTreeSound(file)) {
    throw damaged();
  }
  const database = new sqlite.Database(file);
  try {
    const rows = (statement: string, parameters: readonly string[] = []): readonly unknown[][] =>
      database.exec(statement, [...parameters])[0]?.values ?? [];
    // An index for full text searches holds the words, and triggers would write to it.
    for (const [type, name] of rows(
      "SELECT type, name FROM sqlite_master WHERE type IN ('trigger', 'view') OR sql LIKE 'CREATE VIRTUAL%' ORDER BY type = 'table'",
    )) {
      database.run(`DROP ${String(type)} ${quoted(String(name))}`);
    }
    const tables = tablesOf((statement, parameters) =>
      rows(statement, parameters).map(([name]) => ({ name })),
    );
    for (const [table, columns] of tables) {
      const keys = columns.includes('rowid') || hasNoRowid(rows, table) ? undefined : 'rowid';
      for (const column of columns) {
        rewriteColumn(
          database,
          { table, column, key: keys ?? column, left: 2 * file.length + sharedValues },
          value => twinOfValue(value, text => twinOf(text, column)),
        );
      }
    }
    database.run('VACUUM');
    return database.export();
  } finally {
    database.close();
  }
}

function hasNoRowid(
  rows: (statement: string, parameters: readonly string[]) => readonly unknown[][],
  table: string,
): boolean {
  const [[sql] = []] = rows("SELECT sql FROM sqlite_master WHERE type = 'table' AND name = ?", [table]);
  return typeof sql === 'string' && /WITHOUT\s+ROWID/i.test(sql);
}

interface RewrittenColumn {
  readonly table: string;
  readonly column: string;
  /** The column by which a row is found again. */
  readonly key: string;
  /** How many bytes the column can hold. */
  readonly left: number;
}

function rewriteColumn(
  database: InstanceType<SqlJsStatic['Database']>,
  { table, column, key, left }: RewrittenColumn,
  twinOf: (value: string | Uint8Array) => string | Uint8Array,
): void {
  const found: (readonly [SqlValue, string | Uint8Array])[] = [];
  const reading = database.prepare(
    `SELECT ${quoted(key)}, ${quoted(column)} FROM ${quoted(table)} NOT INDEXED WHERE typeof(${quoted(column)}) IN ('text', 'blob')`,
  );
  try {
    for (let rest = left; reading.step();) {
      const [row = null, value] = reading.get();
      if (typeof value === 'string' || value instanceof Uint8Array) {
        rest -= 1 + value.length;
        found.push([row, value]);
      }
      if (rest < 0) {
        throw damaged();
      }
    }
  } finally {
    reading.free();
  }
  const writing = database.prepare(
    `UPDATE ${quoted(table)} SET ${quoted(column)} = ? WHERE ${quoted(key)} = ?`,
  );
  try {
    for (const [row, value] of found) {
      const twin = twinOf(value);
      if (twin !== value) {
        writing.run([twin, row]);
      }
    }
  } finally {
    writing.free();
  }
}

/** The twin of a stored value. Bytes that are no text become zeros. */
function twinOfValue(value: string | Uint8Array, twinOf: (text: string) => string): string | Uint8Array {
  if (typeof value === 'string') {
    return twinOf(value);
  }
  const text = new TextDecoder().decode(value);
  return text.includes('\uFFFD') || text.includes('\0')
    ? new Uint8Array(value.length)
    : new TextEncoder().encode(twinOf(text));
}
