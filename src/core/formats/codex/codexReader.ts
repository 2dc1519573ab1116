import { arrayAt, countAt, isArray, isObject, member, objectAt, stringAt, timeAt } from '../../base/json';
import { schemaBlock } from '../../content/blockFactory';
import { isModelItem } from '../../wire/openaiResponses/blocks';
import { below, type Place, textAt } from '../../content/place';
import type { NewBlock, TranscriptBuilder } from '../../content/transcriptBuilder';
import type { SourceRange } from '../../model/block';
import type { SourceRecord } from '../../reading/format';
import { listUnpairedResults } from '../common/unpairedResults';
import { CodexHistory } from './codexHistory';
import { CodexItems } from './codexItems';
import { bytesBefore, type ParentHistory, recordsBefore } from './codexParent';
import { CodexRequests } from './codexRequests';
import { CopiedHistory } from './codexThreads';

/**
 * Until about September 2025, a line was the bare item. A header came first, and there were states between the items.
 */
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

/** An item as the first versions wrote it, without a wrapper around it. */
export function isBareItem(record: unknown): boolean {
  switch (stringAt(record, 'type')) {
    case 'message':
      return arrayAt(record, 'content').some(part =>
        /^(?:in|out)put_text$/.test(stringAt(part, 'type') ?? ''),
      );
    case 'function_call':
      return stringAt(record, 'call_id') !== undefined && stringAt(record, 'arguments') !== undefined;
    case 'function_call_output':
      return stringAt(record, 'call_id') !== undefined && member(record, 'output') !== undefined;
    case 'reasoning':
      return isArray(member(record, 'summary'));
    case undefined:
    default:
      return false;
  }
}

const ownTools = new Set(['shell', 'container.exec', 'local_shell', 'apply_patch', 'update_plan']);

/** True for an item that only Codex writes: a call of one of its tools, or a text that it puts into the history. */
export function isOwnItem(record: unknown): boolean {
  return (
    ownTools.has(stringAt(record, 'name') ?? '') ||
    arrayAt(record, 'content').some(part =>
      /^\s*<(?:environment_context|user_instructions)>/.test(stringAt(part, 'text') ?? ''),
    )
  );
}

const payloadPath = ['payload'];

/**
 * The tools that the application around Codex declares (Codex 0.140 to 0.144: one by one, or in namespaces), without those
 * that a model has to search for first.
 */
function declaredTools(header: unknown, place: Place): readonly NewBlock[] {
  return arrayAt(header, 'dynamic_tools').flatMap((tool, index) => {
    const at = below(place, 'dynamic_tools', index);
    const inner = member(tool, 'tools');
    return (
      isArray(inner)
        ? inner.map((each, number) => ({ each, where: below(at, 'tools', number) }))
        : [{ each: tool, where: at }]
    )
      .filter(({ each }) => member(each, 'deferLoading') !== true)
      .map(({ each, where }) => schemaBlock(each, where));
  });
}

/** Reads the conversation from response items alone: the events repeat it for the interface. */
export class CodexReader {
  private readonly copied = new CopiedHistory();
  private readonly items: CodexItems;
  private readonly history: CodexHistory;
  private readonly requests: CodexRequests;
  /** The reasons why events are left out, by type of event. */
  private readonly reasons = new Map<string, string>();

  /** @param parents the history in other files that this session continues as a fork */
  constructor(
    private readonly builder: TranscriptBuilder,
    private readonly parents?: ParentHistory,
  ) {
    builder.agentName = 'Codex';
    this.items = new CodexItems(builder);
    this.history = new CodexHistory(builder);
    this.requests = new CodexRequests(builder, this.history, this.items);
  }

  push(record: SourceRecord): void {
    const { value, range } = record;
    const payload = member(value, 'payload');
    if (!isObject(payload)) {
      this.readBare(record);
      return;
    }
    const type = stringAt(value, 'type') ?? '';
    if (this.builder.inheritance !== 'elsewhere') {
      this.copied.see(type, value);
      this.builder.inheritance = this.copied.isOpen ? 'copied' : undefined;
    }
    switch (type) {
      case 'session_meta':
        this.readHeader(payload, { record: range, path: payloadPath });
        break;
      case 'response_item':
        this.readItem(payload, { record: range, path: payloadPath }, timeAt(value, 'timestamp'));
        break;
      case 'event_msg':
        this.readEvent(payload, value, range);
        break;
      case 'token_usage_record':
        this.requests.readUsageRecord(payload, value, range);
        break;
      case 'turn_context':
        this.requests.model = stringAt(payload, 'model') ?? this.requests.model;
        this.builder.chooseModel(this.requests.model);
        this.requests.setEffort(stringAt(payload, 'effort'));
        this.builder.workingDirectory ??= stringAt(payload, 'cwd');
        this.builder.leaveOut('turn_context record', range);
        break;
      case 'compacted':
        this.compact(payload, { record: range, path: payloadPath });
        break;
      default:
        // Records that messages repeat as text (world_state), and internal records.
        this.builder.leaveRecordOut(type, range);
    }
  }

