import type { SourceRange } from '../../model/block';
import {
  countAt,
  isArray,
  isObject,
  member,
  objectAt,
  stringAt,
  timeAt,
  type ValuePath,
} from '../../base/json';
import { CodexHistory } from './codexHistory';
import { CodexItems, type CodexItem } from './codexItems';
import { CodexRequests } from './codexRequests';
import { CopiedHistory } from './codexThreads';
import type { LineFormatReader, SourceRecord } from '../../reading/format';
import { isModelItem } from '../../content/dialects/responses';
import type { TranscriptBuilder } from '../../content/transcriptBuilder';
import { listUnpairedResults } from '../common/unpairedResults';

/** Until about September 2025 a line was the bare item, after a header and between states. */
export function isBareState(record: unknown): boolean {
  return stringAt(record, 'record_type') === 'state';
}

export function isBareHeader(record: unknown): boolean {
  return (
    isObject(record) &&
    Object.hasOwn(record, 'instructions') &&
    member(record, 'type') === undefined &&
    stringAt(record, 'id') !== undefined &&
    stringAt(record, 'timestamp') !== undefined
  );
}

const inPayload: ValuePath = ['payload'];

/** Reads what was said from response items alone: the events say it again for the interface. */
export class CodexReader implements LineFormatReader {
  private readonly copied = new CopiedHistory();
  private readonly items: CodexItems;
  private readonly history: CodexHistory;
  private readonly requests: CodexRequests;
  /** Why records of a type are left out, by the type. */
  private readonly reasons = new Map<string, string>();

  constructor(private readonly builder: TranscriptBuilder) {
    builder.agentName = 'Codex';
    this.items = new CodexItems(builder);
    this.history = new CodexHistory(builder);
    this.requests = new CodexRequests(builder, this.history, this.copied);
  }

  push(record: SourceRecord): void {
    const { value, range } = record;
    const payload = member(value, 'payload');
    if (!isObject(payload)) {
      this.readBare(record);
      return;
    }
    const type = stringAt(value, 'type') ?? '';
    this.copied.see(type, value);
    switch (type) {
      case 'session_meta':
        this.readHeader(payload, inPayload, range);
        break;
      case 'response_item':
        this.readItem(payload, inPayload, timeAt(value, 'timestamp'), range);
        break;
      case 'event_msg':
        this.readEvent(payload, value, range);
        break;
      case 'token_usage_record':
        this.requests.readUsageRecord(payload, value, range);
        break;
      case 'turn_context':
        this.requests.model = stringAt(payload, 'model') ?? this.requests.model;
        this.builder.workingDirectory ??= stringAt(payload, 'cwd');
        this.builder.leaveOut('turn_context record', range);
        break;
      case 'compacted':
        this.compact(payload, range);
        break;
      case '':
        this.builder.addProblem('unknownRecord', range.line);
        this.builder.leaveOut('a record without a type', range);
        break;
      default:
        // What messages say in words (world_state), and what concerns the agent alone.
        this.builder.leaveOut(`${type} record`, range);
    }
  }

  finish(): ReturnType<TranscriptBuilder['build']> {
    listUnpairedResults(this.builder);
    const { unsentHeader } = this.history;
    if (unsentHeader !== undefined) {
      this.builder.leaveOut('base instructions that a message holds as they were sent', unsentHeader);
    }
    return this.builder.build('codex');
  }

  /** What finishing adds are counts of the builder alone. */
  resume(): boolean {
    return true;
  }

  private readBare({ value, range }: SourceRecord): void {
    if (isBareHeader(value)) {
      this.readHeader(value, [], range);
    } else if (isBareState(value)) {
      this.builder.leaveOut('state record', range);
    } else if (stringAt(value, 'type') !== undefined) {
      this.readItem(value, [], undefined, range);
    } else {
      this.builder.addProblem('unknownRecord', range.line);
      this.builder.leaveOut('a record without a type', range);
    }
  }

  private readHeader(header: unknown, path: ValuePath, range: SourceRange): void {
    const version = stringAt(header, 'cli_version');
    if (version !== undefined && version !== '') {
      this.builder.versions.add(version);
    }
    if (this.builder.sessionId !== undefined) {
      this.builder.leaveOut('header of the session that this one goes on from', range);
      return;
    }
    this.builder.sessionId = stringAt(header, 'id') ?? '';
    this.builder.workingDirectory ??= stringAt(header, 'cwd');
    const base = stringAt(objectAt(header, 'base_instructions'), 'text');
    // `instructions` was AGENTS.md for a long time, which a message repeats; only some versions kept the prompt there.
    const old = stringAt(header, 'instructions') ?? '';
    if (base !== undefined && base !== '') {
      this.history.header = { record: range, path: [...path, 'base_instructions', 'text'], text: base };
    } else if (old.startsWith('You are')) {
      this.history.header = { record: range, path: [...path, 'instructions'], text: old };
    } else {
      this.builder.leaveOut('header record', range);
    }
  }

  private readItem(item: unknown, path: ValuePath, timestamp: number | undefined, range: SourceRange): void {
    if (stringAt(item, 'type') === 'ghost_snapshot') {
      this.builder.leaveOut('ghost_snapshot item', range);
      return;
    }
    const isReply = isModelItem(item);
    if (isReply) {
      this.requests.beginReply(timestamp, range);
    } else {
      this.requests.endReply();
    }
    const entry = this.items.add(item, path, timestamp, range);
    this.history.append(entry);
    if (isReply) {
      this.requests.addReply(entry.blocks);
    }
  }

  private readEvent(event: unknown, line: unknown, range: SourceRange): void {
    const type = stringAt(event, 'type') ?? '';
    switch (type) {
      case 'token_count':
        this.requests.readTokenCount(event, line, range);
        return;
      case 'thread_rolled_back':
        if (this.history.rollBack(countAt(event, 'num_turns'))) {
          this.requests.endReply();
        }
        break;
      case 'item_completed':
        this.items.addStarted(objectAt(event, 'item'));
        break;
      case 'collab_agent_spawn_end':
        this.items.addStarted(event);
        break;
      default:
    }
    this.builder.leaveOut(this.reasonOf(type, stringAt(objectAt(event, 'item'), 'type')), range);
  }

  private reasonOf(type: string, kind: string | undefined): string {
    if (kind !== undefined) {
      return `${type} ${kind} event`;
    }
    const known = this.reasons.get(type) ?? `${type} event`;
    this.reasons.set(type, known);
    return known;
  }

  /** What follows is built on the replacement; only what stands before every history is carried over. */
  private compact(payload: unknown, range: SourceRange): void {
    const message = stringAt(payload, 'message') ?? '';
    const replacement = member(payload, 'replacement_history');
    const items: CodexItem[] = isArray(replacement)
      ? replacement.map((item, index) =>
          this.items.add(item, ['payload', 'replacement_history', index], undefined, range),
        )
      : this.history.prompts();
    if (!isArray(replacement) && message !== '') {
      items.push(this.items.addSummary(message, range));
    }
    if (items.every(({ blocks }) => blocks.length === 0)) {
      this.builder.leaveOut('a compaction without content', range);
    }
    this.requests.noteCompaction(payload, range);
    this.history.compact(items);
  }
}
