import type { JsonValue, JsonValueObject } from '../../base/jsonValue';
import type {
  AnnotatedMessage,
  AnnotatedPart,
  AnnotatedRequest,
  AnnotatedTool,
} from '../../context/annotatedRequest';
import { chatSpecific } from '../openaiChat/annotated';
import {
  extraOf,
  isJsonObject,
  type Kind,
  kindOf,
  listOf,
  memberOf,
  objectOf,
  optionalMembers,
  presentOf,
  refuse,
  textAt,
} from './members';
import { responsesSpecific } from '../openaiResponses/annotated';
import {
  audioPart,
  callItem,
  contentOf,
  filePart,
  functionMessage,
  heldFunctionTool,
  imageUrlPart,
  optional,
  refusalPart,
  resultItem,
  textPart,
  toolCall,
  toolMessage,
  toolResultPart,
  toolUsePart,
} from './parts';
import { without } from '../../base/json';

// Reads a request from upstream's own JSON form, as declared by its types (crates/types/src/codec/request.rs, 0.9.2).

/** @throws RefusedRequest if upstream could not read it. */
export function annotatedFromJson(json: JsonValueObject): AnnotatedRequest {
  const instructions = memberOf(json, 'instructions') ?? null;
  const tools = memberOf(json, 'tools') ?? null;
  const messages = memberOf(json, 'messages');
  return {
    messages: messages === undefined ? [] : listOf(messages, 'messages').map(messageFromJson),
    ...(instructions !== null && { instructions: contentOf(instructions, partFromJson) }),
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

/** Members of a request that upstream has a name for. Null means absent there. */
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

/** A member that is an object with its own members, or one of a few words. */
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

/** Members of one provider. Members that upstream has no name for are lost there. */
function specificFromJson(specific: JsonValueObject): JsonValueObject {
  const api = textAt(specific, 'api');
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
      const name = textAt(specific, 'api_name');
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
  const role = textAt(message, 'role');
  switch (role) {
    case 'system':
    case 'developer':
    case 'user':
      return {
        role,
        content: contentOf(presentOf(message, 'content'), partFromJson),
        ...optional(message, 'name'),
      };
    case 'assistant': {
      const content = memberOf(message, 'content') ?? null;
      const calls = memberOf(message, 'tool_calls') ?? null;
      return {
        role,
        ...(content !== null && { content: contentOf(content, partFromJson) }),
        ...(calls !== null && {
          toolCalls: listOf(calls, 'tool_calls').map(call => toolCall(objectOf(call, 'tool call'))),
        }),
        ...optional(message, 'name'),
      };
    }
    case 'tool':
      return toolMessage(message, partFromJson);
    case 'function':
      return functionMessage(message);
    case 'tool_call':
      return callItem(message, 'role', presentOf(message, 'arguments'));
    case 'tool_result':
      return resultItem(message, 'role');
    case 'provider_native':
      return { role, ...nativeFromJson(message) };
    default:
      return refuse('role');
  }
}

function partFromJson(value: JsonValue): AnnotatedPart {
  const part = objectOf(value, 'part');
  const type = kindOf(part);
  switch (type) {
    case 'text':
      return textPart(part);
    case 'refusal':
      return refusalPart(part);
    case 'image_url':
      return imageUrlPart(part);
    case 'image':
      return { type, image: presentOf(part, 'image'), ...extraOf(part, 'type', 'image') };
    case 'audio':
      return audioPart(part, 'audio');
    case 'file':
      return filePart(part);
    case 'tool_use':
      return toolUsePart(part);
    case 'tool_result':
      return toolResultPart(part);
    case 'provider_native':
      return { type, ...nativeFromJson(part) };
    default:
      return refuse('type');
  }
}

function toolFromJson(value: JsonValue): AnnotatedTool {
  const tool = objectOf(value, 'tool');
  if (memberOf(tool, 'type') !== 'provider_native') {
    return heldFunctionTool(tool);
  }
  const native = nativeFromJson(tool);
  return { name: native.kind, definition: { type: 'provider_native', ...native } };
}

function nativeFromJson(native: JsonValueObject) {
  return {
    provider: textAt(native, 'provider'),
    kind: textAt(native, 'kind'),
    value: presentOf(native, 'value'),
  };
}
