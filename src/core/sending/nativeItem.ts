import {
  isArray,
  isObject,
  type JsonObject,
  member,
  objectAt,
  stringAt,
  type ValuePath,
  without,
} from '../base/json';
import type { NativeItem } from '../model/conversation';
import type { Protocol } from '../model/protocol';

/** A native item, and the number of path keys that lead to it. */
export interface FoundItem extends NativeItem {
  readonly depth: number;
}

const textMembers: ReadonlySet<string> = new Set(['type', 'text', 'citations', 'cache_control']);

const responsesItems: ReadonlySet<string> = new Set([
  'reasoning',
  'function_call',
  'function_call_output',
  'custom_tool_call',
  'custom_tool_call_output',
  'local_shell_call',
  'local_shell_call_output',
  'web_search_call',
  'image_generation_call',
  'computer_call',
  'computer_call_output',
  'code_interpreter_call',
  'mcp_call',
  'compaction',
]);

/** Member names that chat servers use for reasoning next to the content, as strings. */
const chatReasoning: ReadonlySet<unknown> = new Set(['reasoning_content', 'reasoning']);

/**
 * The outermost object on the path to a value that is an item of a provider's request and could be sent back: a content
 * block, an output item, a part. `undefined` if an agent stores a form of its own.
 */
export function nativeItemOf(root: unknown, path: ValuePath): FoundItem | undefined {
  let value = root;
  for (let depth = 0; depth < path.length; depth += 1) {
    const protocol = isObject(value) ? protocolOf(value, path, depth) : undefined;
    if (protocol !== undefined && isObject(value)) {
      return { protocol, item: value, depth };
    }
    const key = path[depth];
    value = typeof key === 'number' ? (isArray(value) ? value[key] : undefined) : member(value, key ?? '');
  }
  const last = path.at(-1);
  return chatReasoning.has(last) && typeof value === 'string' && typeof last === 'string'
    ? { protocol: 'openaiChat', item: { [last]: value }, depth: path.length }
    : undefined;
}

/** The protocol of an item, judged by its members and the list around it. */
function protocolOf(item: JsonObject, path: ValuePath, depth: number): Protocol | undefined {
  const list = typeof path[depth - 1] === 'number' ? path[depth - 2] : undefined;
  if (list === 'content' && isAnthropicBlock(item)) {
    return 'anthropic';
  }
  if (list === 'parts' && isGeminiPart(item)) {
    return 'gemini';
  }
  return responsesItems.has(stringAt(item, 'type') ?? '') && isWhole(item) ? 'openaiResponses' : undefined;
}

function isAnthropicBlock(item: JsonObject): boolean {
  switch (item['type']) {
    case 'text':
      return Object.keys(item).every(key => textMembers.has(key));
    case 'thinking':
      return (stringAt(item, 'signature') ?? '') !== '';
    case 'redacted_thinking':
      return typeof item['data'] === 'string';
    case 'tool_use':
    case 'server_tool_use':
      return typeof item['id'] === 'string' && isObject(item['input']);
    case 'tool_result':
      return typeof item['tool_use_id'] === 'string';
    case 'image':
    case 'document':
      return isObject(item['source']);
    default:
      return (
        (stringAt(item, 'type') ?? '').endsWith('_tool_result') && typeof item['tool_use_id'] === 'string'
      );
  }
}

function isGeminiPart(item: JsonObject): boolean {
  return (
    objectAt(item, 'functionCall') !== undefined ||
    objectAt(item, 'functionResponse') !== undefined ||
    objectAt(item, 'inlineData') !== undefined ||
    (typeof item['text'] === 'string' &&
      Object.keys(item).every(key => /^(text|thought|thoughtSignature)$/.test(key)))
  );
}

/**
 * True if an item can be sent back. Calls and results belong together by their id; reasoning can only be sent back
 * encrypted.
 */
function isWhole(item: JsonObject): boolean {
  switch (item['type']) {
    case 'reasoning':
    case 'compaction':
      return typeof item['encrypted_content'] === 'string';
    case 'web_search_call':
    case 'image_generation_call':
    case 'code_interpreter_call':
    case 'mcp_call':
      return true;
    default:
      return typeof item['call_id'] === 'string';
  }
}

/** The item without a cache breakpoint, because the request itself defines its breakpoints. */
export function unmarked(item: JsonObject): JsonObject {
  return without(item, 'cache_control');
}
