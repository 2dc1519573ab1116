import type { JsonValue, JsonValueObject } from '../../base/jsonValue';
import type {
  AnnotatedContent,
  AnnotatedMessage,
  AnnotatedPart,
  AnnotatedRequest,
  AnnotatedTool,
  AnnotatedToolCall,
} from '../../context/annotatedRequest';
import {
  extraOf,
  functionChoice,
  functionTool,
  hasOnly,
  isJsonObject,
  kindOf,
  listOf,
  memberOf,
  nativeOf,
  nativeTool,
  objectOf,
  optionalMembers,
  optionalText,
  presentOf,
  refuse,
  textOf,
  without,
} from '../annotating/members';

const provider = 'openai_chat';

/** Members that have a place of their own in `api_specific`. */
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

function contentOf(value: JsonValue): AnnotatedContent {
  return typeof value === 'string' ? value : listOf(value, 'content').map(partOf);
}

function partOf(value: JsonValue): AnnotatedPart {
  const part = objectOf(value, 'content part');
  const kind = kindOf(part);
  switch (kind) {
    case 'text':
      return { type: kind, text: textOf(memberOf(part, 'text'), 'text'), ...extraOf(part, 'type', 'text') };
    case 'refusal':
      return {
        type: kind,
        refusal: textOf(memberOf(part, 'refusal'), 'refusal'),
        ...extraOf(part, 'type', 'refusal'),
      };
    case 'image_url': {
      const image = objectOf(memberOf(part, 'image_url'), 'image_url');
      const detail = optionalText(image, 'detail');
      return {
        type: kind,
        imageUrl: { url: textOf(memberOf(image, 'url'), 'url'), ...(detail !== undefined && { detail }) },
        ...extraOf(part, 'type', 'image_url'),
      };
    }
    case 'input_audio':
      return {
        type: 'audio',
        audio: presentOf(part, 'input_audio'),
        ...extraOf(part, 'type', 'input_audio'),
      };
    case 'file':
      return { type: kind, file: presentOf(part, 'file'), ...extraOf(part, 'type', 'file') };
    default:
      return { type: 'provider_native', ...nativeOf(provider, value) };
  }
}

function messageOf(value: JsonValue): AnnotatedMessage {
  const message = objectOf(value, 'message');
  const role = textOf(memberOf(message, 'role'), 'role');
  const native = { role: 'provider_native', ...nativeOf(provider, value, role) } as const;
  switch (role) {
    case 'system':
    case 'developer':
    case 'user':
      return hasOnly(message, 'role', 'content', 'name')
        ? { role, content: contentOf(presentOf(message, 'content')), ...nameOf(message) }
        : native;
    case 'assistant':
      return hasOnly(message, 'role', 'content', 'tool_calls', 'name')
        ? (assistantOf(message) ?? native)
        : native;
    case 'tool':
      return hasOnly(message, 'role', 'content', 'tool_call_id')
        ? {
            role,
            content: contentOf(presentOf(message, 'content')),
            toolCallId: textOf(memberOf(message, 'tool_call_id'), 'tool_call_id'),
          }
        : native;
    case 'function':
      return hasOnly(message, 'role', 'content', 'name')
        ? {
            role,
            content: optionalText(message, 'content') ?? null,
            name: textOf(memberOf(message, 'name'), 'name'),
          }
        : native;
    default:
      return native;
  }
}

/** Undefined where a call has members of its own; then the whole message stays as it is. */
function assistantOf(message: JsonValueObject): AnnotatedMessage | undefined {
  const content = memberOf(message, 'content') ?? null;
  const read = content === null ? {} : { content: contentOf(content) };
  const calls = memberOf(message, 'tool_calls') ?? null;
  if (calls === null) {
    return { role: 'assistant', ...read, ...nameOf(message) };
  }
  const toolCalls = listOf(calls, 'tool_calls').map(callOf);
  const known = toolCalls.flatMap(call => call ?? []);
  return known.length === toolCalls.length
    ? { role: 'assistant', ...read, toolCalls: known, ...nameOf(message) }
    : undefined;
}

function callOf(value: JsonValue): AnnotatedToolCall | undefined {
  const call = objectOf(value, 'tool call');
  if (memberOf(call, 'type') !== 'function' || !hasOnly(call, 'id', 'type', 'function')) {
    return undefined;
  }
  const called = objectOf(memberOf(call, 'function'), 'function');
  return hasOnly(called, 'name', 'arguments')
    ? {
        id: textOf(memberOf(call, 'id'), 'id'),
        type: 'function',
        function: {
          name: textOf(memberOf(called, 'name'), 'name'),
          arguments: textOf(memberOf(called, 'arguments'), 'arguments'),
        },
      }
    : undefined;
}

function nameOf(message: JsonValueObject) {
  const name = optionalText(message, 'name');
  return name === undefined ? {} : { name };
}

/** A tool's definition in upstream's form. */
export function chatTool(value: JsonValue): AnnotatedTool {
  const tool = objectOf(value, 'tool');
  if (memberOf(tool, 'type') !== 'function') {
    return nativeTool(provider, value);
  }
  const definition = memberOf(tool, 'function');
  return isJsonObject(definition)
    ? functionTool(
        definition,
        memberOf(definition, 'parameters'),
        without(definition, 'name', 'description', 'parameters', 'strict'),
        without(tool, 'type', 'function'),
      )
    : refuse('function');
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
