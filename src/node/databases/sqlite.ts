import type { SqlValue } from 'sql.js';
import initSqlJs from 'sql.js/dist/sql-wasm-inline.js';
import { throwIfCancelled, WorkTurn } from '../../core/base/cancelling';
import { translate } from '../../core/base/translate';
import type { RewriteDatabase } from '../../core/export/twin/anonymisedTwin';
import { RefusedError } from '../../core/reading/decoders/unpacking';
import type { Database } from '../../core/reading/format';
import { isTreeSound } from './sqlitePages';
import { applyWriteAheadLog } from './writeAheadLog';

type Row = Readonly<Record<string, unknown>>;

/**
 * The instructions that a statement needs to read stored rows (SQLite, "The bytecode engine"). A view, a virtual table
 * and a computed column need others, and their programs may never end.
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

/**
 * How much larger a table may be than its bytes, because default values of columns that were added later are stored
 * only once.
 */
const sharedValues = 1_000_000;

/**
 * Opens an SQLite database of another program in memory. The file is never written. Throws RefusedError if the bytes are
 * not a database.
 *
 * The index uses Node's own SQLite, but files of others are read by sql.js, inside WebAssembly: bytes that exploit a defect
 * reach no memory outside it, and a thread ends at once in the middle of a query. A thread with a query of Node's SQLite did
 * not end before the query, which a hostile file can draw out for hours. Node 22 also offers no limits, no authorizer and no
 * defensive mode, opens no bytes, and beside a live database it makes files.
 * @param log its write-ahead log
 */
export async function openDatabase(bytes: Uint8Array, log: Uint8Array = new Uint8Array()): Promise<Database> {
  const sqlite = await initSqlJs();
  // sql.js does not read logs. Without its log, a database lacks its newest rows.
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
    // SQLite's advice for untrusted files ("Defense Against The Dark Arts").
    database.run('PRAGMA trusted_schema = OFF; PRAGMA cell_size_check = ON; PRAGMA query_only = ON');
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
          // SQLite's message about a damaged file is not meant for users.
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

function damaged(): RefusedError {
  return new RefusedError(translate('This SQLite database is damaged.'));
}

/** Tables that are stored in the file, with their columns except computed ones. */
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
 * A new database with the tables and columns that readers know. Every text in them is rewritten, even if stored as
 * bytes; other bytes become zeros, and numbers stay. Rows are read as in `openDatabase`, without computed columns.
 * Indexes, triggers, defaults and comments of the old database are not copied. Throws like `openDatabase`.
 */
export const rewriteDatabase: RewriteDatabase = async (bytes, { isKnown, twinOf, isCancelled }, log) => {
  const stored = await openDatabase(bytes, log);
  const sqlite = await initSqlJs();
  const rewritten = new sqlite.Database();
  const turn = new WorkTurn();
  try {
    for (const [table, all] of stored.tables) {
      const columns = all.filter(isKnown);
      if (columns.length === 0 || !isKnown(table)) {
        continue;
      }
      // Columns without a type store each value unchanged.
      rewritten.run(`CREATE TABLE ${quoted(table)} (${columns.map(quoted).join(', ')})`);
      const writing = rewritten.prepare(
        `INSERT INTO ${quoted(table)} VALUES (${columns.map(() => '?').join(', ')})`,
      );
      try {
        for (const row of stored.rows(table, columns)) {
          writing.run(columns.map(column => twinOfValue(row[column], text => twinOf(text, column))));
          if (turn.isOver) {
            await turn.next();
            throwIfCancelled(isCancelled);
          }
        }
      } finally {
        writing.free();
      }
    }
    return rewritten.export();
  } finally {
    rewritten.close();
    stored.close();
  }
};

/** The twin of a stored value. Bytes that are not text become zeros. */
function twinOfValue(value: unknown, twinOf: (text: string) => string): SqlValue {
  if (typeof value === 'string') {
    return twinOf(value);
  }
  if (!(value instanceof Uint8Array)) {
    return typeof value === 'number' ? value : null;
  }
  const text = new TextDecoder().decode(value);
  return text.includes('\uFFFD') || text.includes('\0')
    ? new Uint8Array(value.length)
    : new TextEncoder().encode(twinOf(text));
}
