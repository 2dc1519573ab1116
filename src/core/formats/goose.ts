import { groupBy } from '../base/groupBy';
import { arrayAt, epochAt, isArray, isObject, member, numberAt, objectAt, stringAt } from '../base/json';
import {
  mediaBlock,
  otherBlock,
  roleOfMessage,
  thinkingBlock,
  toolCallBlock,
  toolResultBlock,
} from '../content/blockFactory';
import { clientText, compactionSummary, type TextClass } from '../content/classification';
import { contentBlocks } from '../wire/generic/blocks';
import { answeredCall } from '../content/knownCalls';
import { below, flatMapAt, lines, noTextAt, type Place, sourceOf, textAt, textOf } from '../content/place';
import type { NewBlock, TranscriptBuilder } from '../content/transcriptBuilder';
import { hasColumn, jsonColumn, newestFirst, sortedBy, type StoreRows } from '../reading/decoders/storeRows';
import type { Database, DocumentFormat, LineFormat, SourceRecord } from '../reading/format';
import { mostAre } from './common/mostAre';
import { addStored, type StoredSession } from './common/storedSessions';
import { Thread } from './common/thread';

/** Goose's database, or the output of `goose session export --format json`. */
export const goose: DocumentFormat = {
  kind: 'document',
  id: 'goose',
  name: 'Goose session',
  matches: document =>
    isArray(member(document, 'gooseSessions')) ||
    (stringAt(document, 'working_dir') !== undefined && isArray(member(document, 'conversation'))),
  read({ value, range }, locate, builder) {
    builder.agentName = 'Goose';
    const root = { record: range, locate, path: [] };
    const sessions = isArray(member(value, 'gooseSessions'))
      ? flatMapAt(value, root, 'gooseSessions', placed)
      : [placed(value, root)];
    const stored: StoredSession[] = [];
    sessions.forEach(({ value: session, place }, thread) => {
      const reader = new SessionReader(new Thread(builder, thread));
      if (thread === 0) {
        readHead(session, builder);
      }
      reader.readMessages(flatMapAt(session, place, 'conversation', placed));
      const id = stringAt(session, 'id') ?? '';
      const title = stringAt(session, 'name') ?? stringAt(session, 'description') ?? id;
      stored.push({ id, title, workingDirectory: stringAt(session, 'working_dir') });
    });
    addStored(builder, stored);
  },
};

/** Goose's older session files: a line about the session, then one line per message. */
export const gooseLines: LineFormat = {
  kind: 'lines',
  id: 'goose-lines',
  name: 'Goose session file',
  matches: records =>
    records.some(isMessage) &&
    (records.some(record => stringAt(record, 'working_dir') !== undefined) || mostAre(records, isMessage)),
  open(builder) {
    builder.agentName = 'Goose';
    const reader = new SessionReader(new Thread(builder));
    const messages: Placed[] = [];
    return {
      push: ({ value, range }: SourceRecord) => {
        if (isMessage(value)) {
          messages.push({ value, place: { record: range, path: [] } });
        } else if (stringAt(value, 'working_dir') === undefined) {
          builder.leaveOutUnknown(range, 'a record of an unknown kind');
        } else {
          readHead(value, builder);
          builder.leaveOut('session record', range);
        }
      },
      end: () => reader.readMessages(messages),
      resume: () => false,
    };
  },
};

function isMessage(value: unknown): boolean {
  return numberAt(value, 'created') !== undefined && isArray(member(value, 'content'));
}

function readHead(session: unknown, builder: TranscriptBuilder): void {
  builder.title ??= stringAt(session, 'name') ?? stringAt(session, 'description');
  builder.sessionId ??= stringAt(session, 'id');
  builder.workingDirectory ??= stringAt(session, 'working_dir');
}

interface Placed {
  readonly value: unknown;
  readonly place: Place;
}

function placed(value: unknown, place: Place): Placed {
  return { value, place };
}

class SessionReader {
  constructor(private readonly thread: Thread) {}

  readMessages(messages: readonly Placed[]): void {
    const lastSummary = messages.findLastIndex(({ value }) => isForModelOnly(value));
    messages.forEach(({ value: message, place }, index) => {
      const isHidden = member(objectAt(message, 'metadata'), 'agentVisible') === false;
      if (isHidden && (index > lastSummary || !arrayAt(message, 'content').some(isForModel))) {
        this.thread.builder.leaveOut('a message for the user only', sourceOf(place));
        return;
      }
      // A compaction marks the messages that it replaces as hidden. The model saw them until then.
      const isSummary = isForModelOnly(message) && this.thread.items.some(({ id }) => id === replaced);
      this.readMessage(message, place, isHidden, isSummary);
    });
    this.thread.builder.title ??= this.thread.builder.firstPrompt;
  }

  private readMessage(message: unknown, place: Place, isHidden: boolean, isSummary: boolean): void {
    const role = stringAt(message, 'role') === 'assistant' ? 'assistant' : 'user';
    const textClass = isSummary ? compactionSummary : isForModelOnly(message) ? clientText : undefined;
    const blocks = flatMapAt(message, place, 'content', (part, at) =>
      this.partBlocks(part, at, role, textClass),
    );
    const { line } = sourceOf(place);
    const info = {
      role: roleOfMessage(role, blocks),
      blocks,
      id: isHidden ? replaced : stringAt(message, 'id'),
      timestamp: epochAt(message, 'created'),
      summary: isSummary ? true : undefined,
    };
    if (isSummary) {
      this.thread.replace(this.thread.items.filter(({ id }) => id !== replaced));
      this.thread.noteCompaction({ line });
    }
    if (blocks.length === 0) {
      return;
    }
    // After a compaction Goose writes messages in the model's name, for the model only: these are no replies.
    if (isForModelOnly(message)) {
      this.thread.add(info);
    } else {
      this.thread.addRecorded(info, { line });
    }
  }

