import { member, millisecondsAt, objectAt, stringAt } from '../../base/json';
import type { NewBlock, TranscriptBuilder } from '../../content/transcriptBuilder';
import type { LineFormat, SourceRecord } from '../../reading/format';
import type { RequestFacts } from '../common/history';
import { Thread } from '../common/thread';
import { readUsage, withCost } from '../../wire/usage';
import { callBlock, replyBlock, resultBlocks } from './opencodeBlocks';

/** The output of `opencode run --format json`: the parts of the replies as they arrive, without the prompt. */
export const opencodeRun: LineFormat = {
  kind: 'lines',
  id: 'opencode-run',
  name: 'opencode run --format json',
  matches: records => records.some(isPart),
  open(builder) {
    builder.agentName = 'opencode';
    const reader = new RunReader(builder);
    return {
      push: record => reader.push(record),
      end: () => reader.finish(),
      resume: () => false,
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
  private readonly reply: NewBlock[] = [];
  private readonly results: NewBlock[] = [];
  /** The open step. */
  private step: Pick<RequestFacts, 'id' | 'timestamp' | 'line'> = { line: 1 };

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
    const { calls } = this.thread;
    const part = member(value, 'part');
    const place = { record: range, path: ['part'] };
    switch (stringAt(part, 'type') ?? '') {
      case 'text':
      case 'reasoning':
        this.reply.push(replyBlock(part, place));
        return;
      case 'tool':
        this.reply.push(callBlock(part, place, calls));
        this.results.push(...resultBlocks(part, false, place, calls).map(({ block }) => block));
        return;
      case 'step-start':
        this.finish();
        this.step = {
          id: stringAt(part, 'messageID'),
          timestamp: millisecondsAt(value, 'timestamp'),
          line: range.line,
        };
        break;
      case 'step-finish':
        this.finish(part);
        break;
      default:
    }
    this.builder.leaveOut(`${stringAt(part, 'type') ?? 'error'} part`, range);
  }

  /** Ends the reply that is open, if there is one. */
  finish(used?: unknown): void {
    const blocks = this.reply.splice(0);
    const results = this.results.splice(0);
    if (blocks.length === 0) {
      return;
    }
    const { id, timestamp, line } = this.step;
    if (this.builder.requests.length === 0) {
      this.builder.addProblem('missingRequestContent', line);
    }
    const usage = withCost(readUsage(objectAt(used, 'tokens'), 'opencodeBeside'), member(used, 'cost'));
    this.thread.addReply({ role: 'assistant', blocks, id, timestamp }, { id, timestamp, line, usage });
    this.thread.add({ role: 'tool', blocks: results, id, timestamp });
  }
}
