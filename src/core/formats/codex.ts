import { compactionSummary } from '../context/classifyText';
import {
  countAt,
  isArray,
  isObject,
  member,
  numberAt,
  objectAt,
  optionalCountAt,
  stringAt,
  timeAt,
} from '../json';
import type { Compaction, RecordedRequest, RecordedUsage, SourceRange, ValuePath } from '../model/transcript';
import { systemBlocks, type KnownCall } from './anthropicContent';
import { CopiedHistory, subagentsOf } from './codexThreads';
import type { LineFormat, LineFormatReader, SourceRecord } from './format';
import { History, type HistoryItem } from './history';
import { labelOfText } from './labels';
import type { MemberFilter } from './memberFilter';
import { isModelItem, responsesItemBlocks } from './responsesItems';
import { usageWithCacheInside } from './requestTimeline';
import type { TranscriptBuilder } from './transcriptBuilder';
import { listUnpairedResults } from './unpairedResults';

const wrappedTypes = new Set([
  'session_meta',
  'response_item',
  'event_msg',
  'turn_context',
  'compacted',
  'world_state',
  'token_usage_record',
  'inter_agent_communication',
  'inter_agent_communication_metadata',
]);

const startMembers = { type: 'keep', started_at: 'keep' } as const;

const spawnMembers = {
  type: 'keep',
  id: 'keep',
  call_id: 'keep',
  agent_thread_id: 'keep',
  new_thread_id: 'keep',
  tool: 'keep',
  receiver_thread_ids: 'keep',
  new_agent: 'keep',
} as const;

/** What is read of the records that say again what items say, for the interface or in words. */
const readPayloads: NonNullable<MemberFilter['byType']> = {
  event_msg: {
    members: {
      payload: {
        others: 'leave',
        members: {
          ...startMembers,
          ...spawnMembers,
          info: 'keep',
          num_turns: 'keep',
          item: { others: 'leave', members: spawnMembers },
        },
      },
    },
  },
  turn_context: {
    members: { payload: { others: 'leave', members: { ...startMembers, model: 'keep', cwd: 'keep' } } },
  },
  world_state: { members: { payload: { others: 'leave', members: startMembers } } },
};

/** Codex's rollouts, `~/.codex/sessions/<year>/<month>/<day>/rollout-<time>-<thread>.jsonl`, of all eras. */
export const codex: LineFormat = {
  kind: 'lines',
  id: 'codex',
  name: 'Codex rollout',
  matches: records => records.some(isWrapped) || records.some(isBareState) || isBareHeader(records[0]),
  members: { members: {}, byType: readPayloads },
  usageMembers: {
    members: {},
    byType: {
      ...readPayloads,
      response_item: {
        members: {
          payload: {
            members: {
              content: 'leave',
              output: 'leave',
              arguments: 'leave',
              input: 'leave',
              summary: 'leave',
              encrypted_content: 'leave',
            },
          },
        },
      },
    },
  },
  open: builder => new CodexReader(builder),
};

function isWrapped(record: unknown): boolean {
  return (
    wrappedTypes.has(stringAt(record, 'type') ?? '') &&
    objectAt(record, 'payload') !== undefined &&
    stringAt(record, 'timestamp') !== undefined
  );
}

/** Until about September 2025 a line was the bare item, after a header and between states. */
function isBareState(record: unknown): boolean {
  return stringAt(record, 'record_type') === 'state';
}

function isBareHeader(record: unknown): boolean {
  return (
    isObject(record) &&
    Object.hasOwn(record, 'instructions') &&
    member(record, 'type') === undefined &&
    stringAt(record, 'id') !== undefined &&
    stringAt(record, 'timestamp') !== undefined
  );
}

type Draft<Value> = { -readonly [Key in keyof Value]: Value[Key] };

/** `turn`: a prompt, where a rollback cuts. `update`: context that the client adds before a prompt. */
interface Item extends HistoryItem {
  readonly part: 'turn' | 'update' | 'base' | 'tools' | 'other';
}

