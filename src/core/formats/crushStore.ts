import { isArray, stringAt } from '../base/json';
import { jsonColumn, type StoreRows } from '../reading/decoders/storeRows';
import type { Database } from '../reading/format';

/** Crush's database, `.crush/crush.db` in a project, as `{crushSessions: […]}`, the newest session first, each with its messages. */
export function readCrushStore(database: Database, rows: StoreRows): unknown {
  const hasParts = database
    .query("SELECT name FROM pragma_table_info('messages')")
    .some(column => stringAt(column, 'name') === 'parts');
  if (!database.tables.includes('sessions') || !hasParts) {
    return undefined;
  }
  const messages = new Map<string, unknown[]>();
  for (const row of database.query('SELECT * FROM messages ORDER BY created_at, rowid')) {
    const session = stringAt(row, 'session_id') ?? '';
    const parts = jsonColumn(row, 'parts');
    const list = messages.get(session) ?? [];
    list.push(rows.add({ ...row, parts: isArray(parts) ? parts : [] }));
    messages.set(session, list);
  }
  const crushSessions = database
    .query('SELECT * FROM sessions ORDER BY parent_session_id IS NOT NULL, created_at DESC')
    .map(row => rows.add({ ...row, messages: messages.get(stringAt(row, 'id') ?? '') ?? [] }));
  return { crushSessions };
}
