import { arrayAt, isArray, isObject, member, objectAt, stringAt } from '../base/json';
import { readChatMessage } from '../content/dialects/generic';
import type { TranscriptBuilder } from '../content/transcriptBuilder';
import type { LineFormat, SourceRecord } from '../reading/format';
import { Thread } from './common/thread';

/**
 * Cursor's agent transcripts, `agent-transcripts/<id>/<id>.jsonl`. They have no results of tools, times, models or
 * token counts, so every request after a call is incomplete.
 */
export const cursor: LineFormat = {
  kind: 'lines',
  id: 'cursor-agent',
  name: 'Cursor agent transcript',
  matches: records => isMessage(records[0]),
  open(builder) {
    builder.agentName = 'Cursor';
    const reader = new CursorReader(builder);
    return {
      push: record => reader.push(record),
      finish: () => {
        builder.title = builder.firstPrompt;
        return builder.build(cursor.id);
      },
      resume: () => true,
    };
  },
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
    this.thread = new Thread(builder, 0);
  }

  push({ value, range }: SourceRecord): void {
    if (!isMessage(value)) {
      this.builder.addProblem('unknownRecord', range.line);
      this.builder.leaveOut('a line of no known kind', range);
      return;
    }
    const role = stringAt(value, 'role') === 'assistant' ? 'assistant' : 'user';
    const message = objectAt(value, 'message');
    const place = { record: range, path: ['message'], locate: () => range };
    const { blocks } = readChatMessage(message, place, this.thread.calls, { role });
    if (role === 'user') {
      this.thread.add({ role, blocks });
      return;
    }
    if (this.hasCalled) {
      this.builder.addProblem('missingRequestContent', range.line);
    }
    this.thread.addReply({ role, blocks }, { line: range.line });
    this.hasCalled ||= arrayAt(message, 'content').some(part => stringAt(part, 'type') === 'tool_use');
  }
}
