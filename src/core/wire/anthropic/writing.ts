import { arrayAt, isArray, isObject, type JsonObject, objectAt, only, stringAt } from '../../base/json';
import { anthropicMessageOf } from './stream';
import { readUsage } from '../usage';
import type { ConversationPart, Picture } from '../../model/conversation';
import { splitSystem } from '../writing/conversationParts';
import {
  type Dialect,
  listMember,
  type NativeRequest,
  objectsAt,
  textParts,
  textsOfContent,
} from '../writing/dialect';
import { isReasoning, writtenMessages } from './writtenMessages';

/** Limit in tokens for a request without one: the API requires a limit, and every model allows this much. */
const defaultMaximumOutput = 4096;

/**
 * The Anthropic Messages API. Tool results are user messages of `tool_result` blocks. Leading system messages go into
 * the `system` member of a request; a later one stays in place, which newer models accept (Anthropic mid-conversation
 * system messages guide, 2026-10).
 */
export const anthropic: Dialect = {
  textMessage: (role, content) => ({ role, content }),
  toolMessage: (id, content) => ({
    role: 'user',
    content: [{ type: 'tool_result', tool_use_id: id, content }],
  }),
  isMessage: ({ role, content }) =>
    (role === 'user' || role === 'assistant' || role === 'system') &&
    (typeof content === 'string' || isArray(content)),
  read(message) {
    const { role, content } = message;
    const parts =
      typeof content === 'string' ? textParts(content) : objectsAt(message, 'content').map(readBlock);
    return [{ role: role === 'assistant' || role === 'system' ? role : 'user', parts }];
  },
  withRole: (message, role) => ({ ...message, role: role === 'tool' ? 'user' : role }),
  // A call is sent back with the signed thinking that led to it (Anthropic extended thinking guide, 2026-10).
  keepsReasoning(message) {
    const blocks = objectsAt(message, 'content');
    return (
      message['role'] === 'assistant' &&
      blocks.some(block => block['type'] === 'tool_use') &&
      blocks.some(isSignedReasoning)
    );
  },
  withoutReasoning(message) {
    const blocks = objectsAt(message, 'content');
    return blocks.some(isReasoning)
      ? { ...message, content: blocks.filter(block => !isReasoning(block)) }
      : message;
  },

  isWhole: ({ type }) => type === 'message',
  messageOf(whole) {
    const content = objectsAt(whole, 'content');
    return content.length === 0 ? undefined : { role: 'assistant', content };
  },
  delta(event) {
    const added = objectAt(event, 'content_block') ?? objectAt(event, 'delta');
    return { thinking: stringAt(added, 'thinking'), content: stringAt(added, 'text') };
  },
  startsStream: ({ type }) => type === 'message_start',
  isEnd: ({ type }) => type === 'message_stop',
  assemble: anthropicMessageOf,
  usage: whole => readUsage(objectAt(whole, 'usage'), 'anthropic'),
  // Null opts in without a comparison (Anthropic cache diagnostics guide, 2026-11).
  comparison: (_, previous) => ({
    diagnostics: { previous_message_id: previous?.startsWith('msg_') === true ? previous : null },
  }),

  write: writtenMessages,
  withLimit: (members, limit) => ({ max_tokens: limit, ...members }),
  request,
  countRequest(messages, members) {
    const { path, body } = request(messages, members, false);
    const counted = only(body, 'model', 'messages', 'system', 'tools', 'tool_choice', 'thinking');
    return { path: `${path}/count_tokens`, body: counted };
  },
  headers: apiKey => ({
    'anthropic-version': '2023-06-01',
    ...(apiKey === undefined ? {} : { 'x-api-key': apiKey }),
  }),
};

function request(messages: readonly JsonObject[], members: JsonObject, isStream: boolean): NativeRequest {
  const [leading, rest] = splitSystem(messages, ({ role }) => role === 'system');
  const system = [
    ...systemBlocks(members['system']),
    ...leading.flatMap(({ content }) => systemBlocks(content)),
  ];
  return {
    path: '/v1/messages',
    body: {
      max_tokens: defaultMaximumOutput,
      ...members,
      ...listMember('system', system),
      messages: rest,
      ...(isStream ? { stream: true } : {}),
    },
  };
}

/** A system prompt as a list of blocks. It may be a string. */
function systemBlocks(system: unknown): readonly unknown[] {
  return typeof system === 'string' ? [{ type: 'text', text: system }] : isArray(system) ? system : [];
}

/** Redacted thinking is encrypted as a whole and needs no signature. */
function isSignedReasoning(block: JsonObject): boolean {
  const signature = stringAt(block, 'signature') ?? '';
  return block['type'] === 'redacted_thinking' || (block['type'] === 'thinking' && signature !== '');
}

function readBlock(block: JsonObject): ConversationPart {
  const shared = { blocks: [], native: { protocol: 'anthropic', item: block } } as const;
  switch (block['type']) {
    case 'text':
      return { ...shared, kind: 'text', text: stringAt(block, 'text') ?? '' };
    case 'thinking':
      return { ...shared, kind: 'thinking', text: stringAt(block, 'thinking') ?? '' };
    case 'redacted_thinking':
      return { ...shared, kind: 'thinking', text: '' };
    case 'tool_use':
      return {
        ...shared,
        kind: 'call',
        id: stringAt(block, 'id') ?? '',
        name: stringAt(block, 'name') ?? '',
        input: block['input'] ?? {},
      };
    case 'tool_result':
      return {
        ...shared,
        kind: 'result',
        callId: stringAt(block, 'tool_use_id') ?? '',
        name: '',
        text: textsOfContent(block['content']).join('\n'),
        isError: block['is_error'] === true,
        pictures: arrayAt(block, 'content').filter(isObject).flatMap(readPicture),
      };
    case 'image': {
      const [picture] = readPicture(block);
      return picture === undefined ? { ...shared, kind: 'other' } : { ...shared, kind: 'picture', picture };
    }
    default:
      return { ...shared, kind: 'other' };
  }
}

function readPicture(block: JsonObject): readonly Picture[] {
  const source = objectAt(block, 'source');
  const data = stringAt(source, 'data');
  const url = stringAt(source, 'url');
  const mediaType = stringAt(source, 'media_type');
  if (data !== undefined && mediaType !== undefined) {
    return [{ kind: 'data', mediaType, data }];
  }
  return url === undefined ? [] : [{ kind: 'url', url }];
}
