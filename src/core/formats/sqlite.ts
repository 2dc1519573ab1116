import type { Database, Decoder } from '../reading/format';
import { readCrushStore } from './crushStore';
import { readGooseStore } from './gooseStore';
import { readOpencodeStore } from './opencode/opencodeStore';
import { StoreRows } from '../reading/decoders/storeRows';

/** The beginning of every SQLite file (SQLite, "Database File Format"). */
const header = 'SQLite format 3\0';

/** An agent's sessions in a database, as the document that its format reads; `undefined` for another database. */
type StoreReader = (database: Database, rows: StoreRows) => unknown;

const stores: readonly StoreReader[] = [readOpencodeStore, readCrushStore, readGooseStore];

/** The databases in which agents keep their sessions, with the write-ahead log beside them. */
export const sqlite: Decoder = {
  id: 'sqlite',
  matches: head => header.split('').every((character, index) => head[index] === character.charCodeAt(0)),
  decode: async (bytes, tools, siblings) => {
    const log = await siblings?.read(`${siblings.fileName}-wal`);
    const database = await tools.openDatabase(bytes, log);
    try {
      for (const readStore of stores) {
        const rows = new StoreRows();
        const document = readStore(database, rows);
        if (document !== undefined) {
          return { kind: 'document', document, locate: rows.locator(document) };
        }
      }
    } finally {
      database.close();
    }
    throw new Error(
      'This database is none of an agent that Context Inspector knows: opencode, Crush and Goose keep their sessions in one.',
    );
  },
};
