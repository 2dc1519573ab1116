import type { BlockKind } from '../../model/block';
import {
  arrayAt,
  isArray,
  member,
  objectAt,
  stringAt,
  timeAt,
  toJson,
  epochAt,
  type ValuePath,
} from '../../base/json';
import { toolSchemaBlock, type KnownCall } from '../../content/anthropicContent';
import type { MessageBlock } from '../../content/chatMessage';
import { chatMessageBlocks, promptRoleOf } from '../../content/openaiChatContent';
import {
  placed,
  wireOwner,
  type BodyPlace,
  type WireMessage,
  type WireRequest,
  type WireResponse,
} from './wire';
import { readUsage } from '../common/usage';

const api = 'OpenAI chat completions API';

/** Whether a body has the messages of a chat request; Anthropic's have the same outline and are to be asked first. */
export function isChatBody(body: unknown): boolean {
  const messages = member(body, 'messages');
  return (
    isArray(messages) &&
    messages.slice(0, 60).every(message => promptRoleOf(stringAt(message, 'role')) !== undefined) &&
    (messages.length > 0 || stringAt(body, 'model') !== undefined)
  );
}

/** Reads a chat request: tools, response format, messages. */
export function readChatRequest(body: unknown, place: BodyPlace, calls: Map<string, KnownCall>): WireRequest {
  const model = stringAt(body, 'model');
  const messages = arrayAt(body, 'messages').map((message, index) =>
    readChatMessage(message, ['messages', index], place, calls),
  );
  const head = chatHead(body, place, calls);
  return {
    api,
    complete: model !== undefined || recordsHead([...head, ...messages.flatMap(({ blocks }) => blocks)]),
    messages: head.length === 0 ? messages : [{ role: 'system', isHead: true, blocks: head }, ...messages],
    model,
  };
}

/** Whether system prompt and, where tools are used, their schemas stand in a context that need not be a request's. */
export function recordsHead(blocks: readonly Pick<MessageBlock, 'kind' | 'role'>[]): boolean {
  const has = (...kinds: readonly BlockKind[]): boolean => blocks.some(({ kind }) => kinds.includes(kind));
  return (
    blocks.some(({ role, kind }) => role === 'system' && kind !== 'toolSchema') &&
    (has('toolSchema') || !has('toolCall', 'toolResult'))
  );
}

function chatHead(body: unknown, place: BodyPlace, calls: Map<string, KnownCall>): readonly MessageBlock[] {
  const tools = ['tools', 'functions'].flatMap(key =>
    arrayAt(body, key).map((tool, index) =>
      toolSchemaBlock(tool, [key, index], wireOwner(place, [key], calls)),
    ),
  );
  const format = member(body, 'response_format');
  const path = ['response_format'];
  const owner = wireOwner(place, path, calls);
  return placed(
    objectAt(body, 'response_format') === undefined
      ? tools
      : [
          ...tools,
          {
            role: 'system',
            contentType: 'structured_output',
            kind: 'structuredOutput',
            provenance: 'system',
            partition: 'system',
            label:
              stringAt(objectAt(format, 'json_schema'), 'name') ??
              stringAt(format, 'type') ??
              'response format',
            content: toJson(format),
            text: { kind: 'json', record: place.record, path },
            source: owner.locate(path),
            message: owner.message,
          },
        ],
    place,
  );
}

/** Reads one message at a path of its body. */
export function readChatMessage(
  message: unknown,
  path: ValuePath,
  place: BodyPlace,
  calls: Map<string, KnownCall>,
): WireMessage {
  const id = stringAt(message, 'id');
  const timestamp = timeAt(message, 'timestamp');
  const role = promptRoleOf(stringAt(message, 'role')) ?? 'user';
  return {
    role,
    isHead: role === 'system',
    blocks: placed(chatMessageBlocks(message, wireOwner(place, path, calls)), place),
    id,
    timestamp,
  };
}

/** Whether a body is a chat completion. */
export function isChatResponse(body: unknown): boolean {
  const choices = member(body, 'choices');
  return (
    isArray(choices) &&
    choices.every(choice => objectAt(choice, 'message') !== undefined) &&
    choices.length > 0
  );
}

/** Reads a completion; of several choices the first is the reply. */
export function readChatResponse(
  body: unknown,
  place: BodyPlace,
  calls: Map<string, KnownCall>,
): WireResponse {
  const id = stringAt(body, 'id');
  const model = stringAt(body, 'model');
  const created = epochAt(body, 'created');
  const usage = readUsage(member(body, 'usage'), 'openaiChat');
  const message = member(arrayAt(body, 'choices')[0], 'message');
  return {
    api,
    messages: [readChatMessage(message, ['choices', 0, 'message'], place, calls)],
    id,
    model,
    timestamp: created,
    usage,
  };
}
