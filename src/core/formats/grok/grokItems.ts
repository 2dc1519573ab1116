import { arrayAt, member, stringAt } from '../../base/json';
import {
  mediaBlock,
  otherBlock,
  partBlock,
  resultBlocks,
  textBlocks,
  textBlocksAt,
} from '../../content/blockFactory';
import {
  agentText,
  classifyInjectedText,
  classifyReminder,
  compactionSummary,
  memoryFile,
  type TextClass,
} from '../../content/classification';
import { callBlock, type ReadMessage } from '../../wire/generic/blocks';
import { responsesItemBlocks } from '../../wire/openaiResponses/blocks';
import { answeredCall, type KnownCalls } from '../../content/knownCalls';
import { below, flatMapAt, type FoundText, type Place, textOfParts } from '../../content/place';

/**
 * Reads one item of Grok Build's history (xai-grok-sampling-types, ConversationItem); undefined if its kind is unknown.
 * A reply is several items: thinking, calls of tools that the provider runs, and last the message.
 */
export function readGrokItem(item: unknown, place: Place, calls: KnownCalls): ReadMessage | undefined {
  switch (stringAt(item, 'type') ?? '') {
    case 'system':
      return { role: 'system', blocks: textBlocksAt(item, place, 'content', 'system') };
    case 'user':
      return userItem(item, place);
    case 'reasoning':
      return { role: 'assistant', blocks: responsesItemBlocks(item, place, calls) };
    case 'backend_tool_call': {
      const blocks = [otherBlock(member(item, 'kind'), below(place, 'kind'), 'assistant')];
      return { role: 'assistant', blocks };
    }
    case 'assistant': {
      const blocks = [
        ...textBlocksAt(item, place, 'content', 'assistant'),
        ...flatMapAt(item, place, 'tool_calls', (call, at) => callBlock(call, at, calls)),
      ];
      return { role: 'assistant', blocks };
    }
    case 'tool_result': {
      const callId = stringAt(item, 'tool_call_id');
      const result = { callId, call: answeredCall(calls, callId) };
      const blocks = [
        ...resultBlocks(stringAt(item, 'content') ?? '', below(place, 'content'), result),
        ...flatMapAt(
          item,
          place,
          'images',
          (image, at) => mediaBlock(image, at, 'tool', result) ?? otherBlock(image, at, 'tool'),
        ),
      ];
      return { role: 'tool', blocks };
    }
    default:
      return undefined;
  }
}

/** A message of the user. Its texts are sent as one, each on its own line; images follow. */
function userItem(item: unknown, place: Place): ReadMessage {
  const found = textOfParts(arrayAt(item, 'content'), below(place, 'content'));
  const { blocks, ...message } = userMessage(found, place, stringAt(item, 'synthetic_reason'));
  const images = flatMapAt(item, place, 'content', (part, at) =>
    stringAt(part, 'type') === 'text' ? [] : partBlock(part, at, 'user'),
  );
  return { ...message, blocks: [...blocks, ...images] };
}

/** A text of the user role. `reason` says why no person typed it, if known. */
export function userMessage(found: FoundText, place: Place, reason?: string): ReadMessage {
  const textClass = classOfUser(reason, found.content);
  const blocks = found.content === '' ? [] : textBlocks(found, place, 'user', textClass);
  return { role: 'user', blocks, summary: textClass === compactionSummary ? true : undefined };
}

/** The class of a user text. A text that no person typed has a reason (xai-grok-sampling-types, SyntheticReason). */
function classOfUser(reason: string | undefined, text: string): TextClass | undefined {
  switch (reason) {
    case undefined:
    case 'interjection':
      return undefined;
    case 'project_instructions':
      return memoryFile;
    case 'agent_message':
    case 'parent_agent_message':
      return agentText;
    case 'compaction_meta':
      return classifyInjectedText(text) ?? compactionSummary;
    default:
      return classifyReminder(text);
  }
}
