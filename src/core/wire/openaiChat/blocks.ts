import { arrayAt, isArray, member, objectAt, stringAt } from '../../base/json';
import type { PromptRole } from '../../model/labels';
import {
  emptyBlock,
  otherBlock,
  partBlock,
  resultBlocks,
  textBlocks,
  thinkingBlock,
  toolCallBlock,
} from '../../content/blockFactory';
import { classOfRole, developerPrompt } from '../../content/classification';
import { answeredCall, type KnownCalls } from '../../content/knownCalls';
import { below, type FoundText, type Place, textAt, textOf, textOfParts } from '../../content/place';
import type { NewBlock } from '../../content/transcriptBuilder';

/** The Prompt IR's role for a role of the chat API; undefined for a role that the API does not have. */
export function promptRoleOf(role: string | undefined): PromptRole | undefined {
  switch (role) {
    case 'system':
    case 'developer':
      return 'system';
    case 'user':
    case 'assistant':
    case 'tool':
      return role;
    case 'function':
      return 'tool';
    case undefined:
    default:
      return undefined;
  }
}

/**
 * Cuts one OpenAI chat message into blocks, in wire order: reasoning, content, refusal, then tool calls. A message with
 * none of these becomes one empty block, so that it is not lost.
 */
export function chatMessageBlocks(message: unknown, place: Place, calls: KnownCalls): NewBlock[] {
  const role = promptRoleOf(stringAt(message, 'role')) ?? 'user';
  const content = member(message, 'content');
  const contentPlace = below(place, 'content');
  if (role === 'tool') {
    const callId = stringAt(message, 'tool_call_id');
    const call = answeredCall(calls, callId, stringAt(message, 'name'));
    return resultBlocks(content, contentPlace, { callId, call });
  }
  const usual = stringAt(message, 'role') === 'developer' ? developerPrompt : classOfRole(role);
  const blocks = role === 'assistant' ? reasoningBlocks(message, place) : [];
  const add = (found: FoundText, at: Place): void => {
    if (found.content !== '') {
      blocks.push(...textBlocks(found, at, role, undefined, usual));
    }
  };
  if (typeof content === 'string') {
    add(textOf(content, contentPlace), contentPlace);
  } else if (isArray(content)) {
    content.forEach((part, index) => {
      const at = below(contentPlace, index);
      const key = textKeyOf(part);
      if (key === undefined) {
        blocks.push(partBlock(part, at, role));
      } else {
        add(textAt(part, at, key), below(at, key));
      }
    });
  } else if (content !== undefined && content !== null) {
    blocks.push(otherBlock(content, contentPlace, role));
  }
  add(textAt(message, place, 'refusal'), below(place, 'refusal'));
  arrayAt(message, 'tool_calls').forEach((call, index) => {
    blocks.push(chatCallBlock(call, below(place, 'tool_calls', index), calls));
  });
  if (objectAt(message, 'function_call') !== undefined) {
    // The old form of a call has no id: its answer names the function.
    const called = member(message, 'function_call');
    blocks.push(functionBlock(called, below(place, 'function_call'), undefined, 'arguments', place, calls));
  }
  return blocks.length > 0 ? blocks : [emptyBlock(place, role, usual)];
}

/** The key under which a part keeps its text; `undefined` for a part that is not text. */
function textKeyOf(part: unknown): 'text' | 'refusal' | undefined {
  const type = stringAt(part, 'type');
  if (type !== 'text' && type !== 'refusal') {
    return undefined;
  }
  return stringAt(part, 'text') !== undefined
    ? 'text'
    : stringAt(part, 'refusal') === undefined
      ? undefined
      : 'refusal';
}

function reasoningBlocks(message: unknown, place: Place): NewBlock[] {
  for (const key of ['reasoning_content', 'reasoning']) {
    if ((stringAt(message, key) ?? '') !== '') {
      return [thinkingBlock(textAt(message, place, key), below(place, key))];
    }
  }
  const at = below(place, 'reasoning_details');
  const found = textOfParts(arrayAt(message, 'reasoning_details'), at);
  return found.content === '' ? [] : [thinkingBlock(found, at)];
}

/** A call `{id, function: {name, arguments}}`, or `{id, custom: {name, input}}`. */
export function chatCallBlock(call: unknown, place: Place, calls: KnownCalls): NewBlock {
  const custom = objectAt(call, 'custom');
  const [key, argument] = custom === undefined ? ['function', 'arguments'] : ['custom', 'input'];
  return functionBlock(member(call, key), below(place, key), stringAt(call, 'id'), argument, place, calls);
}

function functionBlock(
  called: unknown,
  place: Place,
  callId: string | undefined,
  argument: string,
  callPlace: Place,
  calls: KnownCalls,
): NewBlock {
  const toolName = stringAt(called, 'name') ?? 'unknown';
  const input = member(called, argument);
  return toolCallBlock({ toolName, callId, input, place: below(place, argument), callPlace }, calls);
}