  private partBlocks(
    part: unknown,
    place: Place,
    role: 'user' | 'assistant',
    textClass: TextClass | undefined,
  ): readonly NewBlock[] {
    switch (stringAt(part, 'type') ?? '') {
      case 'redactedThinking':
        return [thinkingBlock(noTextAt(below(place, 'data')), place, 'thinking, encrypted')];
      case 'toolRequest':
      case 'frontendToolRequest':
        return [this.callBlock(part, place)];
      case 'toolResponse':
        return this.resultBlocks(part, place);
      case 'toolConfirmationRequest':
      case 'systemNotification':
      case 'conversationCompacted':
      case 'contextLengthExceeded':
      case 'summarizationRequested':
      case 'actionRequired':
        this.thread.builder.leaveOut('a notice to the user', sourceOf(place));
        return [];
      default:
        return contentBlocks(part, place, role, this.thread.calls, textClass);
    }
  }

  private callBlock(part: unknown, place: Place): NewBlock {
    const call = objectAt(part, 'toolCall');
    const value = objectAt(call, 'value');
    const at = below(place, 'toolCall');
    return toolCallBlock(
      {
        toolName: stringAt(value, 'name') ?? 'unknown',
        callId: stringAt(part, 'id'),
        input: value === undefined ? member(call, 'error') : member(value, 'arguments'),
        place: value === undefined ? below(at, 'error') : below(at, 'value', 'arguments'),
        callPlace: place,
      },
      this.thread.calls,
    );
  }

  private resultBlocks(part: unknown, place: Place): readonly NewBlock[] {
    const callId = stringAt(part, 'id');
    const outcome = objectAt(part, 'toolResult');
    const at = below(place, 'toolResult');
    const value = member(outcome, 'value');
    const isError = stringAt(outcome, 'status') === 'error' || member(value, 'isError') === true;
    const result = { callId, call: answeredCall(this.thread.calls, callId), isError };
    const [holder, holderPlace, key] = isArray(value)
      ? [outcome, at, 'value']
      : [value, below(at, 'value'), 'content'];
    if (!isArray(member(holder, key))) {
      const found =
        value === undefined
          ? textOf(member(outcome, 'error'), below(at, 'error'))
          : textOf(value, below(at, 'value'));
      return [toolResultBlock(found, place, result)];
    }
    const sent = flatMapAt(holder, holderPlace, key, (item, itemPlace) => {
      if (isForModelAudience(item)) {
        return placed(item, itemPlace);
      }
      this.thread.builder.leaveOut('a result for the user only', sourceOf(place));
      return [];
    });
    const texts = sent.filter(item => stringAt(item.value, 'text') !== undefined);
    const media = sent.flatMap(item =>
      stringAt(item.value, 'text') === undefined
        ? (mediaBlock(item.value, item.place, 'tool', result) ?? otherBlock(item.value, item.place, 'tool'))
        : [],
    );
    const found = lines(texts.map(item => textAt(item.value, item.place, 'text')));
    return found.content === '' && media.length > 0
      ? media
      : [toolResultBlock(found, place, result), ...media];
  }
}

/** Replaces the ids of messages that a later compaction replaces. */
const replaced = 'replaced by a summary';

function isForModelOnly(message: unknown): boolean {
  const metadata = objectAt(message, 'metadata');
  return member(metadata, 'userVisible') === false && member(metadata, 'agentVisible') !== false;
}

function isForModel(part: unknown): boolean {
  return ['text', 'thinking', 'toolRequest', 'toolResponse', 'image'].includes(stringAt(part, 'type') ?? '');
}

/** A part of a result may name its audience (Model Context Protocol, annotations). */
function isForModelAudience(item: unknown): boolean {
  const audience = member(objectAt(item, 'annotations'), 'audience') ?? member(item, 'audience');
  return !isArray(audience) || audience.length === 0 || audience.includes('assistant') || !isObject(item);
}

/**
 * Goose's database, `sessions.db`, as `{gooseSessions: […]}`, each as `goose session export` writes it, newest first.
 */
export function readGooseStore(database: Database, rows: StoreRows): unknown {
  if (!database.tables.has('sessions') || !hasColumn(database, 'messages', 'content_json')) {
    return undefined;
  }
  const messages = groupBy(
    sortedBy(database.rows('messages'), 'created_timestamp', 'id').map(row => ({
      session: row['session_id'],
      message: rows.add({
        id: row['message_id'],
        role: row['role'],
        created: row['created_timestamp'],
        content: jsonColumn(row, 'content_json'),
        metadata: jsonColumn(row, 'metadata_json'),
      }),
    })),
    ({ session }) => session,
  );
  const gooseSessions = newestFirst(database.rows('sessions'), 'created_at').map(row => {
    const conversation = messages.get(row['id'])?.map(({ message }) => message) ?? [];
    return rows.add({ ...row, conversation });
  });
  return { gooseSessions };
}
