import { member, numberAt, objectAt, stringAt } from '../../base/json';
import type { LineFormat, SourceRecord } from '../../reading/format';
import { callBlock, replyBlock, resultBlocks, type PartOwner } from './opencodeBlocks';
import { readOpencodeUsage } from './opencodeUsage';
import type { NewBlock, TranscriptBuilder } from '../../content/transcriptBuilder';
import { Thread } from '../common/thread';

/** What `opencode run --format json` prints: the parts of the replies as they come. The prompt is not among them. */
export const opencodeRun: LineFormat = {
  kind: 'lines',
  id: 'opencode-run',
  name: 'opencode run --format json',
  matches: records => isPart(records[0]),
  open(builder) {
    builder.agentName = 'opencode';
    const reader = new RunReader(builder);
    return {
      push: record => reader.push(record),
      finish: () => {
        reader.finish();
        return builder.build(opencodeRun.id);
      },
    };
  },
};

function isPart(record: unknown): boolean {
  return (
    stringAt(record, 'sessionID')?.startsWith('ses_') === true &&
    stringAt(record, 'type') !== undefined &&
    (stringAt(objectAt(record, 'part'), 'type') !== undefined || objectAt(record, 'error') !== undefined)
  );
}

class RunReader {
  private readonly thread: Thread;
  private readonly reply: Omit<NewBlock, 'message'>[] = [];
  private readonly results: Omit<NewBlock, 'message'>[] = [];
  private started: {
    readonly id: string | undefined;
    readonly time: number | undefined;
    readonly line: number;
  } = {
    id: undefined,
    time: undefined,
    line: 1,
  };

  constructor(private readonly builder: TranscriptBuilder) {
    this.thread = new Thread(builder, 0);
  }

  push({ value, range }: SourceRecord): void {
    if (!isPart(value)) {
      this.builder.addProblem('unknownRecord', range.line);
      this.builder.leaveOut('a line of no known kind', range);
      return;
    }
    this.builder.sessionId ??= stringAt(value, 'sessionID');
    const part = member(value, 'part');
    const owner: PartOwner = { message: 0, record: range, path: ['part'], source: range };
    switch (stringAt(part, 'type')) {
      case 'text':
      case 'reasoning':
        this.reply.push(replyBlock(part, undefined, owner));
        return;
      case 'tool':
        this.reply.push(callBlock(part, owner));
        this.results.push(...resultBlocks(part, false, owner).map(({ block }) => block));
        return;
      case 'step-start':
        this.finish();
        this.started = {
          id: stringAt(part, 'messageID'),
          time: numberAt(value, 'timestamp'),
          line: range.line,
        };
        break;
      case 'step-finish':
        this.finish(objectAt(part, 'tokens'));
        break;
      case undefined:
      default:
    }
    this.builder.leaveOut(`${stringAt(part, 'type') ?? 'error'} part`, range);
  }

  /** Ends the reply that is open, if there is one. */
  finish(tokens?: unknown): void {
    const blocks = this.reply.splice(0);
    const results = this.results.splice(0);
    if (blocks.length === 0) {
      return;
    }
    const { id, time, line } = this.started;
    if (this.builder.requests.length === 0) {
      this.builder.addProblem('missingRequestContent', line);
    }
    const usage = readOpencodeUsage(tokens, true);
    this.thread.addReply(
      { role: 'assistant', blocks, id, timestamp: time },
      { id, timestamp: time, line, usage },
    );
    if (results.length > 0) {
      this.thread.add({ role: 'tool', blocks: results, id, timestamp: time });
    }
  }
}
