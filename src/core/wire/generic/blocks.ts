import { arrayAt, isArray, isObject, member, objectAt, stringAt } from '../../base/json';
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
import { classOfRole, developerPrompt, type TextClass } from '../../content/classification';
import { answeredCall, type KnownCall, type KnownCalls } from '../../content/knownCalls';
import { below, type FoundText, noText, type Place, textAt, textOf } from '../../content/place';
import type { NewBlock } from '../../content/transcriptBuilder';

/** A message with its blocks, before it gets a number. */
export interface ReadMessage {
  readonly role: PromptRole;
  readonly blocks: readonly NewBlock[];
  readonly id?: string | undefined;
  readonly timestamp?: number | undefined;
  readonly summary?: boolean | undefined;
}

/** A message of these blocks. Without blocks, it gets one empty block, so that it is not lost. */
export function messageOf(role: PromptRole, blocks: readonly NewBlock[], place: Place): ReadMessage {
  return { role, blocks: blocks.length > 0 ? blocks : [emptyBlock(place, role)] };
}

/** The Prompt IR's role for each name that trajectories, evaluation logs and traces use. */
const roles: ReadonlyMap<string, PromptRole> = new Map([
  ['system', 'system'],
  ['developer', 'system'],
  ['user', 'user'],
  ['human', 'user'],
  ['assistant', 'assistant'],
  ['ai', 'assistant'],
  ['gpt', 'assistant'],
  ['model', 'assistant'],
  ['agent', 'assistant'],
  ['tool', 'tool'],
  ['function', 'tool'],
  ['observation', 'tool'],
  ['tool_response', 'tool'],
]);

export function roleNamed(name: string | undefined): PromptRole | undefined {
  return roles.get((name ?? '').toLowerCase().replace(/(message)?(chunk)?$/, ''));
}

export interface MessageOptions {
  readonly role?: PromptRole;
  /** The class of the message's texts, if the role does not decide it. */
  readonly textClass?: TextClass | undefined;
}

/**
 * Reads a chat message as frameworks log it: a mix of the dialects of OpenAI, Anthropic, the Vercel AI SDK, LangChain,
 * Inspect and OpenTelemetry's GenAI conventions. The blocks are in the order reasoning, content, tool calls. A message
 * with none of these becomes one empty block, so that it is not lost.
 */
export function readChatMessage(
  value: unknown,
  place: Place,
  calls: KnownCalls,
  { role = roleNamed(stringAt(value, 'role')) ?? 'user', textClass }: MessageOptions = {},
): ReadMessage {
  const usual = stringAt(value, 'role') === 'developer' ? developerPrompt : classOfRole(role);
  const key = isObject(value) && Object.hasOwn(value, 'parts') ? 'parts' : 'content';
  const content = member(value, key);
  const id = stringAt(value, 'id');
  const blocks: NewBlock[] = [];
  if (role === 'assistant') {
    for (const name of ['reasoning_content', 'reasoning']) {
      const reasoning = stringAt(value, name);
      if (reasoning !== undefined && reasoning !== '' && blocks.length === 0) {
        blocks.push(thinkingBlock(textAt(value, place, name), place));
      }
    }
  }
  arrayAt(value, 'thinking_blocks').forEach((part, index) => {
    blocks.push(
      ...(blocks.length > 0 ? [] : partBlocks(part, below(place, 'thinking_blocks', index), role, calls)),
    );
  });
  if (role === 'tool' && !hasResultParts(content)) {
    const callId = resultId(value);
    const call = answeredCall(calls, callId, toolNamed(value));
    blocks.push(...resultBlocks(content, below(place, key), { callId, call, isError: hasError(value) }));
  } else {
    blocks.push(...contentBlocks(content, below(place, key), role, calls, textClass, usual));
  }
  blocks.push(...callBlocks(member(value, 'tool_calls'), below(place, 'tool_calls'), calls));
  if (blocks.length === 0) {
    blocks.push(emptyBlock(place, role, textClass ?? usual));
  }
  return { role, blocks, id };
}

/**
 * The blocks of a message's content: a string, a list of parts, or an unknown value.
 * @param textClass the class of all texts, if known; `usual`: the class of a text that matches no known marker
 */
export function contentBlocks(
  content: unknown,
  place: Place,
  role: PromptRole,
  calls: KnownCalls,
  textClass?: TextClass,
  usual?: TextClass,
): NewBlock[] {
  if (content === undefined || content === null) {
    return [];
  }
  return isArray(content)
    ? content.flatMap((part, index) => partBlocks(part, below(place, index), role, calls, textClass, usual))
    : partBlocks(content, place, role, calls, textClass, usual);
}