/** Reads what was said from response items alone: the events say it again for the interface. */
class CodexReader implements LineFormatReader {
  private readonly calls = new Map<string, KnownCall>();
  private readonly responses = new Set<string>();
  private readonly copied = new CopiedHistory();
  private readonly history: History<Item>;
  /** What the history holds at the moment. */
  private parts = new Set<Item['part']>();
  /** The header's base instructions: part of every context unless a message says them again. */
  private header:
    { readonly record: SourceRange; readonly path: ValuePath; readonly text: string } | undefined;
  private headerBlocks: readonly number[] | undefined;
  private draft: Draft<RecordedRequest> | undefined;
  private reply: number[] = [];
  private isReplying = false;
  private compaction: Draft<Compaction> | undefined;
  private model: string | undefined;
  private hasUsageRecords = false;
  private total = 0;

  constructor(private readonly builder: TranscriptBuilder) {
    builder.agentName = 'Codex';
    this.history = new History(builder, () => this.headBlocks());
  }

  push(record: SourceRecord): void {
    const { value, range } = record;
    const payload = member(value, 'payload');
    if (!isObject(payload)) {
      this.readBare(record);
      return;
    }
    this.copied.see(value);
    const type = stringAt(value, 'type') ?? '';
    switch (type) {
      case 'session_meta':
        this.readHeader(payload, ['payload'], range);
        break;
      case 'response_item':
        this.readItem(payload, ['payload'], timeAt(value, 'timestamp'), range);
        break;
      case 'event_msg':
        this.readEvent(payload, timeAt(value, 'timestamp'), range);
        break;
      case 'token_usage_record':
        this.readUsageRecord(payload, timeAt(value, 'timestamp'), range);
        break;
      case 'turn_context':
        this.model = stringAt(payload, 'model') ?? this.model;
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
    if (this.header !== undefined && this.headerBlocks === undefined) {
      this.builder.leaveOut('base instructions that a message holds as they were sent', this.header.record);
    }
    return this.builder.build(codex.id);
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
      this.header = { record: range, path: [...path, 'base_instructions', 'text'], text: base };
    } else if (old.startsWith('You are')) {
      this.header = { record: range, path: [...path, 'instructions'], text: old };
    } else {
      this.builder.leaveOut('header record', range);
    }
  }

  private headBlocks(): readonly number[] {
    if (this.header === undefined || this.parts.has('base')) {
      return [];
    }
    if (this.headerBlocks === undefined) {
      const { record, path, text } = this.header;
      const message = this.builder.addMessage({ role: 'system' });
      const owner = { message, record, path, locate: () => record };
      this.headerBlocks = systemBlocks(text, owner).map(block => this.builder.addBlock(block));
    }
    return this.headerBlocks;
  }

  // Items

  private readItem(item: unknown, path: ValuePath, timestamp: number | undefined, range: SourceRange): void {
    if (stringAt(item, 'type') === 'ghost_snapshot') {
      this.builder.leaveOut('ghost_snapshot item', range);
      return;
    }
    const isReply = isModelItem(item);
    if (isReply && !this.isReplying && !this.copied.isOpen) {
      this.openRequest(timestamp, range);
    }
    this.isReplying = isReply && !this.copied.isOpen;
    const entry = this.addItem(item, path, timestamp, range);
    this.history.append(entry);
    this.parts.add(entry.part);
    if (isReply) {
      this.reply.push(...entry.blocks);
    }
  }

  private addItem(item: unknown, path: ValuePath, timestamp: number | undefined, range: SourceRange): Item {
    const role = roleOfItem(item);
    const id = stringAt(item, 'id');
    const message = this.builder.addMessage({
      role,
      ...(id === undefined ? {} : { id }),
      ...(timestamp === undefined ? {} : { timestamp }),
    });
    const owner = { message, record: range, path, locate: () => range, calls: this.calls };
    const blocks = responsesItemBlocks(item, owner).map(block => {
      if (block.kind === 'prompt') {
        this.builder.title ??= labelOfText(block.content);
      }
      return this.builder.addBlock(block);
    });
    if (blocks.length === 0) {
      this.builder.leaveOut('an item without content', range);
    }
    const callId = stringAt(item, 'call_id');
    if (role === 'tool' && callId !== undefined) {
      subagentsOf(item, this.calls.get(callId)?.toolName).forEach(id => this.addSubagent(id, callId));
    }
    return { blocks, part: this.partOf(item, role, blocks) };
  }

