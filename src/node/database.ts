import type { Database, DecoderTools } from '../core/formats/format';
import { applyWriteAheadLog } from './writeAheadLog';

/** SQLite (sql.js) in memory: nothing of it is loaded before the first database, and files are never written. */
export const decoderTools: DecoderTools = {
  openDatabase: async (bytes, log) => {
    const { default: initSqlJs } = await import('sql.js/dist/sql-wasm-inline.js');
    const sqlite = await initSqlJs();
    // sql.js cannot see a log; without its frames a database would lack its newest rows.
    const database = new sqlite.Database(applyWriteAheadLog(bytes, log ?? new Uint8Array()));
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
      throw new Error('This SQLite database is damaged.');
    }
  },
};
