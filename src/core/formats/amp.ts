import { arrayAt, isArray, member, millisecondsAt, numberAt, objectAt, stringAt } from '../base/json';
import { resultBlocks, roleOfMessage } from '../content/blockFactory';
import { contentBlocks } from '../wire/generic/blocks';
import { answeredCall, type KnownCalls } from '../content/knownCalls';
import { below, eachAt, flatMapAt, type Place, sourceOf } from '../content/place';
import type { NewBlock } from '../content/transcriptBuilder';
import type { DocumentFormat } from '../reading/format';
import { Thread } from './common/thread';
import { readUsage } from '../wire/usage';

/** Amp's threads, `threads/T-<uuid>.json`: Anthropic's content blocks, except that a tool result contains its run. */
export const amp: DocumentFormat = {
  kind: 'document',
  id: 'amp',
  name: 'Amp thread',
  matches: document =>
    stringAt(document, 'id')?.startsWith('T-') === true && isArray(member(document, 'messages')),
  read({ value, range }, locate, builder) {
    builder.agentName = 'Amp';
    builder.sessionId = stringAt(value, 'id');
    const [tree] = arrayAt(objectAt(objectAt(value, 'env'), 'initial'), 'trees');
    builder.workingDirectory = stringAt(tree, 'uri')?.replace(/^file:\/\//, '');
    const thread = new Thread(builder);
    eachAt(value, { record: range, locate, path: [] }, 'messages', (message, place) => {
      readMessage(message, place, thread);
    });
    if (objectAt(value, 'usageLedger') !== undefined) {
      builder.leaveOut('token counts that are also in the messages', locate(['usageLedger']));
    }
    builder.title = stringAt(value, 'title') ?? builder.firstPrompt;
  },
};

function readMessage(message: unknown, place: Place, thread: Thread): void {
  const role = stringAt(message, 'role') === 'assistant' ? 'assistant' : 'user';
  const blocks = flatMapAt(message, place, 'content', (part, at) =>
    stringAt(part, 'type') === 'tool_result'
      ? answerBlocks(part, at, thread.calls)
      : contentBlocks(part, at, role, thread.calls),
  );
  const usage = objectAt(message, 'usage');
  thread.addRecorded(
    {
      role: roleOfMessage(role, blocks),
      blocks,
      id: numberAt(message, 'messageId')?.toString() ?? stringAt(message, 'messageId'),
      timestamp: millisecondsAt(objectAt(message, 'meta'), 'sentAt'),
    },
    { line: sourceOf(place).line, model: stringAt(usage, 'model'), usage: readUsage(usage, 'amp') },
  );
}

function answerBlocks(part: unknown, place: Place, calls: KnownCalls): readonly NewBlock[] {
  const callId = stringAt(part, 'toolUseID') ?? stringAt(part, 'tool_use_id');
  const run = objectAt(part, 'run');
  const status = stringAt(run, 'status');
  const isError = status === 'error' || status === 'rejected-by-user';
  const key = member(run, 'result') === undefined ? 'error' : 'result';
  const result = { callId, call: answeredCall(calls, callId), isError };
  return resultBlocks(member(run, key), below(place, 'run', key), result);
}
