import { isArray, member, numberAt, objectAt, stringAt, timeAt } from '../base/json';
import { resultBlocks } from '../content/blockFactory';
import { contentBlocks } from '../wire/generic/blocks';
import { answeredCall } from '../content/knownCalls';
import { below, eachAt, flatMapAt, type Place } from '../content/place';
import type { NewBlock, TranscriptBuilder } from '../content/transcriptBuilder';
import type { RecordedUsage } from '../model/transcript';
import type { LineFormat, SourceRecord } from '../reading/format';
import type { HistoryMark } from './common/history';
import { mostAre } from './common/mostAre';
import { Thread, type ThreadItem } from './common/thread';
import { readUsage } from '../wire/usage';

/**
 * `transcript.jsonl` of Entire's checkpoints: any agent's session in one short form, without thinking, system prompt and
 * tools (entireio/cli, transcript/compact).
 */
export const entire: LineFormat = {
  kind: 'lines',
  id: 'entire',
  name: 'Entire checkpoint',
  matches: records => mostAre(records, isLine),
  open: builder => new EntireReader(builder),
};

function isLine(record: unknown): boolean {
  return (
    numberAt(record, 'v') !== undefined &&
    stringAt(record, 'agent') !== undefined &&
    stringAt(record, 'cli_version') !== undefined
  );
}

/** A reply, which may stand on several lines with one id. The results of its calls are sent after all of them. */
interface OpenReply {
  readonly id: string | undefined;
  readonly timestamp: number | undefined;
  readonly line: number;
  readonly blocks: NewBlock[];
  readonly results: { readonly part: unknown; readonly place: Place }[];
  usage: RecordedUsage | undefined;
}

class EntireReader {
  private readonly thread: Thread;
  private open: OpenReply | undefined;
  private ended:
    | { readonly open: OpenReply | undefined; readonly history: HistoryMark<ThreadItem> }
    | undefined;

  constructor(private readonly builder: TranscriptBuilder) {
    builder.agentName = 'Entire';
    this.thread = new Thread(builder);
  }

  push({ value, range }: SourceRecord): void {
    this.builder.agentName = stringAt(value, 'agent') ?? this.builder.agentName;
    const type = stringAt(value, 'type') ?? '';
    const place = { record: range, path: [] };
    switch (type) {
      case 'user':
        this.endReply();
        this.addUser(value, place);
        return;
      case 'user_tool_result':
        this.endReply();
        this.addResult(value, place, stringAt(value, 'tool_use_id'));
        return;
      case 'assistant':
        this.addReply(value, place);
        return;
      default:
        this.builder.leaveOutUnknown(range, type === '' ? undefined : `${type} record`);
    }
  }

  end(): void {
    this.ended = { open: this.open, history: this.thread.mark() };
    this.endReply();
    this.builder.title = this.builder.firstPrompt;
  }

  /** A reply at the end may go on in the next line. */
  resume(): boolean {
    const { ended } = this;
    if (ended !== undefined) {
      this.thread.restore(ended.history);
      this.open = ended.open;
    }
    return true;
  }

  private addUser(value: unknown, place: Place): void {
    const { calls } = this.thread;
    const blocks = contentBlocks(member(value, 'content'), below(place, 'content'), 'user', calls);
    if (blocks.some(({ kind }) => kind === 'summary')) {
      this.thread.replace([]);
      this.thread.noteCompaction({ line: place.record.line });
    }
    this.thread.add({ id: stringAt(value, 'id'), timestamp: timeAt(value, 'ts'), role: 'user', blocks });
  }

  private addReply(value: unknown, place: Place): void {
    const { calls } = this.thread;
    const id = stringAt(value, 'id');
    if (id === undefined || this.open?.id !== id) {
      this.endReply();
    }
    this.open ??= {
      id,
      timestamp: timeAt(value, 'ts'),
      line: place.record.line,
      blocks: [],
      results: [],
      usage: undefined,
    };
    const { open } = this;
    const blocks = isArray(member(value, 'content'))
      ? flatMapAt(value, place, 'content', (part, partPlace) =>
          contentBlocks(part, partPlace, 'assistant', calls).filter(({ kind }) => kind !== 'toolResult'),
        )
      : contentBlocks(member(value, 'content'), below(place, 'content'), 'assistant', calls);
    open.blocks.push(...blocks);
    const usage = readUsage(value, 'anthropic');
    // Every line has the usage of the whole reply; the output grows while the reply comes in.
    open.usage = usage !== undefined && usage.output >= (open.usage?.output ?? 0) ? usage : open.usage;
    eachAt(value, place, 'content', (part, partPlace) => {
      if (objectAt(part, 'result') !== undefined) {
        open.results.push({ part, place: partPlace });
      }
    });
  }

  private endReply(): void {
    const { open } = this;
    this.open = undefined;
    if (open !== undefined) {
      const { id, timestamp, line, blocks, results, usage } = open;
      this.thread.addRecorded({ id, timestamp, role: 'assistant', blocks }, { line, usage });
      results.forEach(({ part, place }) => this.addResult(part, place, stringAt(part, 'id')));
    }
  }

  private addResult(holder: unknown, place: Place, callId: string | undefined): void {
    const result = objectAt(holder, 'result');
    const isError = stringAt(result, 'status') === 'error';
    const facts = { callId, call: answeredCall(this.thread.calls, callId), isError };
    const blocks = resultBlocks(member(result, 'output'), below(place, 'result', 'output'), facts);
    this.thread.add({ role: 'tool', blocks });
  }
}
