import { groupBy } from '../base/groupBy';
import { arrayAt, epochAt, isArray, isObject, member, stringAt } from '../base/json';
import { eachAt, sourceOf } from '../content/place';
import { hasColumn, jsonColumn, newestFirst, sortedBy, type StoreRows } from '../reading/decoders/storeRows';
import type { Database, DocumentFormat } from '../reading/format';
import { readChatMessage } from '../wire/generic/blocks';
import { addStored, type StoredSession } from './common/storedSessions';
import { Thread } from './common/thread';

/**
 * Devin CLI's database with all its sessions, `~/.local/share/devin/cli/sessions.db`. The rules follow the reader of
 * jazzyalex/agent-sessions (2026-08), which was checked with CLI 3000.3.27.
 */
export const devin: DocumentFormat = {
  kind: 'document',
  id: 'devin',
  name: 'Devin CLI database',
  matches: document => isArray(member(document, 'devinSessions')),
  read({ value, range }, locate, builder) {
    builder.agentName = 'Devin CLI';
    const stored: StoredSession[] = [];
    eachAt(value, { record: range, locate, path: [] }, 'devinSessions', (session, place, number) => {
      const id = stringAt(session, 'id') ?? '';
      const title = stringAt(session, 'title') ?? id;
      const workingDirectory = stringAt(session, 'working_directory');
      const model = stringAt(session, 'model');
      const thread = new Thread(builder, number);
      eachAt(session, place, 'nodes', (node, at) => {
        if (member(node, 'isOnChain') !== true) {
          builder.leaveOut('a message of an abandoned branch', sourceOf(at));
          return;
        }
        const message = member(node, 'message');
        const timestamp = epochAt(node, 'created_at');
        const read = readChatMessage(message, { ...at, path: [...at.path, 'message'] }, thread.calls);
        thread.addRecorded({ ...read, timestamp }, { line: sourceOf(at).line, model });
      });
      stored.push({ id, title, workingDirectory });
      if (number === 0) {
        builder.title = title;
        builder.sessionId = id;
        builder.workingDirectory = workingDirectory;
      }
    });
    addStored(builder, stored);
  },
};

/** A message with its thinking and its calls as other chats have them. */
function chatMessage(message: unknown): unknown {
  return isObject(message)
    ? {
        ...message,
        reasoning_content: stringAt(member(message, 'thinking'), 'thinking'),
        thinking: undefined,
        tool_calls: arrayAt(message, 'tool_calls').map(call => ({
          id: member(call, 'id'),
          function: { name: member(call, 'name'), arguments: member(call, 'arguments') },
        })),
      }
    : message;
}

/**
 * The sessions of Devin CLI. Messages are a forest: a session names the last message of the conversation, and other
 * branches are abandoned.
 */
export function readDevinStore(database: Database, rows: StoreRows): unknown {
  if (
    !hasColumn(database, 'sessions', 'main_chain_id') ||
    !hasColumn(database, 'message_nodes', 'chat_message')
  ) {
    return undefined;
  }
  const nodes = groupBy(
    sortedBy(database.rows('message_nodes'), 'node_id').map(row => ({
      ...row,
      message: chatMessage(jsonColumn(row, 'chat_message')),
      chat_message: undefined,
    })),
    row => member(row, 'session_id'),
  );
  const devinSessions = newestFirst(database.rows('sessions'), 'last_activity_at').map(session => {
    const own = nodes.get(session['id']) ?? [];
    const byId = new Map(own.map(node => [member(node, 'node_id'), node]));
    const chain = new Set<unknown>();
    let id = session['main_chain_id'];
    while (byId.has(id) && !chain.has(id)) {
      chain.add(id);
      id = member(byId.get(id), 'parent_node_id');
    }
    const order = [...chain].reverse();
    const onChain = order.map(node => rows.add({ ...byId.get(node), isOnChain: true }));
    const others = own.filter(node => !chain.has(member(node, 'node_id'))).map(node => rows.add(node));
    return rows.add({ ...session, nodes: [...onChain, ...others] });
  });
  return { devinSessions };
}
