import { isArray, member, numberAt, objectAt, stringAt, timeAt } from '../base/json';
import { resultBlocks } from '../content/blockFactory';
import { contentBlocks } from '../wire/generic/blocks';
import { answeredCall } from '../content/knownCalls';
import { below, eachAt, flatMapAt, type Place } from '../content/place';
import type { TranscriptBuilder } from '../content/transcriptBuilder';
import type { LineFormat, SourceRecord } from '../reading/format';
import { mostAre } from './common/mostAre';
import { Thread } from './common/thread';
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

class EntireReader {
  private readonly thread: Thread;

  constructor(private readonly builder: TranscriptBuilder) {
    builder.agentName = 'Entire';
    this.thread = new Thread(builder);
  }

  push({ value, range }: SourceRecord): void {
    this.builder.agentName = stringAt(value, 'agent') ?? this.builder.agentName;
    const type = stringAt(value, 'type') ?? '';
    const place = { record: range, path: [] };
    const at = below(place, 'content');
    const message = { id: stringAt(value, 'id'), timestamp: timeAt(value, 'ts') };
    const { calls } = this.thread;
    switch (type) {
      case 'user': {
        const blocks = contentBlocks(member(value, 'content'), at, 'user', calls);
        this.thread.add({ ...message, role: 'user', blocks });
        return;
      }
      case 'user_tool_result':
        this.addResult(value, place, stringAt(value, 'tool_use_id'));
        return;
      case 'assistant': {
        const blocks = isArray(member(value, 'content'))
          ? flatMapAt(value, place, 'content', (part, partPlace) =>
              // The result in a call is sent after the whole reply.
              contentBlocks(part, partPlace, 'assistant', calls).filter(({ kind }) => kind !== 'toolResult'),
            )
          : contentBlocks(member(value, 'content'), at, 'assistant', calls);
        const usage = readUsage(value, 'anthropic');
        this.thread.addRecorded({ ...message, role: 'assistant', blocks }, { line: range.line, usage });
        eachAt(value, place, 'content', (part, partPlace) => {
          if (objectAt(part, 'result') !== undefined) {
            this.addResult(part, partPlace, stringAt(part, 'id'));
          }
        });
        return;
      }
      default:
        this.builder.leaveOutUnknown(range, type === '' ? undefined : `${type} record`);
    }
  }

  end(): void {
    this.builder.title = this.builder.firstPrompt;
  }

  private addResult(holder: unknown, place: Place, callId: string | undefined): void {
    const result = objectAt(holder, 'result');
    const isError = stringAt(result, 'status') === 'error';
    const facts = { callId, call: answeredCall(this.thread.calls, callId), isError };
    const blocks = resultBlocks(member(result, 'output'), below(place, 'result', 'output'), facts);
    this.thread.add({ role: 'tool', blocks });
  }
}
