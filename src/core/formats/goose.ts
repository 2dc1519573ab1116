import { arrayAt, epochAt, isArray, isObject, member, numberAt, objectAt, stringAt } from '../base/json';
import {
  otherBlock,
  textBlocks,
  thinkingBlock,
  toolCallBlock,
  toolResultBlock,
} from '../content/blockFactory';
import { type TextClass, compactionSummary } from '../content/classification';
import { contentBlocks } from '../content/dialects/generic';
import { type Place, below, joinTexts, literalText, noText, sourceOf, textOf } from '../content/place';
import type { NewBlock, TranscriptBuilder } from '../content/transcriptBuilder';
import { type StoreRows, jsonColumn } from '../reading/decoders/storeRows';
import type { Database, DocumentFormat, LineFormat, SourceRecord } from '../reading/format';
import { Thread } from './common/thread';

/** Goose's database, or what `goose session export --format json` writes. */
export const goose: DocumentFormat = {
  kind: 'document',
  id: 'goose',
  name: 'Goose session',
  matches: document =>
    isArray(member(document, 'gooseSessions')) ||
    (stringAt(document, 'working_dir') !== undefined && isArray(member(document, 'conversation'))),
  read(record, locate, builder) {
    builder.agentName = 'Goose';
    const isStore = isArray(member(record.value, 'gooseSessions'));
    const sessions = isStore ? arrayAt(record.value, 'gooseSessions') : [record.value];
    sessions.forEach((session, thread) => {
      const path = isStore ? ['gooseSessions', thread] : [];
      const reader = new SessionReader(builder, thread);
      reader.readHead(session);
      const conversation = arrayAt(session, 'conversation');
      const messages = conversation.map((message, index) => ({
        message,
        place: { record: record.range, locate, path: [...path, 'conversation', index] },
      }));
      reader.readMessages(messages);
      if (sessions.length > 1) {
        const title =
          stringAt(session, 'name') ?? stringAt(session, 'description') ?? stringAt(session, 'id');
        builder.conversations.push({ thread, title: title ?? '' });
      }
    });
    return builder.build(goose.id);
  },
};

/** Goose's older session files: a line about the session, then one line per message. */
export const gooseLines: LineFormat = {
  kind: 'lines',
  id: 'goose-lines',
  name: 'Goose session file',
  matches: records => stringAt(records[0], 'working_dir') !== undefined && records.slice(1).some(isMessage),
  open(builder) {
    builder.agentName = 'Goose';
    const reader = new SessionReader(builder, 0);
    const messages: { readonly message: unknown; readonly place: Place }[] = [];
    return {
      push: ({ value, range }: SourceRecord) => {
        if (isMessage(value)) {
          messages.push({ message: value, place: { record: range, locate: () => range, path: [] } });
        } else if (stringAt(value, 'working_dir') === undefined) {
          builder.addProblem('unknownRecord', range.line);
          builder.leaveOut('a line of no known kind', range);
        } else {
          reader.readHead(value);
          builder.leaveOut('session record', range);
        }
      },
      finish: () => {
        reader.readMessages(messages);
        return builder.build(gooseLines.id);
      },
    };
  },
};

function isMessage(value: unknown): boolean {
  return numberAt(value, 'created') !== undefined && isArray(member(value, 'content'));
}

interface PlacedMessage {
  readonly message: unknown;
  readonly place: Place;
}

class SessionReader {
  private readonly thread: Thread;

  constructor(
    private readonly builder: TranscriptBuilder,
    thread: number,
  ) {
    this.thread = new Thread(builder, thread);
  }

  readHead(session: unknown): void {
    if (this.thread.thread > 0) {
      return;
    }
    this.builder.title ??= stringAt(session, 'name') ?? stringAt(session, 'description');
    this.builder.sessionId ??= stringAt(session, 'id');
    this.builder.workingDirectory ??= stringAt(session, 'working_dir');
  }

  readMessages(messages: readonly PlacedMessage[]): void {
    const lastSummary = messages.findLastIndex(({ message }) => isForModelOnly(message));
    messages.forEach(({ message, place }, index) => {
      const isHidden = member(objectAt(message, 'metadata'), 'agentVisible') === false;
      if (isHidden && (index > lastSummary || !arrayAt(message, 'content').some(isForModel))) {
        this.builder.leaveOut('a message that only the person sees', sourceOf(place));
        return;
      }
      // What a compaction replaced is now marked as hidden; until the compaction, the model saw it.
      const isSummary = isForModelOnly(message) && this.thread.items.some(({ id }) => id === replaced);
      this.readMessage(message, place, isHidden, isSummary);
    });
    this.builder.title ??= this.builder.firstPrompt;
  }

