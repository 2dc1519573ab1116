import { arrayAt, isArray, isObject, member, objectAt, stringAt } from '../../base/json';
import {
  anthropicBlocks,
  anthropicItemBlocks,
  systemBlocks,
  toolSchemaBlock,
  type KnownCall,
} from '../../content/anthropicContent';
import { isAnthropicRequest } from './requestFamily';
import type { NewBlock } from '../../content/transcriptBuilder';
import {
  placed,
  wireOwner,
  type BodyPlace,
  type WireMessage,
  type WireRequest,
  type WireResponse,
} from './wire';
import { readUsage } from '../common/usage';

const api = 'Anthropic Messages API';

/** Whether a body is a request to Anthropic's Messages API. */
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

/** Reads a request in the order of the cached prefix: tools, system, messages (Anthropic prompt caching guide, 2026-10). */
export function readAnthropicRequest(
  body: unknown,
  place: BodyPlace,
  calls: Map<string, KnownCall>,
): WireRequest {
  const model = stringAt(body, 'model');
  const messages = [
    ...headOf(body, place, calls),
    ...arrayAt(body, 'messages').map((message, index) =>
      readAnthropicMessage(message, ['messages', index], place, calls),
    ),
  ];
  return {
    api,
    complete: true,
    messages: hasMark(body) ? withMarkAtEnd(messages) : messages,
    model,
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

function headOf(body: unknown, place: BodyPlace, calls: Map<string, KnownCall>): readonly WireMessage[] {
  const tools = arrayAt(body, 'tools');
  const system = member(body, 'system');
  const systemParts = isArray(system) ? system : [system];
  const blocks: NewBlock[] = [
    ...tools.map((tool, index) =>
      toolSchemaBlock(tool, ['tools', index], wireOwner(place, ['tools'], calls)),
    ),
    ...systemBlocks(system, wireOwner(place, ['system'], calls)),
  ];
  const marked = [...tools, ...systemParts].flatMap((part, index) => (hasMark(part) ? [index] : []));
  return blocks.length === 0 ? [] : [{ role: 'system', isHead: true, blocks: placed(blocks, place), marked }];
}

/** Reads one message at a path of its body. */
export function readAnthropicMessage(
  message: unknown,
  path: readonly (string | number)[],
  place: BodyPlace,
  calls: Map<string, KnownCall>,
): WireMessage {
  const role = stringAt(message, 'role');
  const known = role === 'assistant' || role === 'system' ? role : 'user';
  const content = member(message, 'content');
  const id = stringAt(message, 'id');
  const owner = { ...wireOwner(place, [...path, 'content'], calls), role: known } as const;
  const blocks: NewBlock[] = [];
  const marked: number[] = [];
  if (isArray(content)) {
    content.forEach((item, index) => {
      // One item at a time, so that its mark falls on its own last block.
      const added = anthropicItemBlocks(item, [...owner.path, index], owner);
      blocks.push(...added);
      if (hasMark(item) && added.length > 0) {
        marked.push(blocks.length - 1);
      }
    });
  } else {
    blocks.push(...anthropicBlocks(content, owner));
  }
  return { role: known, blocks: placed(blocks, place), marked, ...(id === undefined ? {} : { id }) };
}

/** Whether a body is a response of Anthropic's Messages API. */
export function isAnthropicResponse(body: unknown): boolean {
  return (
    isObject(body) && body['type'] === 'message' && body['role'] === 'assistant' && isArray(body['content'])
  );
}

export function readAnthropicResponse(
  body: unknown,
  place: BodyPlace,
  calls: Map<string, KnownCall>,
): WireResponse {
  const id = stringAt(body, 'id');
  const model = stringAt(body, 'model');
  const usage = readUsage(objectAt(body, 'usage'), 'anthropic');
  return {
    api,
    messages: [readAnthropicMessage(body, [], place, calls)],
    id,
    model,
    usage,
  };
}

function hasMark(item: unknown): boolean {
  return objectAt(item, 'cache_control') !== undefined;
}