  private partOf(item: unknown, role: string, blocks: readonly number[]): Item['part'] {
    const has = (test: (block: TranscriptBuilder['blocks'][number]) => boolean): boolean =>
      blocks.some(number => {
        const block = this.builder.blocks[number];
        return block !== undefined && test(block);
      });
    switch (role) {
      case 'system':
        if (has(({ kind }) => kind === 'toolSchema')) {
          return 'tools';
        }
        return has(({ kind, provenance }) => kind === 'systemPrompt' && provenance === 'system')
          ? 'base'
          : 'update';
      case 'user':
        if (has(({ kind }) => kind === 'prompt' || kind === 'image')) {
          return 'turn';
        }
        return stringAt(item, 'type') === 'message' && !has(({ kind }) => kind === 'summary')
          ? 'update'
          : 'other';
      default:
        return 'other';
    }
  }

  private addSubagent(id: string, callId: string): void {
    if (!this.builder.subagents.has(id)) {
      const description = this.calls.get(callId)?.object ?? '';
      this.builder.subagents.set(id, { id, callId, ...(description === '' ? {} : { description }) });
    }
  }

  // Requests

  private openRequest(timestamp: number | undefined, range: SourceRange): void {
    this.reply = [];
    this.draft = {
      ...this.history.sent(),
      thread: 0,
      reply: this.reply,
      // Tool schemas are recorded by the versions that send them as an item.
      complete: this.parts.has('tools') && (this.parts.has('base') || this.header !== undefined),
      line: range.line,
      ...(timestamp === undefined ? {} : { timestamp }),
      ...(this.model === undefined ? {} : { model: this.model }),
    };
    this.builder.requests.push(this.draft);
  }

  /** A call of which only the usage is recorded: a summary that was asked for, or a reply that was lost. */
  private openSilentRequest(timestamp: number | undefined, range: SourceRange): void {
    this.openRequest(timestamp, range);
    if (this.draft !== undefined) {
      this.draft.complete = false;
    }
  }

  private readUsageRecord(record: unknown, timestamp: number | undefined, range: SourceRange): void {
    this.hasUsageRecords = true;
    const id = stringAt(record, 'response_id');
    const usage = readCodexUsage(objectAt(record, 'usage'));
    if (this.copied.isOpen) {
      this.builder.leaveOut('usage of the session that this one goes on from', range);
      return;
    }
    if (usage === undefined || (id !== undefined && this.responses.has(id))) {
      this.builder.leaveOut('usage that was recorded before', range);
      return;
    }
    this.builder.leaveOut('usage of a request', range);
    if (this.draft === undefined || this.draft.usage !== undefined) {
      this.openSilentRequest(timestamp, range);
    }
    if (this.draft !== undefined) {
      this.draft.usage = usage;
      if (id !== undefined) {
        this.draft.id = id;
        this.responses.add(id);
      }
    }
    this.isReplying = false;
  }

  /** The running total tells a new count from one that is only shown again; what counts is the last request's. */
  private readTokenCount(event: unknown, timestamp: number | undefined, range: SourceRange): void {
    const info = objectAt(event, 'info');
    const last = objectAt(info, 'last_token_usage');
    const usage = readCodexUsage(last);
    const total = countAt(objectAt(info, 'total_token_usage'), 'total_tokens');
    const isFresh = usage !== undefined && total !== this.total;
    const isEmpty =
      usage !== undefined && usage.input + usage.cacheRead + usage.cacheWrite + usage.output === 0;
    this.total = usage === undefined ? this.total : total;
    if (isEmpty && this.compaction !== undefined && this.compaction.tokensAfter === undefined) {
      this.compaction.tokensAfter = countAt(last, 'total_tokens');
      this.builder.leaveOut('token_count event after a compaction', range);
    } else if (this.copied.isOpen && usage !== undefined) {
      this.builder.leaveOut('usage of the session that this one goes on from', range);
    } else if (this.hasUsageRecords || !isFresh || isEmpty) {
      this.builder.leaveOut('token_count event that says nothing new', range);
    } else {
      this.builder.leaveOut('usage of a request', range);
      if (this.draft === undefined || this.draft.usage !== undefined) {
        this.openSilentRequest(timestamp, range);
      }
      if (this.draft !== undefined) {
        this.draft.usage = usage;
      }
      this.isReplying = false;
    }
  }