  private readMessage(message: unknown, place: Place, isHidden: boolean, isSummary: boolean): void {
    // Messages that Goose writes in the model's name after a compaction are for the model only, and are not replies.
    const role = stringAt(message, 'role') === 'assistant' ? 'assistant' : 'user';
    const isReply = role === 'assistant' && !isForModelOnly(message);
    const textClass = isSummary ? compactionSummary : isForModelOnly(message) ? injected : undefined;
    const blocks: NewBlock[] = [];
    arrayAt(message, 'content').forEach((part, index) => {
      blocks.push(...this.partBlocks(part, below(place, 'content', index), role, textClass));
    });
    const { line } = sourceOf(place);
    const hasResult = blocks.some(({ role }) => role === 'tool');
    const info = {
      role: hasResult ? 'tool' : role,
      blocks,
      id: isHidden ? replaced : stringAt(message, 'id'),
      timestamp: epochAt(message, 'created'),
      summary: isSummary ? true : undefined,
    } as const;
    if (isSummary) {
      this.thread.replace(this.thread.items.filter(({ id }) => id !== replaced));
      this.thread.noteCompaction({ line });
    }
    if (blocks.length === 0) {
      return;
    }
    if (isReply) {
      this.thread.addReply(info, { id: info.id, timestamp: info.timestamp, line });
    } else {
      this.thread.add(info);
    }
  }

  private partBlocks(
    part: unknown,
    place: Place,
    role: 'user' | 'assistant',
    textClass: TextClass | undefined,
  ): readonly NewBlock[] {
    switch (stringAt(part, 'type')) {
      case 'text':
        return textBlocks(textOf(stringAt(part, 'text') ?? '', below(place, 'text')), place, role, textClass);
      case 'thinking':
        return [thinkingBlock(textOf(stringAt(part, 'thinking') ?? '', below(place, 'thinking')), place)];
      case 'redactedThinking':
        return [thinkingBlock(noText, place)];
      case 'toolRequest':
      case 'frontendToolRequest':
        return [this.callBlock(part, place)];
      case 'toolResponse':
        return this.resultBlocks(part, place);
      case 'image':
        return contentBlocks(
          [part],
          { ...place, path: place.path.slice(0, -1) },
          role,
          this.thread.calls,
        ).map(block => ({ ...block, source: sourceOf(place) }));
      case 'toolConfirmationRequest':
      case 'systemNotification':
      case 'conversationCompacted':
      case 'contextLengthExceeded':
      case 'summarizationRequested':
      case 'actionRequired':
        this.builder.leaveOut('a notice for the person', sourceOf(place));
        return [];
      case undefined:
      default:
        return [otherBlock(part, place, role)];
    }
  }

  private callBlock(part: unknown, place: Place): NewBlock {
    const call = objectAt(part, 'toolCall');
    const value = objectAt(call, 'value');
    const at = below(place, 'toolCall', 'value');
    return toolCallBlock(
      {
        toolName: stringAt(value, 'name') ?? 'unknown',
        callId: stringAt(part, 'id'),
        input: value === undefined ? member(call, 'error') : member(value, 'arguments'),
        place: value === undefined ? below(place, 'toolCall', 'error') : below(at, 'arguments'),
      },
      this.thread.calls,
    );
  }

  private resultBlocks(part: unknown, place: Place): readonly NewBlock[] {
    const callId = stringAt(part, 'id');
    const call = callId === undefined ? undefined : this.thread.calls.get(callId);
    const result = objectAt(part, 'toolResult');
    const at = below(place, 'toolResult');
    const isError =
      stringAt(result, 'status') === 'error' || member(objectAt(result, 'value'), 'isError') === true;
    const owner = { callId, call, isError };
    const value = member(result, 'value');
    const [content, contentAt] = isArray(value)
      ? [value, below(at, 'value')]
      : [member(value, 'content'), below(at, 'value', 'content')];
    if (!isArray(content)) {
      const found =
        value === undefined
          ? textOf(member(result, 'error'), below(at, 'error'))
          : textOf(value, below(at, 'value'));
      return [toolResultBlock(found, place, owner)];
    }
    const texts = content.flatMap((item, index) => {
      const text = stringAt(item, 'text');
      if (text === undefined || isForModelAudience(item)) {
        return text === undefined ? [] : [textOf(text, below(contentAt, index, 'text'))];
      }
      this.builder.leaveOut('a result for the person alone', sourceOf(place));
      return [];
    });
    const media = content.flatMap((item, index) =>
      stringAt(item, 'text') === undefined && isForModelAudience(item)
        ? contentBlocks(item, below(contentAt, index), 'tool', this.thread.calls)
        : [],
    );
    const joined = joinTexts(
      texts.flatMap((text, index) => (index === 0 ? [text] : [literalText('\n'), text])),
    );
    return [toolResultBlock(texts.length === 0 ? noText : joined, place, owner), ...media];
  }
}

/** Replaces the ids of messages that a compaction replaced later. */
const replaced = 'replaced by a summary';

const injected: TextClass = { kind: 'injected', partition: 'history', provenance: 'system' };

function isForModelOnly(message: unknown): boolean {
  const metadata = objectAt(message, 'metadata');
  return member(metadata, 'userVisible') === false && member(metadata, 'agentVisible') !== false;
}

function isForModel(part: unknown): boolean {
  return ['text', 'thinking', 'toolRequest', 'toolResponse', 'image'].includes(stringAt(part, 'type') ?? '');
}

/** Results may name their audience (Model Context Protocol, annotations). */
function isForModelAudience(item: unknown): boolean {
  const audience = member(objectAt(item, 'annotations'), 'audience') ?? member(item, 'audience');
  return !isArray(audience) || audience.length === 0 || audience.includes('assistant') || !isObject(item);
}

/**
 * Goose's database, `sessions.db`, as `{gooseSessions: […]}`, each as `goose session export` writes it, newest first.
 */
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
