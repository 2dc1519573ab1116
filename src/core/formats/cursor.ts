import { isArray, isObject, member, objectAt, stringAt } from '../base/json';
import { readChatMessage } from '../wire/generic/blocks';
import type { TranscriptBuilder } from '../content/transcriptBuilder';
import type { LineFormat, SourceRecord } from '../reading/format';
import { mostAre } from './common/mostAre';
import { Thread } from './common/thread';

/**
 * Cursor's agent transcripts, `agent-transcripts/<id>/<id>.jsonl`. They contain no tool results, times,
 * models or token counts, so every request after a call is incomplete.
 */
export const cursor: LineFormat = {
  kind: 'lines',
  id: 'cursor-agent',
  name: 'Cursor agent transcript',
  matches: records => mostAre(records, isMessage),
  open: builder => new CursorReader(builder),
};

function isMessage(record: unknown): boolean {
  const role = stringAt(record, 'role');
  return (
    (role === 'user' || role === 'assistant') &&
    isObject(record) &&
    !Object.hasOwn(record, 'type') &&
    isArray(member(record['message'], 'content'))
  );
}

class CursorReader {
  private readonly thread: Thread;
  private hasCalled = false;

  constructor(private readonly builder: TranscriptBuilder) {
    builder.agentName = 'Cursor';
    this.thread = new Thread(builder);
  }

  push({ value, range }: SourceRecord): void {
    if (!isMessage(value)) {
      this.builder.leaveOutUnknown(range, 'a record of an unknown kind');
      return;
    }
    const role = stringAt(value, 'role') === 'assistant' ? 'assistant' : 'user';
    const message = objectAt(value, 'message');
    const place = { record: range, path: ['message'] };
    const { blocks } = readChatMessage(message, place, this.thread.calls, { role });
    if (role === 'assistant' && this.hasCalled) {
      this.builder.addProblem('missingRequestContent', range.line);
    }
    this.thread.addRecorded({ role, blocks }, { line: range.line });
    this.hasCalled ||= blocks.some(({ kind }) => kind === 'toolCall');
  }

  end(): void {
    this.builder.title = this.builder.firstPrompt;
  }
}
