import {
  type JsonObject,
  arrayAt,
  epochAt,
  isArray,
  isObject,
  member,
  objectAt,
  stringAt,
} from '../base/json';
import { resultBlocks } from '../content/blockFactory';
import type { TextClass } from '../content/classification';
import { type ReadMessage, contentBlocks, readChatMessage } from '../content/dialects/generic';
import { type Place, below } from '../content/place';
import type { RecordedUsage } from '../model/transcript';
import type { DocumentFormat } from '../reading/format';
import { Thread } from './common/thread';
import { readUsage } from './common/usage';

const observation: TextClass = { kind: 'toolResult', partition: 'history', provenance: 'tool' };

/**
 * A mini-swe-agent trajectory: `{messages, info, trajectory_format}`, or the bare list of messages of old ones. A reply
 * stands in the file twice, as the message and as the provider's response beside it, which gives the usage.
 */
export const miniSweAgent: DocumentFormat = {
  kind: 'document',
  id: 'mini-swe-agent',
  name: 'mini-swe-agent trajectory',
  matches: document =>
    stringAt(document, 'trajectory_format')?.startsWith('mini-swe-agent') === true ||
    (isObject(document) && isObject(document['info']) && isBareHistory(document['messages'])) ||
    isBareHistory(document),
  read(record, locate, builder) {
    const document = record.value;
    const isBare = isArray(document);
    const messages = isBare ? document : arrayAt(document, 'messages');
    const root: Place = { record: record.range, path: isBare ? [] : ['messages'], locate };
    const info = objectAt(document, 'info');
    const version = stringAt(info, 'mini_version');
    const timeline = new Thread(builder, 0);
    let hasSystem = false;
    const usesTools = messages.some(
      message => arrayAt(message, 'tool_calls').length > 0 || stringAt(message, 'object') === 'response',
    );
    let hasSpoken = false;
    builder.agentName = 'mini-swe-agent';
    if (version !== undefined) {
      builder.versions.add(version);
    }
    builder.sessionId = stringAt(document, 'instance_id');
    messages.forEach((message, index) => {
      const place = below(root, index);
      const source = locate(place.path);
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
      const textClass = role === 'user' && hasSpoken ? observation : undefined;
      const read: ReadMessage = {
        ...(readResponsesItem(message, place, timeline) ??
          readChatMessage(message, place, timeline.calls, { textClass })),
        timestamp,
      };
      if (read.role !== 'assistant') {
        hasSystem ||= read.role === 'system';
        const prompt = timeline.add(read).find(number => builder.blocks.at(number)?.kind === 'prompt');
        builder.title ??= prompt === undefined ? undefined : builder.blocks.at(prompt)?.label;
        return;
      }
      const complete = hasSystem && !usesTools;
      hasSpoken = true;
      const response = stringAt(message, 'object') === 'response' ? message : objectAt(extra, 'response');
      const model =
        stringAt(response, 'model') ?? stringAt(objectAt(objectAt(info, 'config'), 'model'), 'model_name');
      const id = stringAt(response, 'id');
      const usage = usageOf(response);
      timeline.addReply(read, {
        complete,
        line: source.line,
        id,
        model,
        timestamp,
        usage,
      });
      if (objectAt(extra, 'response') !== undefined) {
        builder.leaveOut('copy of the reply in extra.response', locate([...place.path, 'extra', 'response']));
      }
    });
    return builder.build(this.id);
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

/** A reply or a result as the Responses API has them, which newer versions keep as they are. */
function readResponsesItem(message: JsonObject, place: Place, { calls }: Thread): ReadMessage | undefined {
  if (message['object'] === 'response') {
    const blocks = arrayAt(message, 'output').flatMap((item, index) => {
      const at = below(place, 'output', index);
      return stringAt(item, 'type') === 'message'
        ? contentBlocks(member(item, 'content'), below(at, 'content'), 'assistant', calls)
        : contentBlocks(item, at, 'assistant', calls);
    });
    return { role: 'assistant', blocks };
  }
  if (message['type'] === 'function_call_output') {
    const callId = stringAt(message, 'call_id');
    const call = callId === undefined ? undefined : calls.get(callId);
    return {
      role: 'tool',
      blocks: resultBlocks(message['output'], below(place, 'output'), { callId, call }),
    };
  }
  return undefined;
}

function usageOf(response: unknown): RecordedUsage | undefined {
  const usage = member(response, 'usage');
  return readUsage(usage, 'openaiChat') ?? readUsage(usage, 'responses');
}
