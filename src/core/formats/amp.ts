import { arrayAt, isArray, member, numberAt, objectAt, stringAt } from '../base/json';
import { resultBlocks } from '../content/blockFactory';
import { contentBlocks } from '../content/dialects/generic';
import { type Place, below, sourceOf } from '../content/place';
import type { NewBlock, TranscriptBuilder } from '../content/transcriptBuilder';
import type { DocumentFormat } from '../reading/format';
import { Thread } from './common/thread';
import { readUsage } from './common/usage';

/** Amp's threads, `threads/T-<uuid>.json`: Anthropic's blocks, with a tool's run in its result. */
export const amp: DocumentFormat = {
  kind: 'document',
  id: 'amp',
  name: 'Amp thread',
  matches: document =>
    stringAt(document, 'id')?.startsWith('T-') === true && isArray(member(document, 'messages')),
  read(record, locate, builder) {
    const { value } = record;
    builder.agentName = 'Amp';
    builder.sessionId = stringAt(value, 'id');
    const [tree] = arrayAt(objectAt(objectAt(value, 'env'), 'initial'), 'trees');
    builder.workingDirectory = stringAt(tree, 'uri')?.replace(/^file:\/\//, '');
    const reader = new AmpReader(builder);
    arrayAt(value, 'messages').forEach((message, index) => {
      reader.read(message, { record: record.range, locate, path: ['messages', index] });
    });
    if (objectAt(value, 'usageLedger') !== undefined) {
      builder.leaveOut('token counts that the messages have too', locate(['usageLedger']));
    }
    builder.title = stringAt(value, 'title') ?? builder.firstPrompt;
    return builder.build(amp.id);
  },
};

class AmpReader {
  private readonly thread: Thread;

  constructor(builder: TranscriptBuilder) {
    this.thread = new Thread(builder, 0);
  }

  read(message: unknown, place: Place): void {
    const isReply = stringAt(message, 'role') === 'assistant';
    const blocks: NewBlock[] = [];
    arrayAt(message, 'content').forEach((part, index) => {
      blocks.push(...this.partBlocks(part, below(place, 'content', index), isReply));
    });
    const id = numberAt(message, 'messageId');
    const time = numberAt(objectAt(message, 'meta'), 'sentAt');
    const info = {
      role: isReply ? 'assistant' : blocks.some(({ role }) => role === 'tool') ? 'tool' : 'user',
      blocks,
      id: id === undefined ? stringAt(message, 'messageId') : String(id),
      timestamp: time,
    } as const;
    if (!isReply) {
      this.thread.add(info);
      return;
    }
    const usage = objectAt(message, 'usage');
    this.thread.addReply(info, {
      id: info.id,
      timestamp: info.timestamp,
      line: sourceOf(place).line,
      model: stringAt(usage, 'model'),
      usage: readUsage(usage, 'amp'),
    });
  }

  private partBlocks(part: unknown, place: Place, isReply: boolean): NewBlock[] {
    if (stringAt(part, 'type') !== 'tool_result') {
      const role = isReply ? 'assistant' : 'user';
      return contentBlocks(part, place, role, this.thread.calls);
    }
    const callId = stringAt(part, 'toolUseID') ?? stringAt(part, 'tool_use_id');
    const call = callId === undefined ? undefined : this.thread.calls.get(callId);
    const run = objectAt(part, 'run');
    const status = stringAt(run, 'status');
    const isError = status === 'error' || status === 'rejected-by-user';
    const key = member(run, 'result') === undefined ? 'error' : 'result';
    return resultBlocks(member(run, key), below(place, 'run', key), { callId, call, isError });
  }
}
