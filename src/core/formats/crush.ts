import { groupBy } from '../base/groupBy';
import { arrayAt, epochAt, isArray, member, numberAt, objectAt, stringAt } from '../base/json';
import { dataBlock, otherBlock, resultBlocks, textBlocksAt, thinkingBlock } from '../content/blockFactory';
import { clientRecord, compactionSummary } from '../content/classification';
import { callBlock, contentBlocks } from '../wire/generic/blocks';
import { answeredCall } from '../content/knownCalls';
import { mediaOfData } from '../content/media';
import { below, eachAt, flatMapAt, type Place, sourceOf, textAt } from '../content/place';
import type { NewBlock } from '../content/transcriptBuilder';
import { hasColumn, jsonColumn, newestFirst, sortedBy, type StoreRows } from '../reading/decoders/storeRows';
import type { Database, DocumentFormat } from '../reading/format';
import { addSubagent } from './common/notes';
import { addStored, type StoredSession } from './common/storedSessions';
import { Thread } from './common/thread';

/** Crush's database of a project, with all its sessions. */
export const crush: DocumentFormat = {
  kind: 'document',
  id: 'crush',
  name: 'Crush database',
  matches: document => isArray(member(document, 'crushSessions')),
  read({ value, range }, locate, builder) {
    builder.agentName = 'Crush';
    const stored: StoredSession[] = [];
    eachAt(value, { record: range, locate, path: [] }, 'crushSessions', (session, place, thread) => {
      const id = stringAt(session, 'id') ?? '';
      const title = stringAt(session, 'title') ?? id;
      const reader = new SessionReader(
        new Thread(builder, thread),
        stringAt(session, 'summary_message_id') ?? '',
      );
      eachAt(session, place, 'messages', (message, at) => reader.read(message, at));
      const parent = stringAt(session, 'parent_session_id');
      stored.push({ id, title, parent });
      if (parent !== undefined) {
        // A subagent's session is named `MESSAGE$$CALL` after the call that started it.
        addSubagent(builder, { id, thread, callId: id.split('$$')[1], description: title });
      }
      if (thread === 0) {
        builder.title = title;
        builder.sessionId = id;
      }
    });
    addStored(builder, stored);
  },
};

class SessionReader {
  constructor(
    private readonly thread: Thread,
    /** The id of the session's last summary; empty if it has none. */
    private readonly summary: string,
  ) {}

  read(message: unknown, place: Place): void {
    const recorded = stringAt(message, 'role');
    const role = recorded === 'assistant' || recorded === 'tool' ? recorded : 'user';
    const id = stringAt(message, 'id');
    const isSummary =
      (this.summary !== '' && id === this.summary) || numberAt(message, 'is_summary_message') === 1;
    const blocks = flatMapAt(message, place, 'parts', (part, at) =>
      this.partBlocks(part, at, role, isSummary),
    );
    const source = sourceOf(place);
    if (role === 'assistant' && blocks.length === 0) {
      this.thread.builder.leaveOut('a model call without a reply', source);
      return;
    }
    const timestamp = epochAt(message, 'created_at');
    this.thread.addRecorded(
      { role, blocks, id, timestamp, summary: isSummary ? true : undefined },
      { line: source.line, model: stringAt(message, 'model') },
    );
    if (role === 'assistant' && isSummary) {
      this.thread.replace(this.thread.items.slice(-1));
      this.thread.noteCompaction({ line: source.line });
    }
  }

  private partBlocks(
    part: unknown,
    place: Place,
    role: 'user' | 'assistant' | 'tool',
    isSummary: boolean,
  ): readonly NewBlock[] {
    const data = objectAt(part, 'data');
    const at = below(place, 'data');
    const { calls } = this.thread;
    switch (stringAt(part, 'type') ?? '') {
      case 'text':
        return contentBlocks(data, at, role, calls, isSummary ? compactionSummary : undefined);
      case 'shell_command':
        // Sent as `$ command`, its output and the exit code (Crush, message/content.go, 2026-08).
        return [
          ...textBlocksAt(data, at, 'command', role, clientRecord),
          ...textBlocksAt(data, at, 'output', role, clientRecord),
        ];
      case 'reasoning':
        return [thinkingBlock(textAt(data, at, 'thinking'), place)];
      case 'tool_call':
        return [callBlock(data, at, calls)];
      case 'tool_result': {
        const callId = stringAt(data, 'tool_call_id');
        const call = answeredCall(calls, callId, stringAt(data, 'name'));
        if ((stringAt(data, 'metadata') ?? '') !== '') {
          this.thread.builder.leaveOut("a tool's metadata for the interface", sourceOf(place));
        }
        const isError = member(data, 'is_error') === true;
        return resultBlocks(stringAt(data, 'content') ?? '', below(at, 'content'), { callId, call, isError });
      }
      case 'image_url':
      case 'binary': {
        // An address, or a file's bytes as base64 (Crush, message/content.go).
        const key = ['Data', 'data', 'url', 'URL'].find(name => stringAt(data, name) !== undefined);
        const mediaType = stringAt(data, 'MIMEType') ?? stringAt(data, 'mime_type');
        const isImage = mediaType === undefined;
        return key === undefined
          ? [otherBlock(part, place, role)]
          : [dataBlock(mediaOfData(textAt(data, at, key), { mediaType, isImage }), at, role)];
      }
      case 'finish':
        this.thread.builder.leaveOut('finish part', sourceOf(place));
        return [];
      default:
        return [otherBlock(part, place, role)];
    }
  }
}

/**
 * Crush's database, `.crush/crush.db` in a project, as `{crushSessions: […]}`, the newest session first, each with its
 * messages.
 */
export function readCrushStore(database: Database, rows: StoreRows): unknown {
  if (!database.tables.has('sessions') || !hasColumn(database, 'messages', 'parts')) {
    return undefined;
  }
  const messages = groupBy(
    sortedBy(database.rows('messages'), 'created_at').map(row =>
      rows.add({ ...row, parts: arrayAt({ parts: jsonColumn(row, 'parts') }, 'parts') }),
    ),
    row => stringAt(row, 'session_id'),
  );
  const isChild = (row: unknown): boolean => stringAt(row, 'parent_session_id') !== undefined;
  const sessions = newestFirst(database.rows('sessions'), 'created_at').map(row =>
    rows.add({ ...row, messages: messages.get(stringAt(row, 'id')) ?? [] }),
  );
  const crushSessions = [...sessions.filter(row => !isChild(row)), ...sessions.filter(isChild)];
  return { crushSessions };
}
