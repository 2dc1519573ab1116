import { isArray, member, numberAt, objectAt, stringAt, timeAt } from '../base/json';
import { textBlock } from '../content/blockFactory';
import { compactionSummary } from '../content/classification';
import { anthropicBlocks } from '../wire/anthropic/blocks';
import { textAt } from '../content/place';
import type { TranscriptBuilder } from '../content/transcriptBuilder';
import type { SourceRange } from '../model/block';
import type { LineFormat, SourceRecord } from '../reading/format';
import { mostAre } from './common/mostAre';
import { Thread } from './common/thread';
import { isPiRecord } from './pi/pi';

/** Factory Droid's sessions, `~/.factory/sessions/<folder>/<id>.jsonl`. Tokens are in a settings file next to them. */
export const droid: LineFormat = {
  kind: 'lines',
  id: 'droid',
  name: 'Factory Droid',
  matches: records =>
    (records.some(
      record => stringAt(record, 'type') === 'session_start' && stringAt(record, 'cwd') !== undefined,
    ) ||
      (mostAre(records, isMessage) && !records.some(isPiRecord))) &&
    // Other agents begin a file with such a record too, but put a message's members into the record itself.
    !records.some(record => stringAt(record, 'type') === 'message' && stringAt(record, 'role') !== undefined),
  open: builder => new DroidReader(builder),
};

/** A message as it is in the middle of a session. */
function isMessage(record: unknown): boolean {
  const message = objectAt(record, 'message');
  return (
    stringAt(record, 'type') === 'message' &&
    stringAt(record, 'id') !== undefined &&
    stringAt(record, 'timestamp') !== undefined &&
    isArray(member(message, 'content')) &&
    member(message, 'timestamp') === undefined
  );
}

class DroidReader {
  private readonly thread: Thread;
  private givenTitle: string | undefined;

  constructor(private readonly builder: TranscriptBuilder) {
    builder.agentName = 'Factory Droid';
    this.thread = new Thread(builder);
  }

  push({ value, range }: SourceRecord): void {
    const type = stringAt(value, 'type');
    switch (type ?? '') {
      case 'message':
        this.readMessage(value, range);
        return;
      case 'compaction_state':
      case 'compaction':
        this.compact(value, range);
        return;
      case 'session_start':
        this.readHeader(value);
        break;
      default:
    }
    this.builder.leaveRecordOut(type, range);
  }

  end(): void {
    this.builder.title = this.givenTitle ?? this.builder.firstPrompt;
  }

  private readHeader(value: unknown): void {
    this.builder.sessionId ??= stringAt(value, 'id');
    this.builder.workingDirectory ??= stringAt(value, 'cwd');
    const title = stringAt(value, 'sessionTitle') ?? stringAt(value, 'title');
    this.givenTitle ??= title === 'New Session' ? stringAt(value, 'title') : title;
    const version = numberAt(value, 'version');
    this.builder.addVersion(version === undefined ? undefined : `session format ${version}`);
  }

  private readMessage(value: unknown, range: SourceRange): void {
    const source = objectAt(value, 'message');
    const visibility = stringAt(source, 'visibility') ?? stringAt(value, 'visibility') ?? '';
    if (/^(user|ui)/.test(visibility)) {
      this.builder.leaveOut('a message that is shown but not sent', range);
      return;
    }
    const isReply = stringAt(source, 'role') === 'assistant';
    const timestamp = timeAt(value, 'timestamp');
    const blocks = anthropicBlocks(
      member(source, 'content'),
      { record: range, path: ['message', 'content'] },
      isReply ? 'assistant' : 'user',
      this.thread.calls,
    );
    if (blocks.length === 0) {
      this.builder.leaveOut('a message without content', range);
    }
    const isResult = blocks.some(({ kind }) => kind === 'toolResult');
    const role = isResult ? 'tool' : isReply ? 'assistant' : 'user';
    const message = { role, blocks, id: stringAt(value, 'id'), timestamp } as const;
    if (isReply) {
      this.thread.addReply(message, { line: range.line, model: stringAt(source, 'model'), timestamp });
    } else {
      this.thread.add(message);
    }
  }

  /** Replaces everything up to the anchor with the summary. */
  private compact(value: unknown, range: SourceRange): void {
    const { items } = this.thread;
    const anchor = stringAt(objectAt(value, 'anchorMessage'), 'id');
    const removed = numberAt(value, 'removedCount');
    const at = anchor === undefined ? -1 : items.findIndex(({ id }) => id === anchor);
    const kept = at >= 0 ? items.slice(at + 1) : removed === undefined ? [] : items.slice(removed);
    const key = stringAt(value, 'summaryText') === undefined ? 'summary' : 'summaryText';
    const place = { record: range, path: [] };
    const found = textAt(value, place, key);
    if (found.content === '') {
      this.builder.leaveOut('a compaction without a summary', range);
    }
    const blocks = found.content === '' ? [] : [textBlock(found, place, 'user', compactionSummary)];
    this.thread.compactTo({ role: 'user', id: stringAt(value, 'id'), blocks }, range.line, kept);
  }
}
