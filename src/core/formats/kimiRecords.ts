import {
  countAt,
  isArray,
  member,
  millisecondsAt,
  numberAt,
  objectAt,
  optionalCountAt,
  stringAt,
} from '../base/json';
import { resultBlocks, schemaBlocks, textBlocksAt, toolResultBlock } from '../content/blockFactory';
import { clientText, compactionSummary } from '../content/classification';
import { callBlock, contentBlocks, readChatMessage } from '../wire/generic/blocks';
import { answeredCall } from '../content/knownCalls';
import { below, type FoundText, lines, literalText, type Place, textAt } from '../content/place';
import type { NewBlock, TranscriptBuilder } from '../content/transcriptBuilder';
import type { SourceRange } from '../model/block';
import type { LineFormat, SourceRecord } from '../reading/format';
import type { RequestDraft } from './common/history';
import { mostAre } from './common/mostAre';
import { Thread, type ThreadItem } from './common/thread';
import { readUsage } from '../wire/usage';

/**
 * The records of Kimi Code, `agents/<id>/wire.jsonl` of a session: wire protocol 1.2 to 1.5. They hold the system prompt,
 * the tools, every message and every request. The rules follow packages/agent-core and agent-core-v2 of
 * MoonshotAI/kimi-code (2026-08).
 */
export const kimiRecords: LineFormat = {
  kind: 'lines',
  id: 'kimi-records',
  name: 'Kimi Code session',
  matches: records =>
    records.some(record => member(record, 'protocol_version') !== undefined)
      ? records.some(isRecord)
      : mostAre(records, isRecord),
  open: builder => new KimiRecordsReader(builder),
};

function isRecord(record: unknown): boolean {
  return /^(config|context|full_compaction|llm|profile|tools|turn|usage)\.\w+$/.test(
    stringAt(record, 'type') ?? '',
  );
}

/** The texts that the agent puts before the output of a failed call, and those that replace an empty output. */
const failed = '<system>ERROR: Tool execution failed.</system>';
const nothing = '<system>Tool output is empty.</system>';
const failedWithNothing = '<system>ERROR: Tool execution failed. Tool output is empty.</system>';
const emptyOutput = 'Tool output is empty.';

/** The tools whose results are sent with the time that they took (shouldRenderWallTime in Kimi Code 2.1). */
const timedTools = /^(?:Agent|AgentSwarm|Bash|FetchURL|Glob|Grep|WebSearch|mcp__.*)$/;

class KimiRecordsReader {
  private readonly thread: Thread;
  private system: readonly number[] = [];
  /** The tool lists by their hashes. */
  private readonly tables = new Map<string, readonly number[]>();
  private table: string | undefined;
  private draft: RequestDraft | undefined;
  private reply: number[] = [];
  private message: number | undefined;
  private trigger: string | undefined;

  constructor(private readonly builder: TranscriptBuilder) {
    builder.agentName = 'Kimi Code';
    this.thread = new Thread(builder, 0, () => [
      ...(this.tables.get(this.table ?? '') ?? []),
      ...this.system,
    ]);
  }

  end(): void {
    this.builder.title = this.builder.firstPrompt;
  }

  resume(): boolean {
    return false;
  }

  push({ value, range }: SourceRecord): void {
    const type = stringAt(value, 'type') ?? '';
    const place = { record: range, path: [] };
    const timestamp = millisecondsAt(value, 'time');
    switch (type) {
      case 'metadata': {
        const version = stringAt(value, 'protocol_version');
        this.builder.addVersion(version === undefined ? undefined : `wire protocol ${version}`);
        break;
      }
      case 'config.update':
      case 'profile.bind':
        if (this.setSystemPrompt(value, place)) {
          return;
        }
        break;
      case 'llm.tools_snapshot': {
        const blocks = schemaBlocks(member(value, 'tools'), below(place, 'tools'));
        if (blocks.length > 0) {
          const message = this.builder.addMessage({ role: 'system' });
          this.tables.set(stringAt(value, 'hash') ?? '', this.builder.addBlocks(blocks, message));
          return;
        }
        break;
      }
      case 'llm.request':
        this.dropFailed(range);
        this.open(value, timestamp, range.line);
        return;
      case 'token_counting.measured':
        this.anchor(value);
        break;
      case 'usage.record':
        this.setUsage(member(value, 'usage'));
        break;
      case 'context.append_message':
        this.addMessage(member(value, 'message'), below(place, 'message'), timestamp);
        return;
      case 'context.append_loop_event':
        this.readEvent(objectAt(value, 'event'), below(place, 'event'), timestamp);
        return;
      case 'full_compaction.begin':
        this.trigger = stringAt(value, 'source');
        break;
      case 'context.apply_compaction':
        this.compact(value, place);
        return;
      case 'context.undo':
        this.undo(countAt(value, 'count'));
        break;
      case 'context.clear':
        this.thread.noteCompaction({ line: range.line, isReset: true });
        this.thread.replace([]);
        break;
      default:
    }
    this.builder.leaveRecordOut(type, range);
  }