  private readEvent(event: unknown, timestamp: number | undefined, range: SourceRange): void {
    const type = stringAt(event, 'type') ?? '';
    switch (type) {
      case 'token_count':
        this.readTokenCount(event, timestamp, range);
        return;
      case 'thread_rolled_back':
        this.rollBack(countAt(event, 'num_turns'));
        break;
      case 'item_completed':
      case 'collab_agent_spawn_end': {
        const item = type === 'item_completed' ? objectAt(event, 'item') : event;
        const callId = stringAt(item, 'id') ?? stringAt(item, 'call_id');
        if (callId !== undefined && this.calls.has(callId)) {
          subagentsOf(item, undefined).forEach(id => this.addSubagent(id, callId));
        }
        break;
      }
      default:
    }
    const kind = stringAt(objectAt(event, 'item'), 'type');
    this.builder.leaveOut(`${kind === undefined ? type : `${type} ${kind}`} event`, range);
  }

  // Replaced history

  /** What follows is built on the replacement; only what stands before every history is carried over. */
  private compact(payload: unknown, range: SourceRange): void {
    const message = stringAt(payload, 'message') ?? '';
    const replacement = member(payload, 'replacement_history');
    const items = isArray(replacement)
      ? replacement.map((item, index) =>
          this.addItem(item, ['payload', 'replacement_history', index], undefined, range),
        )
      : [...this.history.items.filter(({ part }) => part === 'update' || part === 'turn')];
    if (!isArray(replacement) && message !== '') {
      items.push(this.addSummary(message, range));
    }
    const kept = this.history.items.filter(
      ({ part }) => (part === 'tools' || part === 'base') && !items.some(item => item.part === part),
    );
    if (items.every(({ blocks }) => blocks.length === 0)) {
      this.builder.leaveOut('a compaction without content', range);
    }
    this.noteCompaction(payload, range);
    this.replaceHistory([...kept, ...items]);
  }

  private addSummary(content: string, range: SourceRange): Item {
    const message = this.builder.addMessage({ role: 'user', summary: true });
    const block = this.builder.addBlock({
      ...compactionSummary,
      role: 'user',
      contentType: 'text',
      label: labelOfText(content),
      content,
      text: { kind: 'string', record: range, path: ['payload', 'message'] },
      source: range,
      message,
    });
    return { blocks: [block], part: 'other' };
  }

  private noteCompaction(payload: unknown, range: SourceRange): void {
    const { draft } = this;
    const summaryCall = stringAt(payload, 'compaction_response_id');
    if (draft?.id !== undefined && draft.id === summaryCall) {
      // The text that asked for the summary is not recorded.
      draft.complete = false;
    }
    const before = draft?.usage;
    this.compaction = {
      kind: 'compaction',
      request: this.builder.requests.length,
      thread: 0,
      line: range.line,
      ...(before === undefined
        ? {}
        : { tokensBefore: before.input + before.cacheRead + before.cacheWrite + before.output }),
    };
    this.builder.compactions.push(this.compaction);
  }

  /** Drops the last turns, with the context that was added before them. */
  private rollBack(turns: number): void {
    const items = this.history.items;
    const starts = items.flatMap(({ part }, index) => (part === 'turn' ? [index] : []));
    const [first] = starts;
    if (turns === 0 || first === undefined) {
      return;
    }
    let end = starts.at(-turns) ?? first;
    while (end > first && items[end - 1]?.part === 'update') {
      end -= 1;
    }
    this.replaceHistory(items.slice(0, end));
  }

  private replaceHistory(items: readonly Item[]): void {
    this.history.replace(items);
    this.parts = new Set(items.map(({ part }) => part));
    this.isReplying = false;
  }
}

function roleOfItem(item: unknown): 'system' | 'user' | 'assistant' | 'tool' {
  const type = stringAt(item, 'type') ?? 'message';
  if (isModelItem(item)) {
    return 'assistant';
  }
  if (type.endsWith('_output')) {
    return 'tool';
  }
  const role = stringAt(item, 'role');
  return role === 'developer' || role === 'system' ? 'system' : 'user';
}

/** Codex's counts: its input includes what was read from and written to the cache, its output includes reasoning. */
export function readCodexUsage(usage: unknown): RecordedUsage | undefined {
  if (numberAt(usage, 'input_tokens') === undefined) {
    return undefined;
  }
  const reasoning = optionalCountAt(usage, 'reasoning_output_tokens');
  return usageWithCacheInside(countAt(usage, 'input_tokens'), {
    cacheRead: countAt(usage, 'cached_input_tokens'),
    cacheWrite: countAt(usage, 'cache_write_input_tokens'),
    output: countAt(usage, 'output_tokens'),
    ...(reasoning === undefined ? {} : { reasoning }),
  });
}
