import { groupBy } from '../base/groupBy';
import { epochAt, isArray, member, numberAt, objectAt, stringAt, timeAt } from '../base/json';
import { schemaBlocks, textBlocksAt } from '../content/blockFactory';
import { compactionSummary } from '../content/classification';
import { readChatMessage } from '../wire/generic/blocks';
import { below, eachAt, type Place, sourceOf } from '../content/place';
import type { TranscriptBuilder } from '../content/transcriptBuilder';
import { hasColumn, jsonColumn, newestFirst, sortedBy, type StoreRows } from '../reading/decoders/storeRows';
import type { Database, DocumentFormat, LineFormat, SourceRecord } from '../reading/format';
import { addSubagent } from './common/notes';
import { addStored, type StoredSession } from './common/storedSessions';
import { Thread } from './common/thread';

/** The database of Hermes Agent, `~/.hermes/state.db`, with all its sessions. */
export const hermes: DocumentFormat = {
  kind: 'document',
  id: 'hermes',
  name: 'Hermes Agent database',
  matches: document => isArray(member(document, 'hermesSessions')),
  read({ value, range }, locate, builder) {
    builder.agentName = 'Hermes Agent';
    const stored: StoredSession[] = [];
    eachAt(value, { record: range, locate, path: [] }, 'hermesSessions', (session, place, number) => {
      const id = stringAt(session, 'id') ?? '';
      const title = stringAt(session, 'title') ?? id;
      const thread = new Thread(builder, number);
      thread.add({ role: 'system', blocks: textBlocksAt(session, place, 'prompt', 'system') });
      eachAt(session, place, 'messages', (message, at) => readMessage(message, at, thread, session));
      if (numberAt(session, 'input_tokens') !== undefined) {
        builder.leaveOut('token counts of a whole session', sourceOf(place));
      }
      const workingDirectory = stringAt(session, 'cwd');
      const parent = isDelegated(session) ? stringAt(session, 'parent_session_id') : undefined;
      stored.push({ id, title, workingDirectory, parent });
      if (parent !== undefined) {
        addSubagent(builder, { id, thread: number, description: title });
      }
      if (number === 0) {
        builder.title = title;
        builder.sessionId = id;
        builder.workingDirectory = workingDirectory;
      }
    });
    addStored(builder, stored);
  },
};

/**
 * True if the session of a subagent names its parent twice. A single mark is not enough, because branches inherit it.
 */
function isDelegated(session: unknown): boolean {
  const parent = stringAt(session, 'parent_session_id');
  return parent !== undefined && stringAt(objectAt(session, 'model_config'), '_delegate_from') === parent;
}

function readMessage(message: unknown, place: Place, thread: Thread, session: unknown): void {
  const source = sourceOf(place);
  if (stringAt(message, 'role') === undefined) {
    thread.builder.leaveOutUnknown(source, 'a record of an unknown kind');
    return;
  }
  const isCompacted = numberAt(message, 'compacted') === 1;
  if (numberAt(message, 'active') === 0) {
    thread.builder.leaveOut(
      isCompacted ? 'a message that a summary replaced' : 'a message that was taken back',
      source,
    );
    return;
  }
  const isSummary = stringAt(message, 'display_kind') === 'compaction_summary';
  const read = readChatMessage(
    message,
    place,
    thread.calls,
    isSummary ? { textClass: compactionSummary } : {},
  );
  const timestamp = epochAt(message, 'timestamp') ?? timeAt(message, 'timestamp');
  const model = stringAt(message, 'model') ?? stringAt(session, 'model');
  thread.addRecorded({ ...read, timestamp }, { line: source.line, model });
}

/** Older sessions of Hermes Agent, `~/.hermes/sessions/<id>.jsonl`; the first line names the tools. */
export const hermesLines: LineFormat = {
  kind: 'lines',
  id: 'hermes-lines',
  name: 'Hermes Agent session file',
  matches: records => records.some(isMeta),
  open: builder => new HermesReader(builder),
};

/** One session as one document, the log that Hermes Agent keeps in `~/.hermes/sessions/session_<id>.json`. */
export const hermesSession: DocumentFormat = {
  kind: 'document',
  id: 'hermes-session',
  name: 'Hermes Agent session',
  matches: document =>
    isArray(member(document, 'messages')) &&
    stringAt(document, 'session_start') !== undefined &&
    stringAt(document, 'system_prompt') !== undefined,
  read({ value, range }, locate, builder) {
    const root: Place = { record: range, locate, path: [] };
    const thread = new Thread(builder);
    builder.agentName = 'Hermes Agent';
    builder.sessionId = stringAt(value, 'session_id');
    builder.workingDirectory = stringAt(objectAt(value, 'model_config'), 'cwd');
    thread.add({
      role: 'system',
      blocks: [
        ...textBlocksAt(value, root, 'system_prompt', 'system'),
        ...schemaBlocks(member(value, 'tools'), below(root, 'tools')),
      ],
    });
    eachAt(value, root, 'messages', (message, place) => {
      if (isMeta(message)) {
        builder.leaveOut('session_meta record', sourceOf(place));
      } else {
        readMessage(message, place, thread, value);
      }
    });
    builder.title = builder.firstPrompt;
  },
};

function isMeta(record: unknown): boolean {
  return stringAt(record, 'role') === 'session_meta';
}

class HermesReader {
  private readonly thread: Thread;
  private session: unknown;

  constructor(private readonly builder: TranscriptBuilder) {
    builder.agentName = 'Hermes Agent';
    this.thread = new Thread(builder);
  }

  push({ value, range }: SourceRecord): void {
    const place = { record: range, path: [] };
    if (isMeta(value)) {
      this.session = value;
      const blocks = schemaBlocks(member(value, 'tools'), below(place, 'tools'));
      this.thread.add({ role: 'system', blocks });
      if (blocks.length === 0) {
        this.builder.leaveOut('session_meta record', range);
      }
    } else {
      readMessage(value, place, this.thread, this.session);
    }
  }

  end(): void {
    this.builder.title = this.builder.firstPrompt;
  }
}

/**
 * The sessions as `{hermesSessions: […]}`, newest first, with messages in the form in which they are sent
 * (hermes_state_common.py, schema 30).
 */
export function readHermesStore(database: Database, rows: StoreRows): unknown {
  if (
    !hasColumn(database, 'sessions', 'parent_session_id') ||
    !hasColumn(database, 'messages', 'tool_call_id')
  ) {
    return undefined;
  }
  const prompts = new Map(
    (database.tables.has('system_prompts') ? database.rows('system_prompts') : []).map(row => [
      row['hash'],
      row['prompt'],
    ]),
  );
  const messages = groupBy(
    sortedBy(database.rows('messages'), 'id').map(row =>
      rows.add({
        ...row,
        id: undefined,
        // The text on the wire, if it differs from the displayed text.
        content: row['api_content'] ?? row['content'],
        reasoning: row['reasoning_content'] ?? row['reasoning'],
        reasoning_content: undefined,
        tool_calls: jsonColumn(row, 'tool_calls'),
        name: row['tool_name'],
      }),
    ),
    row => member(row, 'session_id'),
  );
  const hermesSessions = newestFirst(database.rows('sessions'), 'started_at').map(row =>
    rows.add({
      ...row,
      model_config: jsonColumn(row, 'model_config'),
      prompt: prompts.get(row['system_prompt_hash']) ?? row['system_prompt'],
      messages: messages.get(row['id']) ?? [],
    }),
  );
  return { hermesSessions };
}