  private setSystemPrompt(value: unknown, place: Place): boolean {
    const blocks = textBlocksAt(value, place, 'systemPrompt', 'system');
    if (blocks.length === 0) {
      return false;
    }
    this.system = this.builder.addBlocks(blocks, this.builder.addMessage({ role: 'system' }));
    this.thread.replace(this.thread.items);
    return true;
  }

  /** Opens a request. The log of an older version has none; there, a step is a request. */
  private open(value: unknown, timestamp: number | undefined, line: number): RequestDraft {
    const table = stringAt(value, 'toolsHash') ?? this.table;
    if (table !== this.table) {
      this.table = table;
      this.thread.replace(this.thread.items);
    }
    const effort = stringAt(value, 'thinkingEffort');
    this.reply = [];
    this.message = undefined;
    this.draft = this.thread.open(
      {
        line,
        timestamp,
        model: stringAt(value, 'model'),
        complete: this.system.length > 0 && this.tables.has(table ?? ''),
        attribution: effort === undefined ? undefined : { effort },
      },
      this.reply,
    );
    return this.draft;
  }

  /** Drops the open request if nothing came back: the next one, without a step between, is a second attempt. */
  private dropFailed(range: SourceRange): void {
    const { requests } = this.builder;
    const { draft } = this;
    if (
      draft !== undefined &&
      requests.at(-1) === draft &&
      draft.usage === undefined &&
      this.reply.length === 0
    ) {
      requests.pop();
      this.builder.leaveOut('a request that was sent again', range);
    }
  }

  /**
   * Takes the agent's own count of the context after a step, if the usage of the step is not recorded. What the reply
   * had is not known; it is part of the count.
   */
  private anchor(value: unknown): void {
    const tokens = countAt(value, 'tokens');
    if (this.draft !== undefined && this.draft.usage === undefined && this.reply.length > 0 && tokens > 0) {
      this.draft.usage = { input: tokens, cacheRead: 0, cacheWrite: 0, output: 0 };
    }
  }

  private setUsage(recorded: unknown): void {
    const usage = readUsage(recorded, 'kimi');
    if (usage !== undefined && this.draft !== undefined) {
      this.draft.usage = usage;
    }
  }

  private addMessage(value: unknown, place: Place, timestamp: number | undefined): void {
    const origin = objectAt(value, 'origin');
    const kind = stringAt(origin, 'kind') ?? 'user';
    const isTyped = kind === 'user' || stringAt(origin, 'trigger') === 'user-slash';
    const textClass = kind === 'compaction_summary' ? compactionSummary : undefined;
    const message = readChatMessage(value, place, this.thread.calls, { textClass });
    const blocks = message.blocks.map(block =>
      block.kind === 'prompt' && !isTyped ? { ...block, ...clientText } : block,
    );
    const { role } = message;
    this.thread.add({ ...message, blocks, id: role === 'user' && isTyped ? 'user' : kind, timestamp });
  }

  private readEvent(event: unknown, place: Place, timestamp: number | undefined): void {
    const type = stringAt(event, 'type') ?? '';
    const { calls } = this.thread;
    switch (type) {
      case 'step.begin':
        this.draft = undefined;
        break;
      case 'content.part':
        this.addToReply(
          contentBlocks(member(event, 'part'), below(place, 'part'), 'assistant', calls),
          place,
          timestamp,
        );
        return;
      case 'tool.call':
        this.addToReply([callBlock(event, place, calls)], place, timestamp);
        return;
      case 'tool.result':
        this.thread.add({ role: 'tool', blocks: this.readResult(event, place), timestamp });
        return;
      case 'step.end':
        this.setUsage(member(event, 'usage'));
        break;
      default:
    }
    this.builder.leaveOut(type === '' ? 'an event without a type' : `${type} event`, place.record);
  }

