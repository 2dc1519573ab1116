import { member, numberAt, objectAt, stringAt, timeAt } from '../../base/json';
import { textBlocks, toolCallBlock, toolResultBlock } from '../../content/blockFactory';
import { answeredCall } from '../../content/knownCalls';
import { below, type Place, textAt, textOf } from '../../content/place';
import type { NewBlock, TranscriptBuilder } from '../../content/transcriptBuilder';
import type { LineFormat, LineFormatReader, SourceRecord } from '../../reading/format';
import type { RecordedUsage } from '../../model/transcript';
import { readUsage, runUsage } from '../../wire/usage';
import type { RequestFacts } from '../common/history';
import { Thread } from '../common/thread';
import { joinPieces } from './geminiReply';

/** The output of `gemini --output-format stream-json`. A reply arrives in pieces. */
export const geminiStreamJson: LineFormat = {
  kind: 'lines',
  id: 'gemini-stream-json',
  name: 'gemini --output-format stream-json',
  matches: records =>
    records.some(
      record =>
        (stringAt(record, 'type') === 'init' &&
          stringAt(record, 'session_id') !== undefined &&
          stringAt(record, 'model') !== undefined) ||
        isLaterEvent(record),
    ),
  open: builder => new StreamReader(builder),
};

/** An event after the first one. */
function isLaterEvent(record: unknown): boolean {
  switch (stringAt(record, 'type')) {
    case 'tool_use':
      return (
        ['tool_name', 'tool_id'].every(key => stringAt(record, key) !== undefined) &&
        member(record, 'parameters') !== undefined
      );
    case 'tool_result':
      return ['tool_id', 'status', 'timestamp'].every(key => stringAt(record, key) !== undefined);
    case 'message':
      return stringAt(record, 'role') === 'assistant' && member(record, 'delta') === true;
    case 'result':
      return member(objectAt(record, 'stats'), 'total_tokens') !== undefined;
    case undefined:
    default:
      return false;
  }
}

class StreamReader implements LineFormatReader {
  private readonly thread: Thread;
  private model: string | undefined;
  /** The reply that is arriving. */
  private reply: { readonly facts: RequestFacts; readonly pieces: NewBlock[] } | undefined;

  constructor(private readonly builder: TranscriptBuilder) {
    builder.agentName = 'Gemini CLI';
    this.thread = new Thread(builder);
  }

  push({ value, range }: SourceRecord): void {
    const place = { record: range, path: [] };
    const type = stringAt(value, 'type');
    switch (type) {
      case 'init':
        this.builder.sessionId ??= stringAt(value, 'session_id');
        this.model = stringAt(value, 'model') ?? this.model;
        this.builder.leaveOut('init record', range);
        break;
      case 'message': {
        const found = textAt(value, place, 'content');
        if (stringAt(value, 'role') === 'assistant') {
          this.addPieces(value, place, found.content === '' ? [] : textBlocks(found, place, 'assistant'));
        } else {
          this.endReply();
          this.thread.add({ role: 'user', blocks: textBlocks(found, place, 'user') });
        }
        break;
      }
      case 'tool_use': {
        const call = {
          toolName: stringAt(value, 'tool_name') ?? 'unknown',
          callId: stringAt(value, 'tool_id'),
          input: member(value, 'parameters'),
          place: below(place, 'parameters'),
          callPlace: place,
        };
        this.addPieces(value, place, [toolCallBlock(call, this.thread.calls)]);
        break;
      }
      case 'tool_result': {
        this.endReply();
        const key = member(value, 'output') === undefined ? 'error' : 'output';
        const callId = stringAt(value, 'tool_id');
        const call = answeredCall(this.thread.calls, callId);
        const isError = stringAt(value, 'status') === 'error';
        const found = textOf(member(value, key), below(place, key));
        this.thread.add({ role: 'tool', blocks: [toolResultBlock(found, place, { callId, call, isError })] });
        break;
      }
      case 'result':
        this.endReply();
        this.addRun(objectAt(value, 'stats'));
        this.builder.leaveOut('result record', range);
        break;
      case undefined:
        this.builder.leaveOutUnknown(range);
        break;
      default:
        this.builder.leaveOut(`${type} record`, range);
    }
  }

  end(): void {
    this.endReply();
    this.builder.title = this.builder.firstPrompt;
  }

  resume(): boolean {
    return false;
  }

  /** Notes the sum of the run, by model, with its last request. */
  private addRun(stats: unknown): void {
    const models = objectAt(stats, 'models') ?? {};
    const names = Object.keys(models);
    const usage = runUsage(
      names.length === 0
        ? [{ usage: sumOf(stats) }]
        : names.map(model => ({ model, usage: sumOf(objectAt(models, model)) })),
    );
    const { requests } = this.builder;
    const last = requests.at(-1);
    if (last !== undefined && usage !== undefined) {
      requests[requests.length - 1] = { ...last, usage };
    }
  }

  private endReply(): void {
    const { reply } = this;
    this.reply = undefined;
    if (reply !== undefined) {
      const { facts, pieces } = reply;
      this.thread.addReply(
        { role: 'assistant', blocks: joinPieces(pieces), timestamp: facts.timestamp },
        facts,
      );
    }
  }

  private addPieces(value: unknown, { record: { line } }: Place, pieces: readonly NewBlock[]): void {
    this.reply ??= {
      facts: { line, timestamp: timeAt(value, 'timestamp'), model: this.model },
      pieces: [],
    };
    this.reply.pieces.push(...pieces);
  }
}

/** The total has the thoughts too, which are billed as output. */
function sumOf(counts: unknown): RecordedUsage | undefined {
  const usage = readUsage(counts, 'geminiRun');
  const total = numberAt(counts, 'total_tokens') ?? 0;
  return usage && { ...usage, output: Math.max(usage.output, total - usage.input - usage.cacheRead) };
}
