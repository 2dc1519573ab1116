import {
  countAt,
  isArray,
  type JsonObject,
  member,
  numberAt,
  objectAt,
  optionalCountAt,
  stringAt,
  timeAt,
  valueAt,
  type ValuePath,
} from '../../base/json';
import { textBlock } from '../../content/blockFactory';
import { replyText } from '../../content/classification';
import { type Locate, textAt } from '../../content/place';
import type { NewBlock, TranscriptBuilder } from '../../content/transcriptBuilder';
import type { SourceRange } from '../../model/block';
import type { CacheDiagnosis } from '../../model/cacheDiagnosis';
import { type RecordedWindow, recordedWindow } from '../../model/contextWindow';
import type { RecordedUsage } from '../../model/transcript';
import type { DocumentFormat, LineFormat, SourceRecord } from '../../reading/format';
import { nameByFirstPrompt } from '../api/apiDocument';
import type { WireMessage } from '../../wire/body';
import { readAnthropicMessage } from '../../wire/anthropic/bodies';
import { inputOf } from '../../tokens/prices';
import { addSubagent } from '../common/notes';
import { Thread as Conversation } from '../common/thread';
import { readDiagnosis } from '../../wire/cacheDiagnosis';
import { readUsage, runUsage, withCost } from '../../wire/usage';

/** The output of `claude -p --output-format stream-json`. */
export const claudeStreamJson: LineFormat = {
  kind: 'lines',
  id: 'claude-stream-json',
  name: 'Claude Code output (stream-json)',
  matches: records =>
    records.some(
      record =>
        stringAt(record, 'session_id') !== undefined &&
        (isResult(record) ||
          (stringAt(record, 'type') === 'system' && stringAt(record, 'subtype') === 'init') ||
          (/^(?:user|assistant)$/.test(stringAt(record, 'type') ?? '') &&
            objectAt(record, 'message') !== undefined &&
            member(record, 'parent_tool_use_id') !== undefined)),
    ),
  open(builder) {
    const reader = new OutputReader(builder);
    const push = (record: SourceRecord): void => reader.read(record, [], () => record.range);
    return { push, end: () => reader.finish(), resume: () => false };
  },
};

/** The output of `claude -p --output-format json`: the result, or a list of all messages. */
export const claudeResult: DocumentFormat = {
  kind: 'document',
  id: 'claude-result',
  name: 'Claude Code output (json)',
  matches: document => (isArray(document) ? document.some(isResult) : isResult(document)),
  read(record, locate, builder) {
    const reader = new OutputReader(builder);
    if (isArray(record.value)) {
      record.value.forEach((_, index) => {
        reader.read(record, [index], locate);
      });
    } else {
      reader.read(record, [], locate);
    }
    reader.finish();
  },
};

function isResult(value: unknown): boolean {
  return (
    stringAt(value, 'type') === 'result' &&
    stringAt(value, 'session_id') !== undefined &&
    numberAt(value, 'num_turns') !== undefined
  );
}

/** A reply that may get more lines: one line is printed for each of its content blocks. */
interface OpenReply {
  readonly id: string | undefined;
  readonly model: string | undefined;
  readonly timestamp: number | undefined;
  readonly line: number;
  readonly blocks: NewBlock[];
  usage: JsonObject | undefined;
  diagnosis: CacheDiagnosis | undefined;
}

interface Thread {
  readonly timeline: Conversation;
  open: OpenReply | undefined;
  /** Results that were printed while the reply might still get more lines. */
  waiting: WireMessage[];
}

class OutputReader {
  private readonly threads = new Map<string, Thread>();
  private readonly finalUsage = new Map<string, JsonObject>();
  private readonly windows = new Map<string, RecordedWindow>();
  /** Compactions within a request, by their number; the others come before one. */
  private readonly passes = new Set<number>();
  private streaming: string | undefined;

  constructor(private readonly builder: TranscriptBuilder) {
    builder.agentName = 'Claude Code';
    this.threadOf('');
  }

