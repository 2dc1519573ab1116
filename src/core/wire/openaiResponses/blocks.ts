import { arrayAt, isArray, member, stringAt } from '../../base/json';
import type { PromptRole } from '../../model/labels';
import {
  otherBlock,
  partBlock,
  resultBlocks,
  schemaBlock,
  textBlock,
  textBlocks,
  thinkingBlock,
  toolCallBlock,
  toolResultBlock,
} from '../../content/blockFactory';
import { labelOfText } from '../../content/blockLabels';
import {
  agentText,
  classOfRole,
  compactionSummary,
  developerPrompt,
  systemPrompt,
  type TextClass,
} from '../../content/classification';
import { answeredCall, type KnownCalls } from '../../content/knownCalls';
import {
  below,
  type FoundText,
  jsonText,
  noTextAt,
  type Place,
  textAt,
  textOf,
  textOfParts,
} from '../../content/place';
import type { NewBlock } from '../../content/transcriptBuilder';

/** True if the model made this item; false for an item of its input. */
export function isModelItem(item: unknown): boolean {
  const type = stringAt(item, 'type') ?? 'message';
  return type === 'message'
    ? stringAt(item, 'role') === 'assistant'
    : type === 'reasoning' || type.endsWith('_call');
}

/**
 * Cuts one item of a Responses request or answer into blocks, in order. Unknown kinds become `other`, as JSON.
 * Encrypted reasoning and summaries are blocks without text: there is nothing to read or count.
 */
export function responsesItemBlocks(item: unknown, place: Place, calls: KnownCalls): NewBlock[] {
  const type = stringAt(item, 'type') ?? 'message';
  switch (type) {
    case 'message': {
      const role = stringAt(item, 'role');
      return role === 'developer'
        ? contentBlocks(item, place, 'system', developerPrompt)
        : contentBlocks(item, place, role === 'assistant' || role === 'system' ? role : 'user');
    }
    case 'agent_message':
      return contentBlocks(item, place, 'user', agentText);
    case 'reasoning':
      return [reasoningBlock(item, place)];
    case 'function_call':
    case 'custom_tool_call':
    case 'local_shell_call':
    case 'tool_search_call':
    case 'image_generation_call':
    case 'computer_call':
      return [callBlock(item, type, stringAt(item, 'call_id'), place, calls)];
    case 'web_search_call':
    case 'file_search_call':
      return servedBlocks(item, type, 'results', place, calls);
    case 'code_interpreter_call':
      return servedBlocks(item, type, 'outputs', place, calls);
    case 'mcp_call':
      return servedBlocks(item, type, 'output', place, calls);
    case 'function_call_output':
    case 'custom_tool_call_output':
    case 'local_shell_call_output':
    case 'computer_call_output':
    case 'tool_search_output':
      return outputBlocks(item, type, place, calls);
    case 'additional_tools':
      return toolBlocks(arrayAt(item, 'tools'), below(place, 'tools'));
    case 'compaction':
    case 'compaction_summary':
    case 'context_compaction':
      return [textBlock(encryptedText(place), place, 'user', compactionSummary, 'summary, encrypted')];
    default:
      return [otherBlock(item, place, isModelItem(item) ? 'assistant' : 'user')];
  }
}

/** Tool definitions as blocks. Tools inside a namespace follow its description one by one. */
export function toolBlocks(tools: readonly unknown[], place: Place): NewBlock[] {
  return tools.flatMap((tool, index): NewBlock[] => {
    const at = below(place, index);
    const inner = member(tool, 'tools');
    if (!isArray(inner)) {
      return [schemaBlock(tool, at)];
    }
    const name = stringAt(tool, 'name') ?? 'namespace';
    const blocks = toolBlocks(inner, below(at, 'tools')).map(block => ({
      ...block,
      label: `${name}.${block.label}`,
    }));
    const found = textAt(tool, at, 'description');
    return found.content === ''
      ? blocks
      : [textBlock(found, at, 'system', systemPrompt, `${name}: ${labelOfText(found.content)}`), ...blocks];
  });
}

