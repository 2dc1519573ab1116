import { isArray, member, objectAt, stringAt } from '../../base/json';
import {
  dataBlock,
  otherBlock,
  resultBlocks,
  type ResultFacts,
  textBlocksAt,
  thinkingBlock,
  toolCallBlock,
} from '../../content/blockFactory';
import { retrieved } from '../../content/classification';
import { contentBlocks, readChatMessage } from '../../wire/generic/blocks';
import { answeredCall, type KnownCalls } from '../../content/knownCalls';
import { mediaOfData } from '../../content/media';
import { below, eachAt, flatMapAt, noTextAt, type Place, sourceOf, textAt } from '../../content/place';
import type { NewBlock } from '../../content/transcriptBuilder';
import type { Thread } from '../common/thread';

/** A part of a user's prompt. The mentioned content is sent after the words, in a frame that is not stored. */
export function userBlocks(part: unknown, place: Place): readonly NewBlock[] {
  const mention = objectAt(part, 'Mention');
  const image = objectAt(part, 'Image');
  if (mention !== undefined) {
    const at = below(place, 'Mention');
    return textBlocksAt(mention, at, 'content', 'user', retrieved);
  }
  if (image !== undefined) {
    const found = textAt(image, below(place, 'Image'), 'source');
    return [dataBlock(mediaOfData(found, { mediaType: 'image/png', isImage: true }), place, 'user')];
  }
  return typeof member(part, 'Text') === 'string'
    ? textBlocksAt(part, place, 'Text', 'user')
    : [otherBlock(part, place, 'user')];
}

/** Adds a reply and the results of its calls, which Zed stores next to it. */
export function readAgent(agent: unknown, place: Place, thread: Thread, model: string | undefined): void {
  const { calls } = thread;
  const blocks = flatMapAt(agent, place, 'content', (part, at) => agentBlocks(part, at, calls));
  thread.addReply({ role: 'assistant', blocks }, { line: sourceOf(place).line, model });
  const at = below(place, 'tool_results');
  for (const [callId, result] of Object.entries(objectAt(agent, 'tool_results') ?? {})) {
    const facts = { callId, call: answeredCall(calls, callId), isError: member(result, 'is_error') === true };
    // One part, or a list of parts: each an object with one member, `Text` or `Image`.
    const content = member(result, 'content');
    const list = isArray(content) ? content : [content];
    const results = list.flatMap((part, index) => {
      const partAt = below(at, callId, 'content', ...(isArray(content) ? [index] : []));
      const image = objectAt(part, 'Image');
      return image === undefined
        ? textPart(part, partAt, facts)
        : [
            dataBlock(
              mediaOfData(textAt(image, below(partAt, 'Image'), 'source'), { isImage: true }),
              partAt,
              'tool',
              facts,
            ),
          ];
    });
    thread.add({ role: 'tool', blocks: results });
  }
}

/** A part of a result: its member `Text`, or the part itself if it is a string. */
function textPart(part: unknown, place: Place, facts: ResultFacts): readonly NewBlock[] {
  const text = member(part, 'Text');
  return text === undefined
    ? resultBlocks(part, place, facts)
    : resultBlocks(text, below(place, 'Text'), facts);
}

function agentBlocks(part: unknown, place: Place, calls: KnownCalls): readonly NewBlock[] {
  const thinking = objectAt(part, 'Thinking');
  const use = objectAt(part, 'ToolUse');
  if (thinking !== undefined) {
    return [thinkingBlock(textAt(thinking, below(place, 'Thinking'), 'text'), place)];
  }
  if (use !== undefined) {
    const at = below(place, 'ToolUse', 'input');
    const call = { toolName: stringAt(use, 'name') ?? 'unknown', callId: stringAt(use, 'id') };
    return [toolCallBlock({ ...call, input: member(use, 'input'), place: at, callPlace: place }, calls)];
  }
  if (typeof member(part, 'RedactedThinking') === 'string') {
    return [thinkingBlock(noTextAt(place), place, 'thinking, encrypted')];
  }
  return typeof member(part, 'Text') === 'string'
    ? textBlocksAt(part, place, 'Text', 'assistant')
    : [otherBlock(part, place, 'assistant')];
}

/** Reads threads of 2025: segments, with the calls and results of a message next to them. */
export function readOlder(message: unknown, place: Place, thread: Thread, model: string | undefined): void {
  const { calls } = thread;
  const { role } = readChatMessage({ role: stringAt(message, 'role') }, place, calls);
  const blocks = [
    ...textBlocksAt(message, place, 'context', 'user', retrieved),
    ...flatMapAt(message, place, 'segments', (part, at) => contentBlocks(part, at, role, calls)),
    ...flatMapAt(message, place, 'tool_uses', (use, at) =>
      toolCallBlock(
        {
          toolName: stringAt(use, 'name') ?? 'unknown',
          callId: stringAt(use, 'id'),
          input: member(use, 'input'),
          place: below(at, 'input'),
          callPlace: at,
        },
        calls,
      ),
    ),
  ];
  thread.addRecorded({ role, blocks }, { line: sourceOf(place).line, model });
  eachAt(message, place, 'tool_results', (result, at) => {
    const callId = stringAt(result, 'tool_use_id');
    const facts = { callId, call: answeredCall(calls, callId), isError: member(result, 'is_error') === true };
    const content = member(result, 'content');
    thread.add({ role: 'tool', blocks: textPart(content, below(at, 'content'), facts) });
  });
}