function partBlocks(
  part: unknown,
  place: Place,
  role: PromptRole,
  calls: KnownCalls,
  textClass?: TextClass,
  usual?: TextClass,
): NewBlock[] {
  const spoken = (found: FoundText): NewBlock[] =>
    found.content === '' ? [] : textBlocks(found, place, role, textClass, usual);
  if (typeof part === 'string') {
    return spoken(textOf(part, place));
  }
  const type = stringAt(part, 'type') ?? stringAt(part, 'kind');
  switch (type) {
    case 'text':
    case 'input_text':
    case 'output_text':
    case 'refusal': {
      const key = firstStringKey(part, ['text', 'content', 'refusal']);
      return key === undefined ? [otherBlock(part, place, role)] : spoken(textAt(part, place, key));
    }
    case 'reasoning':
    case 'thinking':
    case 'redacted_thinking':
    case 'think': {
      // Redacted reasoning is encrypted. If the provider recorded a summary, the summary is used.
      const redacted = member(part, 'redacted') === true;
      const key = firstStringKey(
        part,
        redacted ? ['summary'] : ['reasoning', 'thinking', 'think', 'text', 'content', 'summary'],
      );
      const found = key === undefined ? noText : textAt(part, place, key);
      const isCipher = redacted || type === 'redacted_thinking' || stringAt(part, 'encrypted') !== undefined;
      return [thinkingBlock(found, place, isCipher ? 'thinking, encrypted' : undefined)];
    }
    case 'tool_use':
    case 'tool_call':
    case 'tool-call':
    case 'toolCall':
    case 'function_call':
    case 'server_tool_call':
      return [callBlock(part, place, calls), ...ownResult(part, place, calls)];
    case 'tool_result':
    case 'tool-result':
    case 'tool_call_response':
    case 'function_call_output': {
      const callId = resultId(part) ?? stringAt(part, 'id');
      const call = answeredCall(calls, callId, toolNamed(part));
      const { value, key } = resultValue(part);
      return resultBlocks(value, below(place, ...key), { callId, call, isError: hasError(part) });
    }
    case undefined:
      return stringAt(part, 'text') === undefined
        ? [otherBlock(part, place, role)]
        : spoken(textAt(part, place, 'text'));
    default:
      return [partBlock(part, place, role)];
  }
}

/** The answer of a tool that ran at the provider, if the call itself contains it. */
function ownResult(part: unknown, place: Place, calls: ReadonlyMap<string, KnownCall>): NewBlock[] {
  const callId = stringAt(part, 'id');
  const result = member(part, 'result');
  return result === undefined || result === null
    ? []
    : resultBlocks(result, below(place, 'result'), { callId, call: answeredCall(calls, callId) });
}

function firstStringKey(value: unknown, keys: readonly string[]): string | undefined {
  return (
    keys.find(key => (stringAt(value, key) ?? '') !== '') ??
    keys.find(key => stringAt(value, key) !== undefined)
  );
}

/** The calls of a list; none if it is not a list. */
export function callBlocks(list: unknown, place: Place, calls: KnownCalls): NewBlock[] {
  return isArray(list) ? list.map((call, index) => callBlock(call, below(place, index), calls)) : [];
}

/** A tool call in any of the dialects. */
export function callBlock(call: unknown, place: Place, calls: KnownCalls): NewBlock {
  const nested = objectAt(call, 'function');
  const [holder, at] = nested === undefined ? [call, place] : [nested, below(place, 'function')];
  const key = ['arguments', 'args', 'input'].find(name => member(holder, name) !== undefined) ?? 'arguments';
  return toolCallBlock(
    {
      toolName:
        stringAt(call, 'function') ??
        stringAt(holder, 'name') ??
        stringAt(call, 'toolName') ??
        stringAt(call, 'function_name') ??
        'unknown',
      callId:
        stringAt(call, 'id') ??
        stringAt(call, 'toolCallId') ??
        stringAt(call, 'call_id') ??
        stringAt(call, 'tool_call_id'),
      input: member(holder, key),
      place: below(at, key),
      callPlace: place,
    },
    calls,
  );
}

function resultId(value: unknown): string | undefined {
  const first = arrayAt(value, 'tool_call_ids')[0];
  return (
    stringAt(value, 'tool_call_id') ??
    stringAt(value, 'tool_use_id') ??
    stringAt(value, 'toolCallId') ??
    stringAt(value, 'call_id') ??
    (typeof first === 'string' ? first : undefined)
  );
}

/** The name of the tool that a result itself gives. */
function toolNamed(value: unknown): string | undefined {
  return stringAt(value, 'function') ?? stringAt(value, 'toolName') ?? stringAt(value, 'name');
}

function hasError(value: unknown): boolean {
  return (
    objectAt(value, 'error') !== undefined ||
    member(value, 'isError') === true ||
    member(value, 'is_error') === true ||
    stringAt(value, 'status') === 'error'
  );
}

/** The Vercel AI SDK wraps results: `{output: {type, value}}`, or `result`. */
function resultValue(part: unknown): { readonly value: unknown; readonly key: readonly string[] } {
  const output = objectAt(part, 'output');
  if (output !== undefined && Object.hasOwn(output, 'value')) {
    return { value: output['value'], key: ['output', 'value'] };
  }
  const key = ['content', 'result', 'response', 'output'].find(name => member(part, name) !== undefined);
  return key === undefined ? { value: undefined, key: [] } : { value: member(part, key), key: [key] };
}

function hasResultParts(content: unknown): boolean {
  return (
    isArray(content) &&
    content.some(part =>
      ['tool_result', 'tool-result', 'tool_call_response'].includes(stringAt(part, 'type') ?? ''),
    )
  );
}
