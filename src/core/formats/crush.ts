import { arrayAt, epochAt, isArray, member, numberAt, objectAt, stringAt } from '../base/json';
import { otherBlock, resultBlocks, textBlocks, thinkingBlock, toolCallBlock } from '../content/blockFactory';
import { compactionSummary } from '../content/classification';
import { parseDataUrl, readImageInfo } from '../content/imageInfo';
import { type Locate, type Place, below, sourceOf, textOf } from '../content/place';
import type { NewBlock, TranscriptBuilder } from '../content/transcriptBuilder';
import { type StoreRows, jsonColumn } from '../reading/decoders/storeRows';
import type { Database, DocumentFormat, SourceRecord } from '../reading/format';
import { addSubagent } from './common/notes';
import { Thread } from './common/thread';

/** Crush's database of a project, all its sessions. */
export const crush: DocumentFormat = {
  kind: 'document',
  id: 'crush',
  name: 'Crush database',
  matches: document => isArray(member(document, 'crushSessions')),
  read(record, locate, builder) {
    builder.agentName = 'Crush';
    readSessions(record, locate, builder);
    return builder.build(crush.id);
  },
};

function readSessions(record: SourceRecord, locate: Locate, builder: TranscriptBuilder): void {
  const sessions = arrayAt(record.value, 'crushSessions');
  const roots: { readonly thread: number; readonly title: string }[] = [];
  sessions.forEach((session, thread) => {
    const id = stringAt(session, 'id') ?? '';
    const title = stringAt(session, 'title') ?? id;
    new SessionReader(builder, thread).read(session, {
      record: record.range,
      locate,
      path: ['crushSessions', thread],
    });
    if (stringAt(session, 'parent_session_id') === undefined) {
      roots.push({ thread, title });
    } else {
      // A subagent's session is named `MESSAGE$$CALL` after the call that started it.
      addSubagent(builder, { id, thread, callId: id.split('$$')[1], description: title });
    }
    if (thread === 0) {
      builder.title = title;
      builder.sessionId = id;
    }
  });
  if (roots.length > 1) {
    builder.conversations.push(...roots);
  }
}

class SessionReader {
  private readonly thread: Thread;

  constructor(
    private readonly builder: TranscriptBuilder,
    thread: number,
  ) {
    this.thread = new Thread(builder, thread);
  }

  read(session: unknown, place: Place): void {
    const summary = stringAt(session, 'summary_message_id');
    arrayAt(session, 'messages').forEach((message, index) => {
      const isSummary =
        (summary !== undefined && summary !== '' && stringAt(message, 'id') === summary) ||
        numberAt(message, 'is_summary_message') === 1;
      this.readMessage(message, below(place, 'messages', index), isSummary);
    });
  }

  private readMessage(message: unknown, place: Place, isSummary: boolean): void {
    const recorded = stringAt(message, 'role');
    const role = recorded === 'assistant' || recorded === 'tool' ? recorded : 'user';
    const blocks: NewBlock[] = [];
    arrayAt(message, 'parts').forEach((part, index) => {
      blocks.push(...this.partBlocks(part, below(place, 'parts', index), role, isSummary));
    });
    const info = {
      role,
      blocks,
      id: stringAt(message, 'id'),
      timestamp: epochAt(message, 'created_at'),
      summary: isSummary ? true : undefined,
    } as const;
    const source = sourceOf(place);
    if (role !== 'assistant') {
      this.thread.add(info);
      return;
    }
    if (blocks.length === 0) {
      this.builder.leaveOut('a call that came to nothing', source);
      return;
    }
    this.thread.addReply(info, {
      id: info.id,
      timestamp: info.timestamp,
      line: source.line,
      model: stringAt(message, 'model'),
    });
    if (isSummary) {
      this.thread.replace(this.thread.items.slice(-1));
      this.thread.noteCompaction({ line: source.line });
    }
  }

  private partBlocks(
    part: unknown,
    place: Place,
    role: 'user' | 'assistant' | 'tool',
    isSummary: boolean,
  ): NewBlock[] {
    const data = objectAt(part, 'data');
    const at = below(place, 'data');
    const type = stringAt(part, 'type');
    switch (type) {
      case 'text': {
        const found = textOf(stringAt(data, 'text') ?? '', below(at, 'text'));
        return textBlocks(found, place, role, isSummary ? compactionSummary : undefined);
      }
      case 'reasoning':
        return [thinkingBlock(textOf(stringAt(data, 'thinking') ?? '', below(at, 'thinking')), place)];
      case 'tool_call':
        return [
          toolCallBlock(
            {
              toolName: stringAt(data, 'name') ?? 'unknown',
              callId: stringAt(data, 'id'),
              input: member(data, 'input'),
              place: below(at, 'input'),
            },
            this.thread.calls,
          ),
        ];
      case 'tool_result':
        return this.resultBlocks(data, at);
      case 'image_url':
      case 'binary':
        return [mediaBlock(data, at, role) ?? otherBlock(part, place, role)];
      case 'finish':
        this.builder.leaveOut('finish part', sourceOf(place));
        return [];
      case undefined:
      default:
        return [otherBlock(part, place, role)];
    }
  }

  private resultBlocks(data: unknown, place: Place): NewBlock[] {
    const callId = stringAt(data, 'tool_call_id');
    const call = callId === undefined ? undefined : this.thread.calls.get(callId);
    const isError = member(data, 'is_error') === true;
    if ((stringAt(data, 'metadata') ?? '') !== '') {
      this.builder.leaveOut("a tool's metadata for the interface", sourceOf(place));
    }
    return resultBlocks(stringAt(data, 'content') ?? '', below(place, 'content'), { callId, call, isError });
  }
}

/** An image: an address, or a file's bytes as base64 (Crush, message/content.go). */
function mediaBlock(data: unknown, place: Place, role: 'user' | 'assistant' | 'tool'): NewBlock | undefined {
  const key = ['Data', 'data', 'url', 'URL'].find(name => stringAt(data, name) !== undefined);
  const value = key === undefined ? undefined : stringAt(data, key);
  if (key === undefined || value === undefined) {
    return undefined;
  }
  const dataUrl = parseDataUrl(value);
  const mediaType = dataUrl?.mediaType ?? stringAt(data, 'MIMEType') ?? stringAt(data, 'mime_type');
  const start = dataUrl?.start ?? 0;
  const content = value.slice(start);
  const size = readImageInfo(content);
  return {
    role,
    contentType: 'image',
    kind: 'image',
    partition: 'history',
    provenance: role === 'tool' ? 'tool' : 'user',
    label: size === undefined ? (mediaType ?? 'media') : `image ${size.width} × ${size.height}`,
    image: { ...size, ...(mediaType === undefined ? {} : { mediaType }) },
    source: sourceOf(place),
    content,
    text: {
      kind: 'string',
      record: place.record,
      path: [...place.path, key],
      ...(start === 0 ? {} : { start, end: value.length }),
    },
  };
}

/**
 * Crush's database, `.crush/crush.db` in a project, as `{crushSessions: […]}`, the newest session first, each with its
 * messages.
 */
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
