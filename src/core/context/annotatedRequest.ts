import type { JsonValue, JsonValueObject } from '../base/jsonValue';
import { compareUtf8 } from '../base/unicodeText';
import { structJson } from './serdeJson';

/** Members of a provider's JSON that the model has no name for, kept as they are. */
interface WithExtra {
  readonly extra?: JsonValueObject;
}

/** Something of one provider that has no common form. */
export interface ProviderNative {
  readonly provider: string;
  readonly kind: string;
  readonly value: JsonValue;
}

/** One piece of a message's content (NeMo Relay, codec/request.rs). */
export type AnnotatedPart =
  | ({ readonly type: 'text'; readonly text: string } & WithExtra)
  | ({ readonly type: 'refusal'; readonly refusal: string } & WithExtra)
  | ({
      readonly type: 'image_url';
      readonly imageUrl: { readonly url: string; readonly detail?: string };
    } & WithExtra)
  | ({ readonly type: 'image'; readonly image: JsonValue } & WithExtra)
  | ({ readonly type: 'audio'; readonly audio: JsonValue } & WithExtra)
  | ({ readonly type: 'file'; readonly file: JsonValue } & WithExtra)
  | ({
      readonly type: 'tool_use';
      readonly id: string;
      readonly name: string;
      readonly input: JsonValue;
    } & WithExtra)
  | ({
      readonly type: 'tool_result';
      readonly toolUseId: string;
      readonly content: JsonValue;
      readonly isError?: boolean;
    } & WithExtra)
  | ({ readonly type: 'provider_native' } & ProviderNative);

export type AnnotatedContent = string | readonly AnnotatedPart[];

/** A call in an assistant message; `arguments` is JSON text. */
export interface AnnotatedToolCall {
  readonly id: string;
  readonly type: string;
  readonly function: { readonly name: string; readonly arguments: string };
}

/** A message, or an item that stands among the messages. */
export type AnnotatedMessage =
  | {
      readonly role: 'system' | 'developer' | 'user';
      readonly content: AnnotatedContent;
      readonly name?: string;
    }
  | {
      readonly role: 'assistant';
      readonly content?: AnnotatedContent;
      readonly toolCalls?: readonly AnnotatedToolCall[];
      readonly name?: string;
    }
  | { readonly role: 'tool'; readonly content: AnnotatedContent; readonly toolCallId: string }
  | { readonly role: 'function'; readonly content: string | null; readonly name: string }
  | ({
      readonly role: 'tool_call';
      readonly id?: string;
      readonly callId: string;
      readonly name: string;
      readonly arguments: JsonValue;
    } & WithExtra)
  | ({
      readonly role: 'tool_result';
      readonly id?: string;
      readonly callId: string;
      readonly output: JsonValue;
    } & WithExtra)
  | ({ readonly role: 'provider_native' } & ProviderNative);

/** A tool under the name that its span carries; `definition` is the whole of it. */
export interface AnnotatedTool {
  readonly name: string;
  readonly definition: JsonValueObject;
}

/** A request in a form that does not depend on the provider. */
export interface AnnotatedRequest extends WithExtra {
  readonly messages: readonly AnnotatedMessage[];
  /** Instructions that stand outside the messages. */
  readonly instructions?: AnnotatedContent;
  readonly tools?: readonly AnnotatedTool[];
  readonly responseFormat?: JsonValue;
}

/** The JSON form of upstream: absent members are left out, `extra` is merged in. */
export function requestToJson(request: AnnotatedRequest): JsonValueObject {
  return {
    messages: request.messages.map(messageToJson),
    ...(request.instructions !== undefined && { instructions: contentToJson(request.instructions) }),
    ...(request.tools && { tools: request.tools.map(tool => tool.definition) }),
    ...(request.responseFormat !== undefined && { response_format: request.responseFormat }),
    ...request.extra,
  };
}

export function messageToJson(message: AnnotatedMessage): JsonValueObject {
  switch (message.role) {
    case 'system':
    case 'developer':
    case 'user':
      return {
        role: message.role,
        content: contentToJson(message.content),
        ...(message.name !== undefined && { name: message.name }),
      };
    case 'assistant':
      return {
        role: message.role,
        ...(message.content !== undefined && { content: contentToJson(message.content) }),
        ...(message.toolCalls && { tool_calls: message.toolCalls.map(toolCallToJson) }),
        ...(message.name !== undefined && { name: message.name }),
      };
    case 'tool':
      return {
        role: message.role,
        content: contentToJson(message.content),
        tool_call_id: message.toolCallId,
      };
    case 'function':
      return { role: message.role, content: message.content, name: message.name };
    case 'tool_call':
      return {
        role: message.role,
        ...(message.id !== undefined && { id: message.id }),
        call_id: message.callId,
        name: message.name,
        arguments: message.arguments,
        ...message.extra,
      };
    case 'tool_result':
      return {
        role: message.role,
        ...(message.id !== undefined && { id: message.id }),
        call_id: message.callId,
        output: message.output,
        ...message.extra,
      };
    case 'provider_native':
      return {
        role: message.role,
        provider: message.provider,
        kind: message.kind,
        value: message.value,
      };
  }
}

export function toolCallToJson(call: AnnotatedToolCall): JsonValueObject {
  return {
    id: call.id,
    type: call.type,
    function: { name: call.function.name, arguments: call.function.arguments },
  };
}

/** A part as compact JSON: its own members in the order of their declaration, then the extra ones by their UTF-8 bytes. */
export function partJson(part: AnnotatedPart): string {
  const extra = part.type === 'provider_native' ? {} : (part.extra ?? {});
  const members = [
    ...Object.entries(ownMembers(part)),
    ...Object.entries(extra).sort(([left], [right]) => compareUtf8(left, right)),
  ];
  return structJson(members);
}

export function contentToJson(content: AnnotatedContent): JsonValue {
  return typeof content === 'string'
    ? content
    : content.map(part => ({
        ...ownMembers(part),
        ...(part.type === 'provider_native' ? {} : part.extra),
      }));
}

function ownMembers(part: AnnotatedPart): JsonValueObject {
  switch (part.type) {
    case 'text':
      return { type: part.type, text: part.text };
    case 'refusal':
      return { type: part.type, refusal: part.refusal };
    case 'image_url':
      return {
        type: part.type,
        image_url: {
          url: part.imageUrl.url,
          ...(part.imageUrl.detail !== undefined && { detail: part.imageUrl.detail }),
        },
      };
    case 'image':
      return { type: part.type, image: part.image };
    case 'audio':
      return { type: part.type, audio: part.audio };
    case 'file':
      return { type: part.type, file: part.file };
    case 'tool_use':
      return { type: part.type, id: part.id, name: part.name, input: part.input };
    case 'tool_result':
      return {
        type: part.type,
        tool_use_id: part.toolUseId,
        content: part.content,
        ...(part.isError !== undefined && { is_error: part.isError }),
      };
    case 'provider_native':
      return { type: part.type, provider: part.provider, kind: part.kind, value: part.value };
  }
}