  read(record: SourceRecord, path: ValuePath, locate: Locate): void {
    const value = valueAt(record.value, path);
    const source = locate(path);
    const type = stringAt(value, 'type');
    this.builder.sessionId ??= stringAt(value, 'session_id');
    switch (type) {
      case 'system':
        this.readSystem(value, source);
        break;
      case 'assistant':
      case 'user':
        this.readMessage(value, type, record, path, locate);
        break;
      case 'stream_event':
        this.readEvent(objectAt(value, 'event'));
        this.builder.leaveOut('stream event that its message repeats', source);
        break;
      case 'result':
        this.readResult(value, record, path, locate);
        break;
      case undefined:
        this.builder.addProblem('unknownRecord', source.line);
        break;
      default:
        this.builder.leaveOut(`${type} record`, source);
    }
  }

  finish(): void {
    for (const thread of this.threads.values()) {
      this.close(thread);
    }
    // A reply is complete only when the next message of its thread comes.
    const { requests, compactions } = this.builder;
    requests.forEach((request, index) => {
      const window = this.windows.get(request.model ?? '');
      requests[index] = window === undefined ? request : { ...request, window };
    });
    requests.sort((first, second) => first.line - second.line);
    compactions.forEach((compaction, index) => {
      const isWithin = this.passes.has(index);
      const next = requests.findIndex(
        ({ thread, line }) =>
          thread === compaction.thread && (line > compaction.line || (isWithin && line === compaction.line)),
      );
      compactions[index] = { ...compaction, request: next < 0 ? requests.length : next };
    });
    nameByFirstPrompt(this.builder);
  }

  /** The main conversation is `''`; a subagent's is named by the call that started it. */
  private threadOf(callId: string): Thread {
    const known = this.threads.get(callId);
    if (known !== undefined) {
      return known;
    }
    const thread: Thread = {
      timeline: new Conversation(this.builder, this.threads.size),
      open: undefined,
      waiting: [],
    };
    this.threads.set(callId, thread);
    return thread;
  }

  private readSystem(value: unknown, source: SourceRange): void {
    const subtype = stringAt(value, 'subtype') ?? 'unknown';
    const callId = stringAt(value, 'tool_use_id');
    this.builder.addVersion(stringAt(value, 'claude_code_version'));
    this.builder.workingDirectory ??= stringAt(value, 'cwd');
    if (subtype === 'compact_boundary') {
      this.readCompaction(objectAt(value, 'compact_metadata'), source);
      return;
    }
    if (callId !== undefined && stringAt(value, 'task_id') !== undefined) {
      addSubagent(this.builder, {
        id: callId,
        callId,
        description: stringAt(value, 'description'),
        totalTokens:
          subtype === 'task_notification'
            ? optionalCountAt(objectAt(value, 'usage'), 'total_tokens')
            : undefined,
      });
    }
    this.builder.leaveOut(`${subtype} record`, source);
  }

  /** The kept messages are not printed, so the context starts empty. */
  private readCompaction(facts: JsonObject | undefined, source: SourceRange): void {
    const main = this.threadOf('');
    this.close(main);
    main.timeline.replace([]);
    main.timeline.noteCompaction({
      line: source.line,
      trigger: stringAt(facts, 'trigger'),
      tokensBefore: optionalCountAt(facts, 'pre_tokens'),
    });
    this.builder.leaveOut('compact_boundary record', source);
  }

  private readMessage(
    value: unknown,
    type: 'assistant' | 'user',
    record: SourceRecord,
    path: ValuePath,
    locate: Locate,
  ): void {
    const callId = stringAt(value, 'parent_tool_use_id') ?? '';
    const thread = this.threadOf(callId);
    if (callId !== '') {
      const description = stringAt(value, 'task_description');
      addSubagent(this.builder, { id: callId, callId, thread: thread.timeline.thread, description });
    }
    const place = { record: record.range, path: [...path, 'message'], locate };
    const message = objectAt(value, 'message');
    const read = readAnthropicMessage(message, place, thread.timeline.calls);
    const timestamp = timeAt(value, 'timestamp');
    if (type === 'user') {
      thread.waiting.push({ ...read, timestamp });
      return;
    }
    if (thread.open === undefined || thread.open.id !== read.id || read.id === undefined) {
      this.close(thread);
      thread.open = {
        id: read.id,
        model: stringAt(message, 'model'),
        timestamp,
        line: locate(path).line,
        blocks: [],
        usage: undefined,
        diagnosis: undefined,
      };
    }
    thread.open.blocks.push(...read.blocks);
    thread.open.usage = objectAt(message, 'usage') ?? thread.open.usage;
    thread.open.diagnosis = readDiagnosis(message) ?? thread.open.diagnosis;
  }

