import {
  arrayAt,
  epochAt,
  isArray,
  isObject,
  type JsonObject,
  member,
  objectAt,
  stringAt,
} from '../base/json';
import { resultText, type TextClass } from '../content/classification';
import { contentBlocks, readChatMessage, type ReadMessage } from '../wire/generic/blocks';
import type { KnownCalls } from '../content/knownCalls';
import { below, flatMapAt, type Place, sourceOf } from '../content/place';
import type { DocumentFormat } from '../reading/format';
import { Thread } from './common/thread';
import { readUsage, withCost } from '../wire/usage';

/**
 * A mini-swe-agent trajectory: `{messages, info, trajectory_format}`, or the bare list of messages of old versions.
 * Each reply is in the file twice: as the message, and as the provider's response next to it, which has the usage.
 */
export const miniSweAgent: DocumentFormat = {
  kind: 'document',
  id: 'mini-swe-agent',
  name: 'mini-swe-agent trajectory',
  matches: document =>
    stringAt(document, 'trajectory_format')?.startsWith('mini-swe-agent') === true ||
    (isObject(document) && isObject(document['info']) && isBareHistory(document['messages'])) ||
    isBareHistory(document),
  read({ value: document, range }, locate, builder) {
    const isBare = isArray(document);
    const messages = isBare ? document : arrayAt(document, 'messages');
    const root: Place = { record: range, path: isBare ? [] : ['messages'], locate };
    const info = objectAt(document, 'info');
    const timeline = new Thread(builder);
    let hasSystem = false;
    let hasSpoken = false;
    const usesTools = messages.some(
      message => arrayAt(message, 'tool_calls').length > 0 || stringAt(message, 'object') === 'response',
    );
    builder.agentName = 'mini-swe-agent';
    builder.addVersion(stringAt(info, 'mini_version'));
    builder.sessionId = stringAt(document, 'instance_id');
    messages.forEach((message, index) => {
      const place = below(root, index);
      const source = sourceOf(place);
      const role = stringAt(message, 'role');
      if (role === 'exit') {
        builder.leaveOut('exit record', source);
        return;
      }
      if (!isObject(message)) {
        builder.addProblem('malformedRecord', source.line);
        return;
      }
      const extra = objectAt(message, 'extra');
      const timestamp = epochAt(extra, 'timestamp');
      const textClass = role === 'user' && hasSpoken ? resultText : undefined;
      const read = readItem(message, place, timeline.calls, textClass);
      if (read.role !== 'assistant') {
        hasSystem ||= read.role === 'system';
        timeline.add({ ...read, timestamp });
        return;
      }
      hasSpoken = true;
      const copy = objectAt(extra, 'response');
      const response = stringAt(message, 'object') === 'response' ? message : copy;
      const usage = member(response, 'usage');
      timeline.addReply(
        { ...read, timestamp },
        {
          complete: hasSystem && !usesTools,
          line: source.line,
          id: stringAt(response, 'id'),
          model:
            stringAt(response, 'model') ??
            stringAt(objectAt(objectAt(info, 'config'), 'model'), 'model_name'),
          timestamp,
          usage: withCost(
            readUsage(usage, 'openaiChat') ?? readUsage(usage, 'openaiResponses'),
            member(extra, 'cost'),
          ),
        },
      );
      if (copy !== undefined) {
        builder.leaveOut('copy of the reply in extra.response', sourceOf(below(place, 'extra', 'response')));
      }
    });
    builder.title = builder.firstPrompt;
  },
};

/** A list of messages in which the model answers with commands in fenced blocks. */
function isBareHistory(value: unknown): boolean {
  return (
    isArray(value) &&
    value.length > 1 &&
    value.every(item => stringAt(item, 'role') !== undefined && stringAt(item, 'content') !== undefined) &&
    value.some(
      item =>
        stringAt(item, 'role') === 'assistant' &&
        /```(mswea_bash_command|bash)\n/.test(stringAt(item, 'content') ?? ''),
    )
  );
}

/** A chat message, or a reply or a result of the Responses API, which newer versions store unchanged. */
function readItem(
  message: JsonObject,
  place: Place,
  calls: KnownCalls,
  textClass: TextClass | undefined,
): ReadMessage {
  if (message['object'] === 'response') {
    const blocks = flatMapAt(message, place, 'output', (item, at) =>
      stringAt(item, 'type') === 'message'
        ? contentBlocks(member(item, 'content'), below(at, 'content'), 'assistant', calls)
        : contentBlocks(item, at, 'assistant', calls),
    );
    return { role: 'assistant', blocks };
  }
  return message['type'] === 'function_call_output'
    ? { role: 'tool', blocks: contentBlocks(message, place, 'tool', calls) }
    : readChatMessage(message, place, calls, { textClass });
}
