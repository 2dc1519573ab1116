import { isObject, type JsonObject, member, numberAt, stringAt } from '../../base/json';
import { jsonColumn, newestFirst, sortedBy, type StoreRows } from '../../reading/decoders/storeRows';
import type { Database } from '../../reading/format';
import { exportedMessages } from './opencodeNewMessages';

/**
 * opencode's database (session.sql.ts) as `{sessions: […]}`, each as `opencode export` writes it. Sessions that a person
 * started come first, newest first.
 */
export function readOpencodeStore(database: Database, rows: StoreRows): unknown {
  if (!['session', 'message', 'part'].every(table => database.tables.has(table))) {
    return undefined;
  }
  const parts = new Map<string, JsonObject[]>();
  const messages = new Map<string, { readonly info: unknown; readonly parts: readonly unknown[] }[]>();
  for (const row of sortedBy(database.rows('part', ['id', 'message_id', 'session_id', 'data']), 'id')) {
    const message = stringAt(row, 'message_id') ?? '';
    push(parts, message, rows.add(dataOf(row, { messageID: message })));
  }
  const stored = database.rows('message', ['id', 'session_id', 'time_created', 'data']);
  for (const row of sortedBy(stored, 'time_created', 'id')) {
    const id = stringAt(row, 'id') ?? '';
    const info = rows.add(dataOf(row, {}));
    push(messages, stringAt(row, 'session_id') ?? '', rows.add({ info, parts: parts.get(id) ?? [] }));
  }
  // The newer form, which few versions use. For a session with both forms, the older one is read.
  const older = new Set(messages.keys());
  const newer = database.tables.has('session_message') ? database.rows('session_message') : [];
  for (const row of sortedBy(newer, 'time_created', 'id')) {
    const session = stringAt(row, 'session_id') ?? '';
    for (const { info, parts: own } of older.has(session) ? [] : exportedMessages(row)) {
      const message = { info: rows.add(info), parts: own.map(part => rows.add(part)) };
      push(messages, session, rows.add(message));
    }
  }
  const sessions = newestFirst(sortedBy(database.rows('session'), 'id'), 'time_updated').map(row => {
    const id = stringAt(row, 'id') ?? '';
    return rows.add({ info: sessionInfo(row, id), messages: messages.get(id) ?? [] });
  });
  const isChild = ({ info }: { readonly info: unknown }): boolean => stringAt(info, 'parentID') !== undefined;
  return { sessions: [...sessions.filter(session => !isChild(session)), ...sessions.filter(isChild)] };
}

/** The object of the export: the JSON in `data`, and the members that have their own columns. */
function dataOf(row: unknown, columns: JsonObject): JsonObject {
  const data = jsonColumn(row, 'data');
  return {
    ...(isObject(data) ? data : {}),
    id: stringAt(row, 'id'),
    sessionID: stringAt(row, 'session_id'),
    ...columns,
  };
}

function sessionInfo(row: unknown, id: string): JsonObject {
  const parent = stringAt(row, 'parent_id');
  const revert = jsonColumn(row, 'revert');
  return {
    id,
    title: stringAt(row, 'title'),
    version: stringAt(row, 'version'),
    directory: stringAt(row, 'directory'),
    ...(parent === undefined ? {} : { parentID: parent }),
    ...(revert === undefined ? {} : { revert }),
    time: { created: member(row, 'time_created'), updated: member(row, 'time_updated') },
    ...(numberAt(row, 'tokens_input') === undefined
      ? {}
      : {
          tokens: {
            input: member(row, 'tokens_input'),
            output: member(row, 'tokens_output'),
            reasoning: member(row, 'tokens_reasoning'),
            cache: { read: member(row, 'tokens_cache_read'), write: member(row, 'tokens_cache_write') },
          },
        }),
  };
}

function push<Value>(map: Map<string, Value[]>, key: string, value: Value): void {
  const list = map.get(key);
  if (list === undefined) {
    map.set(key, [value]);
  } else {
    list.push(value);
  }
}