  private readEvent(event: JsonObject | undefined): void {
    switch (stringAt(event, 'type') ?? '') {
      case 'message_start':
        this.streaming = stringAt(objectAt(event, 'message'), 'id');
        break;
      case 'message_delta': {
        const usage = objectAt(event, 'usage');
        if (this.streaming !== undefined && usage !== undefined) {
          this.finalUsage.set(this.streaming, usage);
        }
        break;
      }
      default:
    }
  }

  private close(thread: Thread): void {
    const { open, waiting } = thread;
    if (open !== undefined) {
      this.addReply(thread, open);
    }
    waiting.forEach(message => thread.timeline.add(message));
    thread.waiting = [];
  }

  private addReply(thread: Thread, open: OpenReply): void {
    thread.open = undefined;
    const { id, model, timestamp, line, blocks, diagnosis } = open;
    // The lines repeat the count of the reply's first event; only the stream's own events have the final one.
    const final = id === undefined ? undefined : this.finalUsage.get(id);
    // The program itself wrote this reply for an error, so it cost nothing.
    const usage = model === '<synthetic>' ? undefined : readUsage({ ...open.usage, ...final }, 'anthropic');
    const summary = blocks.findLastIndex(({ kind }) => kind === 'summary');
    if (summary >= 0) {
      this.addCompactionPass(thread, open, blocks.slice(0, summary + 1), usage);
    }
    thread.timeline.addReply(
      {
        role: 'assistant',
        blocks: blocks.slice(summary + 1),
        id,
        timestamp,
      },
      {
        complete: false,
        line,
        id,
        model,
        timestamp,
        usage,
        diagnosis,
        outputDoubtful: usage === undefined || final !== undefined ? undefined : true,
      },
    );
  }

  /**
   * Adds the summary that the provider wrote before the reply, within the same request. The reply saw it instead of the
   * messages before.
   */
  private addCompactionPass(
    { timeline }: Thread,
    { id, timestamp, line }: OpenReply,
    blocks: readonly NewBlock[],
    usage: RecordedUsage | undefined,
  ): void {
    const pass = usage?.billing?.passes.findLast(({ kind }) => kind === 'compaction');
    timeline.replace([]);
    this.passes.add(this.builder.compactions.length);
    timeline.noteCompaction({ line, tokensBefore: pass && inputOf(pass) });
    timeline.add({ role: 'assistant', blocks, id, timestamp });
  }

  /** Reads the window of each model from the result. A model's name may end in `[1m]`. */
  private noteWindows(models: JsonObject | undefined): void {
    for (const name of Object.keys(models ?? {})) {
      const window = recordedWindow(optionalCountAt(objectAt(models, name), 'contextWindow'));
      if (window !== undefined) {
        this.windows.set(name.replace(/\[1m\]$/, ''), window);
      }
    }
  }

  /** The result repeats the last reply; if there is no reply, the result is used instead. */
  private readResult(value: unknown, record: SourceRecord, path: ValuePath, locate: Locate): void {
    const source = locate(path);
    const thread = this.threadOf('');
    this.close(thread);
    this.noteWindows(objectAt(value, 'modelUsage'));
    if (this.builder.requests.length > 0 || stringAt(value, 'result') === undefined) {
      this.builder.leaveOut('result that repeats the last reply', source);
      return;
    }
    const byModel = objectAt(value, 'modelUsage') ?? {};
    const models = Object.keys(byModel);
    const [model] = models.length === 1 ? models : [];
    const usage =
      countAt(value, 'num_turns') === 1
        ? readUsage(objectAt(value, 'usage'), 'anthropic')
        : models.length === 0
          ? runUsage([{ usage: readUsage(objectAt(value, 'usage'), 'anthropic') }])
          : runUsage(
              models.map(name => ({ model: name, usage: readUsage(objectAt(byModel, name), 'claudeRun') })),
            );
    const place = { record: record.range, path, locate };
    const reply = textBlock(textAt(value, place, 'result'), place, 'assistant', replyText);
    thread.timeline.addReply(
      { role: 'assistant', blocks: [reply] },
      {
        complete: false,
        line: source.line,
        model,
        usage: withCost(usage, numberAt(value, 'total_cost_usd')),
      },
    );
  }
}
