import type { JsonValue, JsonValueObject } from '../../base/jsonValue';
import type {
  AnnotatedMessage,
  AnnotatedPart,
  AnnotatedRequest,
  AnnotatedTool,
  AnnotatedToolCall,
} from '../../context/annotatedRequest';
import {
  functionChoice,
  hasOnly,
  isJsonObject,
  kindOf,
  listOf,
  memberOf,
  nativeOf,
  nativeTool,
  objectOf,
  optionalMembers,
  presentOf,
  textAt,
} from '../annotating/members';
import {
  audioPart,
  contentOf,
  filePart,
  functionMessage,
  heldFunctionTool,
  imageUrlPart,
  optional,
  refusalPart,
  textPart,
  toolCall,
  toolMessage,
} from '../annotating/parts';
import { without } from '../../base/json';

const provider = 'openai_chat';

/** Members with a place of their own in `api_specific`. */
export const chatSpecific = {
  audio: 'object',
  frequency_penalty: 'number',
  function_call: 'any',
  functions: 'list',
  logit_bias: 'object',
  logprobs: 'boolean',
  modalities: 'texts',
  moderation: 'object',
  n: 'count',
  prediction: 'object',
  presence_penalty: 'number',
  prompt_cache_key: 'text',
  prompt_cache_options: 'object',
  prompt_cache_retention: 'text',
  reasoning_effort: 'text',
  response_format: 'object',
  safety_identifier: 'text',
  seed: 'whole',
  stream_options: 'object',
  verbosity: 'text',
  web_search_options: 'object',
} as const;

const common = {
  model: 'text',
  store: 'boolean',
  user: 'text',
  metadata: 'object',
  service_tier: 'text',
  parallel_tool_calls: 'boolean',
  top_logprobs: 'count',
  stream: 'boolean',
} as const;

/** The body of a request to OpenAI's chat completions API in upstream's form (codec/openai_chat.rs). */
export function chatRequest(body: JsonValueObject): AnnotatedRequest {
  const messages = listOf(memberOf(body, 'messages'), 'messages').map(messageOf);
  const tools = memberOf(body, 'tools');
  const choice = memberOf(body, 'tool_choice');
  const params = {
    ...optionalMembers(body, { temperature: 'number', top_p: 'number' }),
    ...optionalMembers(body, { max_tokens: 'count' }),
    ...optionalMembers(body, { max_completion_tokens: 'count' }, { max_completion_tokens: 'max_tokens' }),
    ...stopOf(body),
  };
  return {
    messages,
    ...(tools !== undefined && { tools: listOf(tools, 'tools').map(chatTool) }),
    extra: {
      ...optionalMembers(body, common),
      ...(Object.keys(params).length > 0 && { params }),
      ...(choice !== undefined && { tool_choice: toolChoice(choice) }),
      api_specific: { api: provider, ...optionalMembers(body, chatSpecific) },
      ...without(
        body,
        ...['messages', 'tools', 'tool_choice', 'temperature', 'top_p', 'stop', 'max_tokens'],
        'max_completion_tokens',
        ...Object.keys(common),
        ...Object.keys(chatSpecific),
      ),
    },
  };
}

function stopOf(body: JsonValueObject): JsonValueObject {
  const stop = memberOf(body, 'stop');
  if (typeof stop === 'string') {
    return { stop: [stop] };
  }
  return optionalMembers(body, { stop: 'texts' });
}

function partOf(value: JsonValue): AnnotatedPart {
  const part = objectOf(value, 'content part');
  switch (kindOf(part)) {
    case 'text':
      return textPart(part);
    case 'refusal':
      return refusalPart(part);
    case 'image_url':
      return imageUrlPart(part);
    case 'input_audio':
      return audioPart(part, 'input_audio');
    case 'file':
      return filePart(part);
    default:
      return { type: 'provider_native', ...nativeOf(provider, value) };
  }
}

function messageOf(value: JsonValue): AnnotatedMessage {
  const message = objectOf(value, 'message');
  const role = textAt(message, 'role');
  const native = { role: 'provider_native', ...nativeOf(provider, value, role) } as const;
  switch (role) {
    case 'system':
    case 'developer':
    case 'user':
      return hasOnly(message, 'role', 'content', 'name')
        ? { role, content: contentOf(presentOf(message, 'content'), partOf), ...optional(message, 'name') }
        : native;
    case 'assistant':
      return hasOnly(message, 'role', 'content', 'tool_calls', 'name')
        ? (assistantOf(message) ?? native)
        : native;
    case 'tool':
      return hasOnly(message, 'role', 'content', 'tool_call_id') ? toolMessage(message, partOf) : native;
    case 'function':
      return hasOnly(message, 'role', 'content', 'name') ? functionMessage(message) : native;
    default:
      return native;
  }
}

/** Undefined if a call has members of its own; then the whole message stays unchanged. */
function assistantOf(message: JsonValueObject): AnnotatedMessage | undefined {
  const content = memberOf(message, 'content') ?? null;
  const read = content === null ? {} : { content: contentOf(content, partOf) };
  const calls = memberOf(message, 'tool_calls') ?? null;
  if (calls === null) {
    return { role: 'assistant', ...read, ...optional(message, 'name') };
  }
  const toolCalls = listOf(calls, 'tool_calls').map(callOf);
  const known = toolCalls.flatMap(call => call ?? []);
  return known.length === toolCalls.length
    ? { role: 'assistant', ...read, toolCalls: known, ...optional(message, 'name') }
    : undefined;
}

function callOf(value: JsonValue): AnnotatedToolCall | undefined {
  const call = objectOf(value, 'tool call');
  if (memberOf(call, 'type') !== 'function' || !hasOnly(call, 'id', 'type', 'function')) {
    return undefined;
  }
  return hasOnly(objectOf(memberOf(call, 'function'), 'function'), 'name', 'arguments')
    ? toolCall(call)
    : undefined;
}

/** A tool's definition in upstream's form. */
export function chatTool(value: JsonValue): AnnotatedTool {
  const tool = objectOf(value, 'tool');
  return memberOf(tool, 'type') === 'function' ? heldFunctionTool(tool) : nativeTool(provider, value);
}

function toolChoice(value: JsonValue): JsonValue {
  if (value === 'auto' || value === 'none' || value === 'required') {
    return value;
  }
  const called =
    isJsonObject(value) && memberOf(value, 'type') === 'function' ? memberOf(value, 'function') : undefined;
  const name = isJsonObject(called) ? optionalNameOf(called) : undefined;
  return name === undefined ? { ...nativeOf(provider, value, 'tool_choice') } : functionChoice(name);
}

function optionalNameOf(called: JsonValueObject): string | undefined {
  const name = memberOf(called, 'name');
  return typeof name === 'string' ? name : undefined;
}
