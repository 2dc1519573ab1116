import type { JsonValue, JsonValueObject } from '../../src/core/base/jsonValue';
import type {
  AnnotatedContent,
  AnnotatedMessage,
  AnnotatedPart,
  AnnotatedRequest,
  AnnotatedTool,
} from '../../src/core/context/annotatedRequest';
import {
  extraOf,
  functionTool,
  isJsonObject,
  listOf,
  memberOf,
  objectOf,
  optionalOf,
  optionalText,
  presentOf,
  refuse,
  textOf,
  without,
} from '../../src/core/context/providers/members';

// Reads a request from upstream's own JSON form, as its types declare it (crates/types/src/codec/request.rs, 0.9.2).

/** @throws RefusedRequest where upstream could not read it. */
export function annotatedFromJson(json: JsonValueObject): AnnotatedRequest {
  const instructions = memberOf(json, 'instructions') ?? null;
  const tools = memberOf(json, 'tools') ?? null;
  const extra = without(json, 'messages', 'instructions', 'tools', 'response_format');
  return {
    messages: listOf(memberOf(json, 'messages') ?? [], 'messages').map(messageFromJson),
    ...(instructions !== null && { instructions: contentFromJson(instructions) }),
    ...(tools !== null && { tools: listOf(tools, 'tools').map(toolFromJson) }),
    ...(Object.hasOwn(json, 'response_format') && { responseFormat: json['response_format'] ?? null }),
    extra: Object.fromEntries(
      Object.entries(extra).filter(([name, value]) => value !== null || !modelled.has(name)),
    ),
  };
}

/** Members that upstream has a name for: null is the same as absent there. */
const modelled = new Set([
  ...[
    'model',
    'params',
    'tool_choice',
    'store',
    'previous_response_id',
    'truncation',
    'reasoning',
    'include',
  ],
  ...['user', 'metadata', 'service_tier', 'parallel_tool_calls', 'max_output_tokens', 'max_tool_calls'],
  ...['top_logprobs', 'stream', 'api_specific'],
]);

function messageFromJson(value: JsonValue): AnnotatedMessage {
  const message = objectOf(value, 'message');
  const role = memberOf(message, 'role');
  switch (role) {
    case 'system':
    case 'developer':
    case 'user':
      return { role, content: contentFromJson(presentOf(message, 'content')), ...optional(message, 'name') };
    case 'assistant': {
      const content = memberOf(message, 'content') ?? null;
      const calls = memberOf(message, 'tool_calls') ?? null;
      return {
        role,
        ...(content !== null && { content: contentFromJson(content) }),
        ...(calls !== null && { toolCalls: listOf(calls, 'tool_calls').map(callFromJson) }),
        ...optional(message, 'name'),
      };
    }
    case 'tool':
      return {
        role,
        content: contentFromJson(presentOf(message, 'content')),
        toolCallId: textOf(memberOf(message, 'tool_call_id'), 'tool_call_id'),
      };
    case 'function':
      return {
        role,
        content: optionalText(message, 'content') ?? null,
        name: textOf(memberOf(message, 'name'), 'name'),
      };
    case 'tool_call':
      return {
        role,
        ...optional(message, 'id'),
        callId: textOf(memberOf(message, 'call_id'), 'call_id'),
        name: textOf(memberOf(message, 'name'), 'name'),
        arguments: presentOf(message, 'arguments'),
        ...extraOf(message, 'role', 'id', 'call_id', 'name', 'arguments'),
      };
    case 'tool_result':
      return {
        role,
        ...optional(message, 'id'),
        callId: textOf(memberOf(message, 'call_id'), 'call_id'),
        output: presentOf(message, 'output'),
        ...extraOf(message, 'role', 'id', 'call_id', 'output'),
      };
    case 'provider_native':
      return { role, ...nativeFromJson(message) };
    default:
      return refuse('role');
  }
}

function callFromJson(value: JsonValue) {
  const call = objectOf(value, 'tool call');
  const called = objectOf(memberOf(call, 'function'), 'function');
  return {
    id: textOf(memberOf(call, 'id'), 'id'),
    type: textOf(memberOf(call, 'type'), 'type'),
    function: {
      name: textOf(memberOf(called, 'name'), 'name'),
      arguments: textOf(memberOf(called, 'arguments'), 'arguments'),
    },
  };
}

function contentFromJson(value: JsonValue): AnnotatedContent {
  return typeof value === 'string' ? value : listOf(value, 'content').map(partFromJson);
}

function partFromJson(value: JsonValue): AnnotatedPart {
  const part = objectOf(value, 'part');
  const type = memberOf(part, 'type');
  switch (type) {
    case 'text':
      return { type, text: textOf(memberOf(part, 'text'), 'text'), ...extraOf(part, 'type', 'text') };
    case 'refusal': {
      const refusal = textOf(memberOf(part, 'refusal'), 'refusal');
      return { type, refusal, ...extraOf(part, 'type', 'refusal') };
    }
    case 'image_url': {
      const image = objectOf(memberOf(part, 'image_url'), 'image_url');
      return {
        type,
        imageUrl: { url: textOf(memberOf(image, 'url'), 'url'), ...optional(image, 'detail') },
        ...extraOf(part, 'type', 'image_url'),
      };
    }
    case 'image':
      return { type, image: presentOf(part, 'image'), ...extraOf(part, 'type', 'image') };
    case 'audio':
      return { type, audio: presentOf(part, 'audio'), ...extraOf(part, 'type', 'audio') };
    case 'file':
      return { type, file: presentOf(part, 'file'), ...extraOf(part, 'type', 'file') };
    case 'tool_use':
      return {
        type,
        id: textOf(memberOf(part, 'id'), 'id'),
        name: textOf(memberOf(part, 'name'), 'name'),
        input: presentOf(part, 'input'),
        ...extraOf(part, 'type', 'id', 'name', 'input'),
      };
    case 'tool_result': {
      const isError = optionalOf(part, 'is_error', 'boolean');
      return {
        type,
        toolUseId: textOf(memberOf(part, 'tool_use_id'), 'tool_use_id'),
        content: presentOf(part, 'content'),
        ...(typeof isError === 'boolean' && { isError }),
        ...extraOf(part, 'type', 'tool_use_id', 'content', 'is_error'),
      };
    }
    case 'provider_native':
      return { type, ...nativeFromJson(part) };
    default:
      return refuse('type');
  }
}

function toolFromJson(value: JsonValue): AnnotatedTool {
  const tool = objectOf(value, 'tool');
  const definition = memberOf(tool, 'function');
  if (memberOf(tool, 'type') === 'provider_native') {
    const native = nativeFromJson(tool);
    return { name: native.kind, definition: { type: 'provider_native', ...native } };
  }
  return isJsonObject(definition)
    ? functionTool(
        definition,
        memberOf(definition, 'parameters'),
        without(definition, 'name', 'description', 'parameters', 'strict'),
        without(tool, 'type', 'function'),
      )
    : refuse('function');
}

function nativeFromJson(native: JsonValueObject) {
  return {
    provider: textOf(memberOf(native, 'provider'), 'provider'),
    kind: textOf(memberOf(native, 'kind'), 'kind'),
    value: presentOf(native, 'value'),
  };
}

function optional<Name extends string>(
  object: JsonValueObject,
  name: Name,
): { readonly [Key in Name]?: string } {
  const text = optionalText(object, name);
  const members: { [Key in Name]?: string } = {};
  if (text !== undefined) {
    members[name] = text;
  }
  return members;
}
