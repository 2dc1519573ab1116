import { isJsonValue, type JsonValue, type JsonValueObject } from '../../base/jsonValue';
import type {
  AnnotatedMessage,
  AnnotatedPart,
  AnnotatedRequest,
  AnnotatedTool,
} from '../../context/annotatedRequest';
import {
  extraOf,
  functionChoice,
  functionTool,
  hasOnly,
  isJsonObject,
  isList,
  kindOf,
  listOf,
  memberOf,
  nativeOf,
  nativeTool,
  objectOf,
  optionalMembers,
  optionalOf,
  optionalText,
  presentOf,
  textAt,
} from '../annotating/members';
import { callItem, contentOf, refusalPart, resultItem, textPart } from '../annotating/parts';
import { only, without } from '../../base/json';

const provider = 'openai_responses';

/** Members with a place of their own in `api_specific`. */
export const responsesSpecific = {
  background: 'boolean',
  context_management: 'list',
  conversation: 'any',
  moderation: 'object',
  prompt: 'object',
  prompt_cache_key: 'text',
  prompt_cache_options: 'object',
  prompt_cache_retention: 'text',
  safety_identifier: 'text',
  stream_options: 'object',
  text: 'object',
} as const;

const common = {
  model: 'text',
  store: 'boolean',
  previous_response_id: 'text',
  truncation: 'any',
  reasoning: 'object',
  include: 'list',
  user: 'text',
  metadata: 'object',
  service_tier: 'text',
  max_output_tokens: 'count',
  max_tool_calls: 'count',
  top_logprobs: 'count',
  stream: 'boolean',
} as const;

/** The body of a request to OpenAI's Responses API in upstream's form (codec/openai_responses.rs). */
export function responsesRequest(body: JsonValueObject): AnnotatedRequest {
  const input = memberOf(body, 'input');
  const instructions = optionalText(body, 'instructions');
  const tools = memberOf(body, 'tools');
  const choice = memberOf(body, 'tool_choice');
  const params = optionalMembers(
    body,
    { temperature: 'number', top_p: 'number', max_output_tokens: 'count' },
    { max_output_tokens: 'max_tokens' },
  );
  const extra = without(
    body,
    ...['input', 'instructions', 'tools', 'tool_choice', 'temperature', 'top_p', 'parallel_tool_calls'],
    ...Object.keys(common),
    ...Object.keys(responsesSpecific),
  );
  return {
    messages:
      typeof input === 'string' ? [{ role: 'user', content: input }] : listOf(input, 'input').map(itemOf),
    ...(instructions !== undefined && { instructions }),
    ...(tools !== undefined && { tools: listOf(tools, 'tools').map(responsesTool) }),
    ...('response_format' in extra && { responseFormat: extra['response_format'] ?? null }),
    extra: {
      ...optionalMembers(body, common),
      ...(Object.keys(params).length > 0 && { params }),
      ...(choice !== undefined && { tool_choice: toolChoice(choice) }),
      ...parallelCalls(body, choice),
      api_specific: { api: provider, ...optionalMembers(body, responsesSpecific) },
      ...extra,
    },
  };
}

const imageMembers = ['image_url', 'file_id', 'detail'] as const;
const fileMembers = ['file_data', 'file_id', 'file_url', 'filename'] as const;

function partOf(value: JsonValue): AnnotatedPart {
  const part = objectOf(value, 'content part');
  switch (kindOf(part)) {
    case 'input_text':
    case 'output_text':
      return textPart(part);
    case 'input_image':
      return {
        type: 'image',
        image: only(part, ...imageMembers),
        ...extraOf(part, 'type', ...imageMembers),
      };
    case 'input_file':
      return { type: 'file', file: only(part, ...fileMembers), ...extraOf(part, 'type', ...fileMembers) };
    case 'refusal':
      return refusalPart(part);
    default:
      return { type: 'provider_native', ...nativeOf(provider, value) };
  }
}

function itemOf(value: JsonValue): AnnotatedMessage {
  const item = objectOf(value, 'input item');
  const role = memberOf(item, 'role');
  if (typeof role === 'string') {
    return messageOf(item, role);
  }
  switch (kindOf(item)) {
    case 'function_call':
      return callItem(item, 'type', argumentsOf(textAt(item, 'arguments')));
    case 'function_call_output':
      return resultItem(item, 'type');
    default:
      return { role: 'provider_native', ...nativeOf(provider, value) };
  }
}

function messageOf(item: JsonValueObject, role: string): AnnotatedMessage {
  const native = { role: 'provider_native', ...nativeOf(provider, item, 'message') } as const;
  if (!hasOnly(item, 'type', 'role', 'content')) {
    return native;
  }
  const content = contentOf(presentOf(item, 'content'), partOf);
  switch (role) {
    case 'user':
    case 'system':
    case 'developer':
    case 'assistant':
      return { role, content };
    default:
      return native;
  }
}

/** Maximum nesting of arrays and objects that upstream's parser accepts (serde_json). */
const deepestNesting = 127;

/** The parsed value of a call's arguments, or their text if upstream cannot parse them. */
function argumentsOf(text: string): JsonValue {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return text;
  }
  // JSON.parse accepts half a surrogate pair, and turns numbers that are too large into Infinity.
  return isJsonValue(value) && isShallow(value, deepestNesting) && !hasHalfPair(text, value) ? value : text;
}

function isShallow(value: JsonValue, levels: number): boolean {
  const inner = isList(value) ? value : isJsonObject(value) ? Object.values(value) : undefined;
  return inner === undefined || (levels > 0 && inner.every(item => isShallow(item, levels - 1)));
}

function hasHalfPair(text: string, value: JsonValue): boolean {
  return /\\ud[89a-f]/i.test(text) && /\\ud[89a-f]/.test(JSON.stringify(value));
}

/** A tool's definition in upstream's form. */
export function responsesTool(value: JsonValue): AnnotatedTool {
  const tool = objectOf(value, 'tool');
  if (memberOf(tool, 'type') !== 'function') {
    return nativeTool(provider, value);
  }
  const inner = memberOf(tool, 'function');
  const definition = isJsonObject(inner) ? inner : tool;
  return functionTool(
    definition,
    memberOf(definition, 'parameters'),
    without(definition, 'type', 'name', 'description', 'parameters', 'strict', 'function'),
    definition === tool ? {} : without(tool, 'type', 'function'),
  );
}

function toolChoice(value: JsonValue): JsonValue {
  if (value === 'auto' || value === 'none' || value === 'required') {
    return value;
  }
  const native = { ...nativeOf(provider, value, 'tool_choice') };
  if (!isJsonObject(value)) {
    return native;
  }
  switch (kindOf(value)) {
    case 'auto':
      return 'auto';
    case 'any':
      return 'required';
    case 'none':
      return 'none';
    case 'tool':
    case 'function': {
      const called = memberOf(value, 'function');
      const names = [value, isJsonObject(called) ? called : {}].map(holder => memberOf(holder, 'name'));
      const name = names.find(found => typeof found === 'string');
      return typeof name === 'string' ? functionChoice(name) : native;
    }
    default:
      return native;
  }
}

function parallelCalls(body: JsonValueObject, choice: JsonValue | undefined): JsonValueObject {
  const parallel = optionalOf(body, 'parallel_tool_calls', 'boolean');
  if (parallel !== undefined) {
    return { parallel_tool_calls: parallel };
  }
  const disabled = isJsonObject(choice)
    ? optionalOf(choice, 'disable_parallel_tool_use', 'boolean')
    : undefined;
  return typeof disabled === 'boolean' ? { parallel_tool_calls: !disabled } : {};
}
