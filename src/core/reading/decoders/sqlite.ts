import { translate } from '../../base/translate';
import type { Database, DecodeContext, Decoder } from '../format';
import { StoreRows } from './storeRows';

/** The beginning of every SQLite file (SQLite, "Database File Format"). */
const header = 'SQLite format 3\0';

/** An agent's sessions in a database. */
export interface Store {
  /** The agent's name, as the user knows it. */
  readonly agent: string;
  /** The sessions as the document that the agent's format reads; `undefined`, or a promise of it, if the database is another one. */
  readonly read: (database: Database, rows: StoreRows, context: DecodeContext) => unknown;
}

/** Reads the databases in which agents keep their sessions, with the write-ahead log next to them. */
export function sqliteDecoder(stores: readonly Store[]): Decoder {
  return {
    id: 'sqlite',
    matches: head => header.split('').every((character, index) => head[index] === character.charCodeAt(0)),
    decode: async (bytes, context) => {
      const { tools, siblings } = context;
      const log = await siblings?.read(`${siblings.fileName}-wal`);
      const database = await tools.openDatabase(bytes, log);
      try {
        for (const { read } of stores) {
          const rows = new StoreRows();
          const document = await read(database, rows, context);
          if (document !== undefined) {
            return { kind: 'document', document, locate: rows.locator(document) };
          }
        }
      } finally {
        database.close();
      }
      const agents = stores.map(({ agent }) => agent);
      throw new Error(
        translate('Context Inspector cannot read this database. Supported agents: {0}.', agents.join(', ')),
      );
    },
  };
}