function contentBlocks(
  item: unknown,
  place: Place,
  role: PromptRole,
  usual: TextClass = classOfRole(role),
): NewBlock[] {
  const content = member(item, 'content');
  const contentPlace = below(place, 'content');
  if (typeof content === 'string') {
    return content === ''
      ? []
      : textBlocks(textOf(content, contentPlace), contentPlace, role, undefined, usual);
  }
  const kinds = arrayAt(member(item, 'internal_chat_message_metadata_passthrough'), 'content_item_kinds');
  return (isArray(content) ? content : []).flatMap((part, index): NewBlock[] => {
    const at = below(contentPlace, index);
    switch (stringAt(part, 'type') ?? '') {
      case 'input_text':
      case 'output_text':
      case 'text':
      case 'refusal': {
        const key = stringAt(part, 'text') === undefined ? 'refusal' : 'text';
        const found = textAt(part, at, key);
        const known = kinds[index] === 'model.base_instructions' ? systemPrompt : undefined;
        return found.content === '' ? [] : textBlocks(found, below(at, key), role, known, usual);
      }
      case 'encrypted_content': {
        const found = textAt(part, at, 'encrypted_content');
        // Truly encrypted content is one long word of base64.
        return /\s/.test(found.content)
          ? textBlocks(found, below(at, 'encrypted_content'), role, undefined, usual)
          : [textBlock(encryptedText(at), at, role, usual, 'message, encrypted')];
      }
      default:
        return [partBlock(part, at, role)];
    }
  });
}

/** Reasoning: its own words if recorded, otherwise its summary. */
function reasoningBlock(item: unknown, place: Place): NewBlock {
  for (const key of ['content', 'summary']) {
    const found = textOfParts(arrayAt(item, key), below(place, key));
    if (found.content !== '') {
      return thinkingBlock(found, place);
    }
  }
  return thinkingBlock(encryptedText(place), place, 'thinking, encrypted');
}

function encryptedText(place: Place): FoundText {
  return noTextAt(below(place, 'encrypted_content'));
}

const argumentKeys = ['arguments', 'input', 'action', 'code', 'queries'];

/** A call. Its text is the arguments as the model wrote them. */
function callBlock(
  item: unknown,
  type: string,
  callId: string | undefined,
  place: Place,
  calls: KnownCalls,
): NewBlock {
  const key = argumentKeys.find(name => member(item, name) !== undefined) ?? 'arguments';
  return toolCallBlock(
    {
      toolName: stringAt(item, 'name') ?? type.replace(/_call$/, ''),
      callId,
      input: member(item, key),
      place: below(place, key),
      callPlace: place,
    },
    calls,
  );
}

/**
 * A call of a tool that the provider runs, and the tool's findings. The findings are in the item of the call, if the
 * provider was asked to include them.
 */
function servedBlocks(
  item: unknown,
  type: string,
  resultKey: string,
  place: Place,
  calls: KnownCalls,
): NewBlock[] {
  const key = [resultKey, 'error'].find(name => (member(item, name) ?? null) !== null);
  if (key === undefined) {
    return [callBlock(item, type, stringAt(item, 'call_id'), place, calls)];
  }
  const callId = stringAt(item, 'call_id') ?? stringAt(item, 'id');
  const call = callBlock(item, type, callId, place, calls);
  const result = { callId, call: answeredCall(calls, callId, call.toolName), isError: key === 'error' };
  return [call, ...resultBlocks(member(item, key), below(place, key), result)];
}

function outputBlocks(item: unknown, type: string, place: Place, calls: KnownCalls): NewBlock[] {
  const callId = stringAt(item, 'call_id');
  const result = { callId, call: answeredCall(calls, callId) };
  if (type === 'tool_search_output') {
    // The result contains the definitions of the tools that were found.
    const at = below(place, 'tools');
    return [toolResultBlock(jsonText(member(item, 'tools'), at), at, result)];
  }
  return resultBlocks(member(item, 'output'), below(place, 'output'), result);
}
