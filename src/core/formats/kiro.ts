import { isArray, isObject, member, objectAt, stringAt, timeAt } from '../base/json';
import {
  otherBlock,
  roleOfMessage,
  textBlocks,
  thinkingBlock,
  toolResultBlock,
} from '../content/blockFactory';
import { memoryFile } from '../content/classification';
import { callBlock, contentBlocks, type ReadMessage } from '../wire/generic/blocks';
import { answeredCall, type KnownCalls } from '../content/knownCalls';
import { below, eachAt, flatMapAt, lines, type Place, sourceOf, textAt, textOf } from '../content/place';
import type { NewBlock } from '../content/transcriptBuilder';
import type { DocumentFormat } from '../reading/format';
import { Thread } from './common/thread';

/** Conversations of Kiro's command line (formerly Amazon Q): pairs of a user message and a reply. */
export const kiro: DocumentFormat = {
  kind: 'document',
  id: 'kiro',
  name: 'Kiro conversation',
  matches: document =>
    stringAt(document, 'conversation_id') !== undefined && isArray(member(document, 'history')),
  read({ value, range }, locate, builder) {
    builder.agentName = 'Kiro';
    builder.sessionId = stringAt(value, 'conversation_id');
    const thread = new Thread(builder);
    eachAt(value, { record: range, locate, path: [] }, 'history', (pair, place) => {
      const half = (index: number, key: string): readonly [unknown, Place] =>
        isArray(pair) ? [pair[index], below(place, index)] : [member(pair, key), below(place, key)];
      const [user, userPlace] = half(0, 'user');
      const blocks = userBlocks(user, userPlace, thread.calls);
      if (Object.keys(objectAt(user, 'content') ?? {}).length === 0) {
        builder.addProblem('malformedRecord', sourceOf(userPlace).line);
      }
      thread.add({ role: roleOfMessage('user', blocks), blocks, timestamp: timeAt(user, 'timestamp') });
      const [reply, replyPlace] = half(1, 'assistant');
      if (reply !== undefined && reply !== null) {
        thread.addRecorded(readReply(reply, replyPlace, thread.calls), { line: sourceOf(replyPlace).line });
      }
    });
    builder.title = builder.firstPrompt;
  },
};

function userBlocks(user: unknown, place: Place, calls: KnownCalls): readonly NewBlock[] {
  const extra = textAt(user, place, 'additional_context');
  const content = objectAt(user, 'content') ?? {};
  return [
    ...(extra.content === ''
      ? []
      : textBlocks(extra, below(place, 'additional_context'), 'user', memoryFile)),
    ...Object.entries(content).flatMap(([kind, value]) => {
      const at = below(place, 'content', kind);
      const results = flatMapAt(value, at, 'tool_use_results', (result, resultPlace) =>
        resultBlock(result, resultPlace, calls),
      );
      const prompt = stringAt(value, 'prompt');
      const rest =
        prompt !== undefined
          ? contentBlocks(prompt, below(at, 'prompt'), 'user', calls)
          : isArray(member(value, 'tool_use_results'))
            ? []
            : [otherBlock(value, at, 'user')];
      return [...results, ...rest];
    }),
  ];
}

function resultBlock(result: unknown, place: Place, calls: KnownCalls): NewBlock {
  const callId = stringAt(result, 'tool_use_id');
  // Each part is an object with one member: `Text` or `Json`.
  const texts = flatMapAt(result, place, 'content', (part, at) =>
    Object.entries(isObject(part) ? part : {}).map(([key, value]) => textOf(value, below(at, key))),
  );
  return toolResultBlock(lines(texts), place, {
    callId,
    call: answeredCall(calls, callId),
    isError: stringAt(result, 'status') === 'Error',
  });
}

function readReply(reply: unknown, place: Place, calls: KnownCalls): ReadMessage {
  const kind = objectAt(reply, 'ToolUse') === undefined ? 'Response' : 'ToolUse';
  const value = objectAt(reply, kind);
  const at = below(place, kind);
  if (value === undefined) {
    return { role: 'assistant', blocks: [otherBlock(reply, place, 'assistant')] };
  }
  const blocks = [
    ...(stringAt(value, 'reasoning') === undefined
      ? []
      : [thinkingBlock(textAt(value, at, 'reasoning'), at)]),
    ...contentBlocks(stringAt(value, 'content'), below(at, 'content'), 'assistant', calls),
    ...flatMapAt(value, at, 'tool_uses', (use, usePlace) => callBlock(use, usePlace, calls)),
  ];
  return { role: 'assistant', blocks, id: stringAt(value, 'message_id') };
}
