import { arrayAt, isArray, isObject, member, stringAt } from '../../base/json';
import type { PromptRole } from '../../model/labels';
import {
  otherBlock,
  partBlock,
  resultBlocks,
  textBlock,
  textBlocks,
  thinkingBlock,
  toolCallBlock,
} from '../../content/blockFactory';
import {
  classifyReminder,
  classOfText,
  compactionSummary,
  type TextClass,
} from '../../content/classification';
import { answeredCall, type KnownCalls } from '../../content/knownCalls';
import { below, type FoundText, noTextAt, type Place, textAt, textOf } from '../../content/place';
import type { NewBlock } from '../../content/transcriptBuilder';

/**
 * Cuts the content of one Anthropic message (a string, or a list of content blocks) into blocks, in order. A content
 * block becomes one block. A text that mixes typed words with `<system-reminder>` parts becomes several. Images inside
 * a tool result become blocks after it. Unknown content becomes `other`, as JSON. Empty texts produce no block.
 * @param textClass set if the whole message was not written by a person: a summary, a reminder, a developer's note
 */
export function anthropicBlocks(
  content: unknown,
  place: Place,
  role: PromptRole,
  calls: KnownCalls,
  textClass?: TextClass,
): NewBlock[] {
  if (!isArray(content)) {
    return typeof content === 'string'
      ? spokenBlocks(textOf(content, place), place, role, textClass)
      : content === undefined || content === null
        ? []
        : [otherBlock(content, place, role)];
  }
  const blocks: NewBlock[] = [];
  for (let index = 0; index < content.length; index += 1) {
    blocks.push(...anthropicItemBlocks(content[index], below(place, index), role, calls, textClass));
  }
  return blocks;
}

/** The blocks of one item of a content list. */
export function anthropicItemBlocks(
  item: unknown,
  place: Place,
  role: PromptRole,
  calls: KnownCalls,
  textClass?: TextClass,
): NewBlock[] {
  const type = stringAt(item, 'type');
  switch (type ?? '') {
    case 'text':
      return stringAt(item, 'text') === undefined
        ? [otherBlock(item, place, role)]
        : spokenBlocks(textAt(item, place, 'text'), below(place, 'text'), role, textClass);
    case 'thinking':
      return [thinkingBlock(textAt(item, place, 'thinking'), place)];
    case 'redacted_thinking':
      return [thinkingBlock(noTextAt(below(place, 'data')), place, 'thinking, encrypted')];
    case 'tool_use':
    case 'server_tool_use':
    case 'mcp_tool_use':
      return [
        toolCallBlock(
          {
            toolName: stringAt(item, 'name') ?? 'unknown',
            callId: stringAt(item, 'id'),
            input: member(item, 'input'),
            place: below(place, 'input'),
            callPlace: place,
          },
          calls,
        ),
      ];
    case 'tool_result':
      return answerBlocks(item, place, calls);
    case 'image':
    case 'document':
      return [partBlock(item, place, role)];
    case 'compaction':
      return stringAt(item, 'content') === undefined
        ? [otherBlock(item, place, role)]
        : [textBlock(textAt(item, place, 'content'), place, role, compactionSummary)];
    default:
      // Each tool that the provider runs has its own result type: web_search_tool_result, mcp_tool_result …
      return type?.endsWith('_tool_result') === true
        ? answerBlocks(item, place, calls)
        : [otherBlock(item, place, role)];
  }
}

function spokenBlocks(
  found: FoundText,
  place: Place,
  role: PromptRole,
  textClass: TextClass | undefined,
): NewBlock[] {
  if (found.content === '') {
    return [];
  }
  // The system prompt is not among the messages: a message with the role `system` is a note between them.
  return role === 'system'
    ? [textBlock(found, place, role, textClass ?? classifyReminder(found.content))]
    : textBlocks(found, place, role, textClass);
}

function answerBlocks(item: unknown, place: Place, calls: KnownCalls): NewBlock[] {
  const callId = stringAt(item, 'tool_use_id');
  return resultBlocks(member(item, 'content'), below(place, 'content'), {
    callId,
    call: answeredCall(calls, callId),
    isError: member(item, 'is_error') === true,
  });
}

/** The system prompt, a string or a list of text blocks, as blocks: one per part. */
export function systemBlocks(system: unknown, place: Place): NewBlock[] {
  if (typeof system === 'string') {
    return system === ''
      ? []
      : [textBlock(textOf(system, place), place, 'system', classOfText(system, 'system'))];
  }
  return (isArray(system) ? system : []).flatMap((part, index) =>
    systemPartBlocks(part, below(place, index)),
  );
}

/** The blocks of one part of a system prompt. */
export function systemPartBlocks(part: unknown, place: Place): NewBlock[] {
  return stringAt(part, 'text') === undefined
    ? [otherBlock(part, place, 'system')]
    : systemBlocks(stringAt(part, 'text'), below(place, 'text'));
}

/** True if a content value is Anthropic's: it has a block type that no other provider uses. */
export function hasAnthropicBlocks(messages: readonly unknown[]): boolean {
  const types = new Set(['tool_use', 'tool_result', 'thinking', 'redacted_thinking', 'server_tool_use']);
  return messages.some(message =>
    arrayAt(message, 'content').some(
      item =>
        isObject(item) && (types.has(stringAt(item, 'type') ?? '') || Object.hasOwn(item, 'cache_control')),
    ),
  );
}