  private addToReply(blocks: readonly NewBlock[], { record }: Place, timestamp: number | undefined): void {
    if (blocks.length === 0) {
      this.builder.leaveOut('a part without content', record);
      return;
    }
    this.draft ??= this.open(undefined, timestamp, record.line);
    this.message ??= this.builder.addMessage({ role: 'assistant', timestamp });
    const numbers = this.builder.addBlocks(blocks, this.message);
    this.reply.push(...numbers);
    this.thread.append({ blocks: numbers });
  }

  /** The result as the model sees it: with its time, the agent's words about failure or emptiness, and its note. */
  private readResult(event: unknown, place: Place): readonly NewBlock[] {
    const callId = stringAt(event, 'toolCallId');
    const result = objectAt(event, 'result');
    const at = below(place, 'result');
    const isError = member(result, 'isError') === true;
    const call = answeredCall(this.thread.calls, callId);
    const facts = { callId, call, isError };
    const output = member(result, 'output');
    const blocks = resultBlocks(output, below(at, 'output'), facts);
    const texts = blocks.filter(({ kind, content }) => kind === 'toolResult' && content !== '');
    const media = blocks.filter(({ kind }) => kind !== 'toolResult');
    const isEmpty =
      media.length === 0 &&
      texts.every(({ content }) => !isError && (content.trim() === '' || content.trim() === emptyOutput));
    const status = isEmpty ? (isError ? failedWithNothing : nothing) : isError ? failed : undefined;
    const duration = timedTools.test(call?.toolName ?? '') ? numberAt(result, 'durationMs') : undefined;
    const said: readonly FoundText[] = [
      ...(duration === undefined ? [] : [literalText(`Wall time: ${(duration / 1000).toFixed(3)} seconds`)]),
      ...(status === undefined ? [] : [literalText(status)]),
      ...(isEmpty ? [] : texts),
    ];
    const note = textAt(result, at, 'note');
    const notes = note.content === '' ? [] : [note];
    const blocksOf = (found: readonly FoundText[]): readonly NewBlock[] =>
      found.length === 0 ? [] : [toolResultBlock(lines(found), at, facts)];
    // The note continues the only text, or else is a part of its own.
    const isOne = isEmpty || !isArray(output) || (output.length === 1 && media.length === 0);
    return isOne ? blocksOf([...said, ...notes]) : [...blocksOf(said), ...media, ...blocksOf(notes)];
  }

  /**
   * Keeps as many of the last prompts as the record says, before the summary. For an older record, the end of the
   * history is kept, after the summary.
   */
  private compact(value: unknown, place: Place): void {
    const { builder, thread } = this;
    thread.noteCompaction({
      line: place.record.line,
      trigger: this.trigger,
      tokensBefore: optionalCountAt(value, 'tokensBefore'),
      tokensAfter: optionalCountAt(value, 'tokensAfter'),
    });
    const key = stringAt(value, 'contextSummary') === undefined ? 'summary' : 'contextSummary';
    const message = builder.addMessage({ role: 'user', summary: true });
    const blocks = builder.addBlocks(textBlocksAt(value, place, key, 'user', compactionSummary), message);
    this.reply.push(...blocks);
    const summary: ThreadItem = { id: 'compaction_summary', blocks };
    const kept = optionalCountAt(value, 'keptUserMessageCount');
    if (kept === undefined) {
      thread.replace([summary, ...thread.items.slice(countAt(value, 'compactedCount'))]);
      return;
    }
    const prompts = thread.items.filter(({ id }) => id === 'user');
    const head = Math.min(kept, countAt(value, 'keptHeadUserMessageCount'));
    const tail = Math.max(head, prompts.length - (kept - head));
    thread.replace([...prompts.slice(0, head), ...prompts.slice(tail), summary]);
  }

  /** Removes the last prompts and everything after them, except injected texts of the agent. */
  private undo(count: number): void {
    const items = [...this.thread.items];
    let left = count;
    for (let index = items.length - 1; index >= 0 && left > 0; index -= 1) {
      const id = items[index]?.id;
      if (id === 'compaction_summary') {
        break;
      }
      if (id !== 'injection') {
        items.splice(index, 1);
        left -= id === 'user' ? 1 : 0;
      }
    }
    this.thread.replace(items);
  }
}
