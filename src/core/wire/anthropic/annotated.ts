import type { JsonValue, JsonValueObject } from '../../base/jsonValue';
import type {
  AnnotatedMessage,
  AnnotatedPart,
  AnnotatedRequest,
  AnnotatedTool,
} from '../../context/annotatedRequest';
import {
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
  presentOf,
  textAt,
} from '../annotating/members';
import { contentOf, textPart, toolResultPart, toolUsePart } from '../annotating/parts';
import { without } from '../../base/json';

const provider = 'anthropic_messages';

/** The body of a request to Anthropic's Messages API in upstream's form (codec/anthropic.rs). */
export function anthropicRequest(body: JsonValueObject): AnnotatedRequest {
  const messages = listOf(memberOf(body, 'messages'), 'messages').map(messageOf);
  const system = memberOf(body, 'system');
  const tools = memberOf(body, 'tools');
  const params = optionalMembers(
    body,
    { temperature: 'number', max_tokens: 'count', top_p: 'number', stop_sequences: 'texts' },
    { stop_sequences: 'stop' },
  );
  const choice = memberOf(body, 'tool_choice');
  const extra = without(
    body,
    ...['system', 'messages', 'model', 'max_tokens', 'temperature', 'top_p', 'stop_sequences', 'tools'],
    ...['tool_choice', 'metadata', 'service_tier', 'stream', 'cache_control', 'container', 'inference_geo'],
    ...['output_config', 'thinking', 'top_k', 'anthropic-user-profile-id'],
  );
  return {
    messages,
    ...(system !== undefined && { instructions: contentOf(system, partOf) }),
    ...(tools !== undefined && { tools: listOf(tools, 'tools').map(anthropicTool) }),
    ...('response_format' in extra && { responseFormat: extra['response_format'] ?? null }),
    extra: {
      ...optionalMembers(body, {
        model: 'text',
        metadata: 'object',
        service_tier: 'text',
        stream: 'boolean',
      }),
      ...(Object.keys(params).length > 0 && { params }),
      ...(choice !== undefined && { tool_choice: toolChoice(choice) }),
      ...parallelCalls(choice),
      api_specific: {
        api: provider,
        ...optionalMembers(
          body,
          {
            cache_control: 'object',
            container: 'text',
            inference_geo: 'text',
            output_config: 'object',
            thinking: 'object',
            top_k: 'count',
            'anthropic-user-profile-id': 'text',
          },
          { 'anthropic-user-profile-id': 'user_profile_id' },
        ),
      },
      ...extra,
    },
  };
}

function partOf(value: JsonValue): AnnotatedPart {
  const part = objectOf(value, 'content block');
  switch (kindOf(part)) {
    case 'text':
      return textPart(part);
    case 'image':
      return { type: 'image', image: without(part, 'type') };
    case 'document':
      return { type: 'file', file: without(part, 'type') };
    case 'tool_use':
      return toolUsePart(part);
    case 'tool_result':
      return toolResultPart(part);
    default:
      return { type: 'provider_native', ...nativeOf(provider, value) };
  }
}

function messageOf(value: JsonValue): AnnotatedMessage {
  const message = objectOf(value, 'message');
  const role = textAt(message, 'role');
  const content = presentOf(message, 'content');
  const native = { role: 'provider_native', ...nativeOf(provider, value, role) } as const;
  if (!hasOnly(message, 'role', 'content')) {
    return native;
  }
  const read = contentOf(content, partOf);
  switch (role) {
    case 'user':
    case 'assistant':
    case 'system':
      return { role, content: read };
    default:
      return native;
  }
}

/** A tool's definition in upstream's form. */
export function anthropicTool(value: JsonValue): AnnotatedTool {
  const tool = objectOf(value, 'tool');
  // Upstream treats every tool with a `type` as one of the provider's own, even `custom`, although that is the default.
  const isClientTool = ['name', 'input_schema'].every(key => Object.hasOwn(tool, key)) && !('type' in tool);
  return isClientTool
    ? functionTool(
        tool,
        memberOf(tool, 'input_schema'),
        {},
        without(tool, 'name', 'description', 'input_schema', 'strict'),
      )
    : nativeTool(provider, value);
}

function toolChoice(value: JsonValue): JsonValue {
  const choice = isJsonObject(value) ? value : {};
  const name = memberOf(choice, 'name');
  switch (kindOf(choice)) {
    case 'auto':
      return 'auto';
    case 'any':
      return 'required';
    case 'none':
      return 'none';
    case 'tool':
      return typeof name === 'string' ? functionChoice(name) : { ...nativeOf(provider, value) };
    default:
      return { ...nativeOf(provider, value) };
  }
}

function parallelCalls(choice: JsonValue | undefined): JsonValueObject {
  const disabled =
    isJsonObject(choice) && !isList(choice)
      ? optionalOf(choice, 'disable_parallel_tool_use', 'boolean')
      : undefined;
  return typeof disabled === 'boolean' ? { parallel_tool_calls: !disabled } : {};
}
