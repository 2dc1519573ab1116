import { stringAt } from '../base/json';
import { jsonColumn, type StoreRows } from '../reading/decoders/storeRows';
import type { Database } from '../reading/format';

/** Goose's database, `sessions.db`, as `{gooseSessions: […]}`, each as `goose session export` writes it, the newest first. */
export function readGooseStore(database: Database, rows: StoreRows): unknown {
  const hasContent = database
    .query("SELECT name FROM pragma_table_info('messages')")
    .some(column => stringAt(column, 'name') === 'content_json');
  if (!database.tables.includes('sessions') || !hasContent) {
    return undefined;
  }
  const messages = new Map<unknown, unknown[]>();
  for (const row of database.query('SELECT * FROM messages ORDER BY created_timestamp, id')) {
    const list = messages.get(row['session_id']) ?? [];
    list.push(
      rows.add({
        id: row['message_id'],
        role: row['role'],
        created: row['created_timestamp'],
        content: jsonColumn(row, 'content_json'),
        metadata: jsonColumn(row, 'metadata_json'),
      }),
    );
    messages.set(row['session_id'], list);
  }
  const gooseSessions = database
    .query('SELECT * FROM sessions ORDER BY created_at DESC')
    .map(row => rows.add({ ...row, conversation: messages.get(row['id']) ?? [] }));
  return { gooseSessions };
}
