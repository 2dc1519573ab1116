import type { JsonValue, JsonValueObject } from '../../base/jsonValue';
import type {
  AnnotatedContent,
  AnnotatedMessage,
  AnnotatedPart,
  AnnotatedRequest,
  AnnotatedTool,
} from '../../context/annotatedRequest';
import { chatSpecific } from '../openaiChat/annotated';
import {
  extraOf,
  functionTool,
  isJsonObject,
  type Kind,
  kindOf,
  listOf,
  memberOf,
  objectOf,
  optionalMembers,
  optionalOf,
  optionalText,
  presentOf,
  refuse,
  textOf,
  without,
} from './members';
import { responsesSpecific } from '../openaiResponses/annotated';

// Reads a request from upstream's own JSON form, as its types declare it (crates/types/src/codec/request.rs, 0.9.2).

/** @throws RefusedRequest where upstream could not read it. */
export function annotatedFromJson(json: JsonValueObject): AnnotatedRequest {
  const instructions = memberOf(json, 'instructions') ?? null;
  const tools = memberOf(json, 'tools') ?? null;
  const messages = memberOf(json, 'messages');
  return {
    messages: messages === undefined ? [] : listOf(messages, 'messages').map(messageFromJson),
    ...(instructions !== null && { instructions: contentFromJson(instructions) }),
    ...(tools !== null && { tools: listOf(tools, 'tools').map(toolFromJson) }),
    ...(Object.hasOwn(json, 'response_format') && { responseFormat: json['response_format'] ?? null }),
    extra: {
      ...optionalMembers(json, named),
      ...heldIn(json, 'params', params => optionalMembers(params, parameters)),
      ...heldIn(json, 'tool_choice', choiceFromJson),
      ...heldIn(json, 'api_specific', specificFromJson),
      ...without(
        json,
        ...['messages', 'instructions', 'tools', 'response_format', 'params', 'tool_choice', 'api_specific'],
        ...Object.keys(named),
      ),
    },
  };
}

/** Members of a request that upstream has a name for: null is the same as absent there. */
const named = {
  model: 'text',
  store: 'boolean',
  previous_response_id: 'text',
  truncation: 'any',
  reasoning: 'any',
  include: 'any',
  user: 'text',
  metadata: 'any',
  service_tier: 'text',
  parallel_tool_calls: 'boolean',
  max_output_tokens: 'count',
  max_tool_calls: 'count',
  top_logprobs: 'count',
  stream: 'boolean',
} as const;

const parameters = { temperature: 'number', max_tokens: 'count', top_p: 'number', stop: 'texts' } as const;

/** A member that is an object with members of its own, or one of a few words. */
function heldIn(
  json: JsonValueObject,
  name: string,
  read: (value: JsonValueObject) => JsonValueObject,
): JsonValueObject {
  const value = memberOf(json, name) ?? null;
  if (value === null) {
    return {};
  }
  const isWord = name === 'tool_choice' && (value === 'auto' || value === 'none' || value === 'required');
  return { [name]: isWord ? value : read(objectOf(value, name)) };
}

function choiceFromJson(choice: JsonValueObject): JsonValueObject {
  const type = memberOf(choice, 'type');
  const called = memberOf(choice, 'function');
  const name = isJsonObject(called) ? memberOf(called, 'name') : undefined;
  return typeof type === 'string' && typeof name === 'string'
    ? { type, function: { name } }
    : { ...nativeFromJson(choice) };
}

/** Members of one provider; what upstream has no name for is lost there. */
function specificFromJson(specific: JsonValueObject): JsonValueObject {
  const api = textOf(memberOf(specific, 'api'), 'api');
  switch (api) {
    case 'anthropic_messages':
      return { api, ...optionalMembers(specific, anthropicSpecific) };
    case 'openai_chat':
      return { api, ...optionalMembers(specific, freely(chatSpecific)) };
    case 'openai_responses':
      return { api, ...optionalMembers(specific, freely(responsesSpecific)) };
    case 'oci_genai':
      return {
        api,
        ...optionalMembers(specific, { compartment_id: 'text', serving_mode: 'any', api_format: 'text' }),
      };
    case 'custom': {
      const name = textOf(memberOf(specific, 'api_name'), 'api_name');
      return { api, api_name: name, data: presentOf(specific, 'data') };
    }
    default:
      return refuse('api');
  }
}

const anthropicSpecific = {
  cache_control: 'any',
  container: 'text',
  inference_geo: 'text',
  output_config: 'any',
  thinking: 'any',
  top_k: 'count',
  user_profile_id: 'text',
} as const;

/** Only the codecs look into objects and lists. */
function freely(kinds: Readonly<Record<string, Kind>>): Readonly<Record<string, Kind>> {
  return Object.fromEntries(
    Object.entries(kinds).map(([name, kind]) => [name, kind === 'object' || kind === 'list' ? 'any' : kind]),
  );
}

function messageFromJson(value: JsonValue): AnnotatedMessage {
  const message = objectOf(value, 'message');
  const role = textOf(memberOf(message, 'role'), 'role');
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
  const type = kindOf(part);
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

function optional<Name extends string>(object: JsonValueObject, name: Name): Partial<Record<Name, string>> {
  const text = optionalText(object, name);
  const members: Partial<Record<Name, string>> = {};
  if (text !== undefined) {
    members[name] = text;
  }
  return members;
}
