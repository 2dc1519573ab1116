import { arrayAt, isArray, isObject, type JsonObject, objectAt, only, stringAt } from '../../base/json';
import { anthropicMessageOf } from './stream';
import { readUsage } from '../usage';
import type { Conversation, ConversationPart, ConversationTurn, Picture } from '../../model/conversation';
import { splitSystem } from '../writing/conversationParts';
import {
  CallIds,
  type Dialect,
  inputObject,
  joined,
  listMember,
  nativeFor,
  type NativeRequest,
  objectsAt,
  systemAsUser,
  textParts,
  textsOfContent,
  validToolName,
  withOpening,
  type WriteOptions,
} from '../writing/dialect';

/** The API takes four breakpoints (Anthropic prompt caching guide, 2026-10). */
const maximumBreakpoints = 4;

/** Ids are `[a-zA-Z0-9_-]+`; 64 is longer than any id that providers give. */
const longestId = 64;

/** Limit in tokens for a request without one: the API requires a limit, and every model allows this much. */
const defaultMaximumOutput = 4096;

const reasoningTypes: ReadonlySet<unknown> = new Set(['thinking', 'redacted_thinking']);

/** A block with the numbers of the transcript's blocks in it. */
interface Placed {
  readonly item: JsonObject;
  readonly blocks: readonly number[];
}

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

  write(conversation, options) {
    const ids = new CallIds(longestId);
    const tools = conversation.tools.map(tool => ({
      blocks: tool.blocks,
      item: nativeFor('anthropic', tool) ?? {
        name: validToolName(tool.name),
        description: tool.description,
        input_schema: tool.schema,
      },
    }));
    const system = conversation.system.flatMap(part => placedItems(part, ids));
    const messages = withOpening(turnsFor(conversation, options))
      .map(({ role, parts }) => ({
        role,
        items: resultsFirst(parts.flatMap(part => placedItems(part, ids))),
      }))
      .filter(({ items }) => items.length > 0);
    const lists = [tools, system, ...messages.map(({ items }) => items)];
    const [markedTools = [], markedSystem = [], ...contents] = marked(lists, conversation, options);
    return {
      messages: messages.map(({ role }, index) => ({ role, content: contents[index] ?? [] })),
      members: { ...listMember('tools', markedTools), ...listMember('system', markedSystem) },
    };
  },
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

function isReasoning({ type }: JsonObject): boolean {
  return reasoningTypes.has(type);
}

/** Redacted thinking is encrypted as a whole and needs no signature. */
function isSignedReasoning(block: JsonObject): boolean {
  const signature = stringAt(block, 'signature') ?? '';
  return block['type'] === 'redacted_thinking' || (block['type'] === 'thinking' && signature !== '');
}

/** True if a model accepts system messages after the first turn (mid-conversation system messages guide, 2026-10). */
function takesSystemTurns(model: string): boolean {
  return /claude-(?:opus-4-[89]|[a-z]+-(?:[5-9]|\d\d))(?!\d)/.test(model);
}

function turnsFor({ turns }: Conversation, { model }: WriteOptions): readonly ConversationTurn[] {
  return joined(takesSystemTurns(model) ? turns : systemAsUser(turns));
}

function placedItems(part: ConversationPart, ids: CallIds): readonly Placed[] {
  const item = itemOf(part, ids);
  return item === undefined ? [] : [{ item, blocks: part.blocks }];
}

function itemOf(part: ConversationPart, ids: CallIds): JsonObject | undefined {
  const native = nativeFor('anthropic', part);
  switch (part.kind) {
    case 'text':
      // The API refuses empty texts.
      return part.text.trim() === '' ? undefined : (native ?? { type: 'text', text: part.text });
    case 'thinking':
    case 'other':
      return native;
    case 'call':
      return native === undefined
        ? {
            type: 'tool_use',
            id: ids.of(part.id),
            name: validToolName(part.name),
            input: inputObject(part.input),
          }
        : withId(native, 'id', ids);
    case 'result':
      return native === undefined ? resultOf(part, ids) : withId(native, 'tool_use_id', ids);
    case 'picture':
      return native ?? pictureOf(part.picture);
  }
}

function withId(native: JsonObject, key: string, ids: CallIds): JsonObject {
  const id = stringAt(native, key);
  const valid = id === undefined ? undefined : ids.of(id);
  return valid === id ? native : { ...native, [key]: valid };
}

function resultOf(
  { callId, text, pictures, isError }: Extract<ConversationPart, { kind: 'result' }>,
  ids: CallIds,
): JsonObject {
  return {
    type: 'tool_result',
    tool_use_id: ids.of(callId),
    content:
      pictures.length === 0
        ? text
        : [...(text === '' ? [] : [{ type: 'text', text }]), ...pictures.map(pictureOf)],
    ...(isError ? { is_error: true } : {}),
  };
}

function pictureOf(picture: Picture): JsonObject {
  switch (picture.kind) {
    case 'data':
      return {
        type: 'image',
        source: { type: 'base64', media_type: picture.mediaType, data: picture.data },
      };
    case 'url':
      return { type: 'image', source: { type: 'url', url: picture.url } };
  }
}

/** Results must come before everything else in their turn. */
function resultsFirst(items: readonly Placed[]): readonly Placed[] {
  const isResult = ({ item }: Placed): boolean => item['type'] === 'tool_result';
  return [...items.filter(isResult), ...items.filter(item => !isResult(item))];
}

/** The items of each list, with breakpoints at the ends of the marked blocks: at most the newest four. */
function marked(
  lists: readonly (readonly Placed[])[],
  { breakpoints }: Conversation,
  { markEnd }: WriteOptions,
): readonly (readonly JsonObject[])[] {
  const markable = lists.flat().filter(({ item }) => !isReasoning(item));
  const chosen = new Set(
    markEnd === true
      ? markable.slice(-1)
      : markable
          .filter(({ blocks }) => blocks.some(block => breakpoints.includes(block)))
          .slice(-maximumBreakpoints),
  );
  return lists.map(list =>
    list.map(placed =>
      chosen.has(placed) ? { ...placed.item, cache_control: { type: 'ephemeral' } } : placed.item,
    ),
  );
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
