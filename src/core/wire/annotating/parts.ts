import type { JsonValue, JsonValueObject } from '../../base/jsonValue';
import type {
  AnnotatedContent,
  AnnotatedMessage,
  AnnotatedPart,
  AnnotatedTool,
  AnnotatedToolCall,
} from '../../context/annotatedRequest';
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
  textAt,
} from './members';
import { without } from '../../base/json';

// Forms that several APIs share, or that upstream's own form has too.

/** A text, or a list of parts. */
export function contentOf(value: JsonValue, partOf: (part: JsonValue) => AnnotatedPart): AnnotatedContent {
  return typeof value === 'string' ? value : listOf(value, 'content').map(partOf);
}

export function textPart(part: JsonValueObject): AnnotatedPart {
  return { type: 'text', text: textAt(part, 'text'), ...extraOf(part, 'type', 'text') };
}

export function refusalPart(part: JsonValueObject): AnnotatedPart {
  return { type: 'refusal', refusal: textAt(part, 'refusal'), ...extraOf(part, 'type', 'refusal') };
}

export function imageUrlPart(part: JsonValueObject): AnnotatedPart {
  const image = objectOf(memberOf(part, 'image_url'), 'image_url');
  return {
    type: 'image_url',
    imageUrl: { url: textAt(image, 'url'), ...optional(image, 'detail') },
    ...extraOf(part, 'type', 'image_url'),
  };
}

/** @param key the member that holds the sound */
export function audioPart(part: JsonValueObject, key: 'audio' | 'input_audio'): AnnotatedPart {
  return { type: 'audio', audio: presentOf(part, key), ...extraOf(part, 'type', key) };
}

export function filePart(part: JsonValueObject): AnnotatedPart {
  return { type: 'file', file: presentOf(part, 'file'), ...extraOf(part, 'type', 'file') };
}

export function toolUsePart(part: JsonValueObject): AnnotatedPart {
  return {
    type: 'tool_use',
    id: textAt(part, 'id'),
    name: textAt(part, 'name'),
    input: presentOf(part, 'input'),
    ...extraOf(part, 'type', 'id', 'name', 'input'),
  };
}

export function toolResultPart(part: JsonValueObject): AnnotatedPart {
  const isError = optionalOf(part, 'is_error', 'boolean');
  return {
    type: 'tool_result',
    toolUseId: textAt(part, 'tool_use_id'),
    content: presentOf(part, 'content'),
    ...(typeof isError === 'boolean' && { isError }),
    ...extraOf(part, 'type', 'tool_use_id', 'content', 'is_error'),
  };
}

export function toolMessage(
  message: JsonValueObject,
  partOf: (part: JsonValue) => AnnotatedPart,
): AnnotatedMessage {
  return {
    role: 'tool',
    content: contentOf(presentOf(message, 'content'), partOf),
    toolCallId: textAt(message, 'tool_call_id'),
  };
}

export function functionMessage(message: JsonValueObject): AnnotatedMessage {
  return {
    role: 'function',
    content: optionalText(message, 'content') ?? null,
    name: textAt(message, 'name'),
  };
}

export function toolCall(call: JsonValueObject): AnnotatedToolCall {
  const called = objectOf(memberOf(call, 'function'), 'function');
  return {
    id: textAt(call, 'id'),
    type: textAt(call, 'type'),
    function: { name: textAt(called, 'name'), arguments: textAt(called, 'arguments') },
  };
}

/**
 * A call that is an item among the messages.
 * @param kind the member with the kind of the item
 */
export function callItem(item: JsonValueObject, kind: 'role' | 'type', input: JsonValue): AnnotatedMessage {
  return {
    role: 'tool_call',
    ...optional(item, 'id'),
    callId: textAt(item, 'call_id'),
    name: textAt(item, 'name'),
    arguments: input,
    ...extraOf(item, kind, 'id', 'call_id', 'name', 'arguments'),
  };
}

/** The result of such a call. */
export function resultItem(item: JsonValueObject, kind: 'role' | 'type'): AnnotatedMessage {
  return {
    role: 'tool_result',
    ...optional(item, 'id'),
    callId: textAt(item, 'call_id'),
    output: presentOf(item, 'output'),
    ...extraOf(item, kind, 'id', 'call_id', 'output'),
  };
}

/** A function as a member of the tool. */
export function heldFunctionTool(tool: JsonValueObject): AnnotatedTool {
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

/** A text member that may be missing. */
export function optional<Name extends string>(
  object: JsonValueObject,
  name: Name,
): Partial<Record<Name, string>> {
  const text = optionalText(object, name);
  const members: Partial<Record<Name, string>> = {};
  if (text !== undefined) {
    members[name] = text;
  }
  return members;
}
