import { arrayAt, isArray, isObject, member, objectAt, stringAt } from '../../base/json';
import { emptyBlock, replyFormatBlock, schemaBlock } from '../../content/blockFactory';
import {
  anthropicBlocks,
  anthropicItemBlocks,
  hasAnthropicBlocks,
  systemBlocks,
  systemPartBlocks,
} from './blocks';
import type { KnownCalls } from '../../content/knownCalls';
import { below, type Place, textReference } from '../../content/place';
import type { NewBlock } from '../../content/transcriptBuilder';
import { apiNames } from '../../model/protocol';
import { readDiagnosis } from '../cacheDiagnosis';
import { readUsage } from '../usage';
import type { BodyReading, WireMessage, WireRequest, WireResponse } from '../body';

const protocol = 'anthropic';

/**
 * True if a `{model, messages}` document is an Anthropic Messages request. Its outline is the same as that of an OpenAI
 * chat request; a document with only plain string contents is valid as both and counts as OpenAI chat.
 */
export function isAnthropicRequest(document: unknown): boolean {
  return (
    isObject(document) &&
    (Object.hasOwn(document, 'system') ||
      Object.hasOwn(document, 'anthropic_version') ||
      Object.hasOwn(document, 'cache_control') ||
      arrayAt(document, 'tools').some(
        tool =>
          isObject(tool) && (Object.hasOwn(tool, 'input_schema') || Object.hasOwn(tool, 'cache_control')),
      ) ||
      hasAnthropicBlocks(arrayAt(document, 'messages')))
  );
}

/** True if a body is a request to Anthropic's Messages API. */
export function isAnthropicBody(body: unknown): boolean {
  return (
    isArray(member(body, 'messages')) &&
    arrayAt(body, 'messages').every(isAnthropicMessage) &&
    isAnthropicRequest(body)
  );
}

export function isAnthropicMessage(message: unknown): boolean {
  const role = stringAt(message, 'role');
  return role === 'user' || role === 'assistant' || role === 'system';
}

/**
 * Reads a request in the order of the cached prefix: tools, system, messages (Anthropic prompt caching guide, 2026-10).
 */
export function readAnthropicRequest(body: unknown, place: Place, calls: KnownCalls): WireRequest {
  const messages = [
    ...headOf(body, place),
    ...arrayAt(body, 'messages').map((message, index) =>
      readAnthropicMessage(message, below(place, 'messages', index), calls),
    ),
  ];
  return {
    api: apiNames[protocol],
    complete: true,
    messages: hasMark(body) ? withMarkAtEnd(messages) : messages,
    model: stringAt(body, 'model'),
    body: { api: protocol, text: textReference(place, 'json') },
  };
}

/** Automatic caching: the provider marks the last block itself. */
function withMarkAtEnd(messages: readonly WireMessage[]): readonly WireMessage[] {
  const last = messages.findLastIndex(({ blocks }) => blocks.length > 0);
  return messages.map((message, index) =>
    index === last
      ? { ...message, marked: [...new Set([...(message.marked ?? []), message.blocks.length - 1])] }
      : message,
  );
}

function headOf(body: unknown, place: Place): readonly WireMessage[] {
  const head = new MarkedBlocks();
  arrayAt(body, 'tools').forEach((tool, index) => {
    head.add(tool, [schemaBlock(tool, below(place, 'tools', index))]);
  });
  const format = objectAt(objectAt(body, 'output_config'), 'format');
  if (format !== undefined) {
    head.add(undefined, [replyFormatBlock(format, below(place, 'output_config', 'format'))]);
  }
  const system = member(body, 'system');
  const at = below(place, 'system');
  if (isArray(system)) {
    system.forEach((part, index) => head.add(part, systemPartBlocks(part, below(at, index))));
  } else {
    head.add(system, systemBlocks(system, at));
  }
  const { blocks, marked } = head;
  return blocks.length === 0 ? [] : [{ role: 'system', isHead: true, blocks, marked }];
}

/** Reads one message. */
export function readAnthropicMessage(message: unknown, place: Place, calls: KnownCalls): WireMessage {
  const role = stringAt(message, 'role');
  const known = role === 'assistant' || role === 'system' ? role : 'user';
  const content = member(message, 'content');
  const at = below(place, 'content');
  const read = new MarkedBlocks();
  if (isArray(content)) {
    content.forEach((item, index) => {
      read.add(item, anthropicItemBlocks(item, below(at, index), known, calls));
    });
  } else {
    read.add(undefined, anthropicBlocks(content, at, known, calls));
  }
  const { blocks, marked } = read;
  if (blocks.length === 0) {
    blocks.push(emptyBlock(place, known));
  }
  return { role: known, blocks, marked, id: stringAt(message, 'id') };
}

/** Blocks, and the indices of blocks that end a part with a cache breakpoint. */
class MarkedBlocks {
  readonly blocks: NewBlock[] = [];
  readonly marked: number[] = [];

  add(part: unknown, blocks: readonly NewBlock[]): void {
    this.blocks.push(...blocks);
    if (blocks.length > 0 && hasMark(part)) {
      this.marked.push(this.blocks.length - 1);
    }
  }
}

/** True if a body is a response of Anthropic's Messages API. */
function isAnthropicResponse(body: unknown): boolean {
  return (
    isObject(body) && body['type'] === 'message' && body['role'] === 'assistant' && isArray(body['content'])
  );
}

function readAnthropicResponse(body: unknown, place: Place, calls: KnownCalls): WireResponse {
  return {
    api: apiNames[protocol],
    messages: [readAnthropicMessage(body, place, calls)],
    id: stringAt(body, 'id'),
    model: stringAt(body, 'model'),
    usage: readUsage(objectAt(body, 'usage'), protocol),
    diagnosis: readDiagnosis(body),
  };
}

function hasMark(item: unknown): boolean {
  return objectAt(item, 'cache_control') !== undefined;
}

export const anthropicBodies: BodyReading = {
  isRequest: isAnthropicBody,
  readRequest: readAnthropicRequest,
  isResponse: isAnthropicResponse,
  readResponse: readAnthropicResponse,
};