  end(): void {
    listUnpairedResults(this.builder);
    const { unsentHeader } = this.history;
    if (unsentHeader !== undefined) {
      this.builder.leaveOut('base instructions that a message repeats', unsentHeader);
    }
  }

  private readBare({ value, range }: SourceRecord): void {
    const place = { record: range, path: [] };
    if (isBareHeader(value)) {
      this.readHeader(value, place);
    } else if (isBareState(value)) {
      this.builder.leaveOut('state record', range);
    } else if (stringAt(value, 'type') !== undefined) {
      this.readItem(value, place, undefined);
    } else {
      this.builder.leaveRecordOut(undefined, range);
    }
  }

  private readHeader(header: unknown, place: Place): void {
    const { builder, history } = this;
    builder.addVersion(stringAt(header, 'cli_version'));
    if (builder.sessionId !== undefined) {
      builder.leaveOut('header of the session that this one continues', place.record);
      return;
    }
    builder.sessionId = stringAt(header, 'id') ?? '';
    builder.workingDirectory ??= stringAt(header, 'cwd');
    history.declared = declaredTools(header, place);
    const base = textAt(objectAt(header, 'base_instructions'), below(place, 'base_instructions'), 'text');
    // `instructions` was AGENTS.md for a long time, which a message repeats. Only some versions kept the prompt there.
    const old = textAt(header, place, 'instructions');
    if (base.content !== '') {
      history.header = { found: base, place };
    } else if (old.content.startsWith('You are')) {
      history.header = { found: old, place };
    } else {
      builder.leaveOut('header record', place.record);
    }
    this.inherit(header, place.record);
  }

  /** Reads the history that a fork continues without a copy of it. What is missing there is a gap in each request. */
  private inherit(header: unknown, range: SourceRange): void {
    const { builder, parents } = this;
    const missing = parents?.missing ?? recordsBefore(header);
    if (missing > 0) {
      builder.addProblem('missingHistory', range.line, missing);
      builder.missingBytes =
        parents === undefined ? bytesBefore(objectAt(header, 'history_base')) : parents.missingBytes;
      this.history.hasGap = true;
    }
    builder.inheritance = 'elsewhere';
    try {
      parents?.records.forEach(value => this.push({ value, range }));
    } finally {
      // A record of the other file may make its reader throw, for example by nesting too deeply.
      builder.inheritance = undefined;
    }
  }

  private readItem(item: unknown, place: Place, timestamp: number | undefined): void {
    if (stringAt(item, 'type') === 'ghost_snapshot') {
      this.builder.leaveOut('ghost_snapshot item', place.record);
      return;
    }
    const isReply = isModelItem(item);
    if (isReply) {
      this.requests.beginReply(timestamp, place.record);
    } else {
      this.requests.endReply();
    }
    const entry = this.items.add(item, place, timestamp);
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
      case 'task_started':
        this.requests.readWindow(event);
        break;
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

  /** Continues with the replacement history, or with the prompts and the summary if no replacement is recorded. */
  private compact(payload: unknown, place: Place): void {
    const replacement = member(payload, 'replacement_history');
    const items = isArray(replacement)
      ? replacement.map((item, index) =>
          this.items.add(item, below(place, 'replacement_history', index), undefined),
        )
      : this.history.prompts;
    if (!isArray(replacement) && (stringAt(payload, 'message') ?? '') !== '') {
      items.push(this.items.addSummary(payload, place));
    }
    if (items.every(({ blocks }) => blocks.length === 0)) {
      this.builder.leaveOut('a compaction without content', place.record);
    }
    // A new window may start with only the client's texts (the tool new_context, Codex 0.171).
    const summarises = items.some(({ summarises: is }) => is === true);
    const isReset = isArray(replacement) && !summarises && (stringAt(payload, 'message') ?? '') === '';
    this.requests.noteCompaction(payload, place.record, isReset);
    this.history.compact(items);
  }
}
