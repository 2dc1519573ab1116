import { arrayAt, epochAt, isArray, member, objectAt, stringAt, timeAt } from '../../base/json';
import { replyFormatBlock, schemaBlock } from '../../content/blockFactory';
import { chatMessageBlocks, promptRoleOf } from './blocks';
import type { KnownCalls } from '../../content/knownCalls';
import { below, type Place, textReference } from '../../content/place';
import type { NewBlock } from '../../content/transcriptBuilder';
import type { BlockKind } from '../../model/block';
import { apiNames } from '../../model/protocol';
import { readUsage, withServiceTier } from '../usage';
import type { BodyReading, WireMessage, WireRequest, WireResponse } from '../body';

const protocol = 'openaiChat';

/**
 * True if a body has the messages of a chat request. Anthropic's requests have the same outline, so check for those
 * first.
 */
export function isChatBody(body: unknown): boolean {
  const messages = member(body, 'messages');
  return (
    isArray(messages) &&
    messages.slice(0, 60).every(message => promptRoleOf(stringAt(message, 'role')) !== undefined) &&
    (messages.length > 0 || stringAt(body, 'model') !== undefined)
  );
}

/** Reads a chat request: tools, response format, messages. */
export function readChatRequest(body: unknown, place: Place, calls: KnownCalls): WireRequest {
  const model = stringAt(body, 'model');
  const messages = arrayAt(body, 'messages').map((message, index) =>
    readChatMessage(message, below(place, 'messages', index), calls),
  );
  const head = chatHead(body, place);
  return {
    api: apiNames[protocol],
    complete: model !== undefined || recordsHead([...head, ...messages.flatMap(({ blocks }) => blocks)]),
    messages: head.length === 0 ? messages : [{ role: 'system', isHead: true, blocks: head }, ...messages],
    model,
    body: { api: protocol, text: textReference(place, 'json') },
  };
}

/** True if a context has a system prompt and, if tools are used, their schemas. The context need not be a request's. */
export function recordsHead(blocks: readonly Pick<NewBlock, 'kind' | 'role'>[]): boolean {
  const has = (...kinds: readonly BlockKind[]): boolean => blocks.some(({ kind }) => kinds.includes(kind));
  return (
    blocks.some(({ role, kind }) => role === 'system' && kind !== 'toolSchema') &&
    (has('toolSchema') || !has('toolCall', 'toolResult'))
  );
}

function chatHead(body: unknown, place: Place): readonly NewBlock[] {
  const blocks = ['tools', 'functions'].flatMap(key =>
    arrayAt(body, key).map((tool, index) => schemaBlock(tool, below(place, key, index))),
  );
  const format = objectAt(body, 'response_format');
  if (format !== undefined) {
    blocks.push(replyFormatBlock(format, below(place, 'response_format')));
  }
  return blocks;
}

/** Reads one message. */
export function readChatMessage(message: unknown, place: Place, calls: KnownCalls): WireMessage {
  const role = promptRoleOf(stringAt(message, 'role')) ?? 'user';
  return {
    role,
    isHead: role === 'system',
    blocks: chatMessageBlocks(message, place, calls),
    id: stringAt(message, 'id'),
    timestamp: timeAt(message, 'timestamp'),
  };
}

/** True if a body is a chat completion. */
export function isChatResponse(body: unknown): boolean {
  const choices = member(body, 'choices');
  return (
    isArray(choices) &&
    choices.every(choice => objectAt(choice, 'message') !== undefined) &&
    choices.length > 0
  );
}

/** Reads a completion; with several choices, the first is the reply. */
export function readChatResponse(body: unknown, place: Place, calls: KnownCalls): WireResponse {
  const message = member(arrayAt(body, 'choices')[0], 'message');
  return {
    api: apiNames[protocol],
    messages: [readChatMessage(message, below(place, 'choices', 0, 'message'), calls)],
    id: stringAt(body, 'id'),
    model: stringAt(body, 'model'),
    timestamp: epochAt(body, 'created'),
    usage: withServiceTier(readUsage(member(body, 'usage'), protocol), body),
  };
}

export const chatBodies: BodyReading = {
  isRequest: isChatBody,
  readRequest: readChatRequest,
  isResponse: isChatResponse,
  readResponse: readChatResponse,
};
