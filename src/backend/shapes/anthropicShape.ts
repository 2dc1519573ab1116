import { arrayAt, isArray, isObject, objectAt, stringAt, type JsonObject } from '../../core/base/json';
import type {
  Conversation,
  ConversationPart,
  ConversationTurn,
  Picture,
} from '../../core/model/conversation';
import { textsOfContent } from '../nativeBackend';
import {
  CallIds,
  inputObject,
  joined,
  nativeFor,
  validToolName,
  type Shape,
  type ShapeOptions,
} from './shape';

/** The API takes four breakpoints (Anthropic prompt caching guide, 2026-10). */
const maximumBreakpoints = 4;

/** Ids are `[a-zA-Z0-9_-]+`; 64 is longer than any that providers give. */
const longestId = 64;

/** Stands first where the recorded request begins with a reply: a conversation has to begin with the user. */
const opening = '[The beginning of this conversation was not recorded.]';

/** A block with the numbers of the transcript's blocks that it holds. */
interface Placed {
  readonly item: JsonObject;
  readonly blocks: readonly number[];
}

/** The Anthropic Messages API. */
export const anthropicShape: Shape = {
  write(conversation, options) {
    const ids = new CallIds(longestId);
    const tools = conversation.tools.map(tool => ({
      blocks: tool.blocks,
      item:
        tool.native?.protocol === 'anthropic'
          ? tool.native.item
          : { name: validToolName(tool.name), description: tool.description, input_schema: tool.schema },
    }));
    const system = conversation.system.flatMap(part => placedItems(part, ids));
    const messages = withOpening(turnsFor(conversation, options)).map(({ role, parts }) => ({
      role,
      content: resultsFirst(parts.flatMap(part => placedItems(part, ids))),
    }));
    const filled = messages.filter(({ content }) => content.length > 0);
    const marked = marksOf([tools, system, ...filled.map(({ content }) => content)], conversation, options);
    const [markedTools = [], markedSystem = [], ...contents] = marked;
    return {
      messages: filled.map(({ role }, index) => ({ role, content: contents[index] ?? [] })),
      members: {
        ...(markedTools.length === 0 ? {} : { tools: markedTools }),
        ...(markedSystem.length === 0 ? {} : { system: markedSystem }),
      },
    };
  },
  read: messages => messages.map(readMessage),
};

/** Whether a model takes system messages behind the first turn (mid-conversation system messages guide, 2026-10). */
function takesSystemTurns(model: string): boolean {
  return /claude-(?:opus-4-[89]|[a-z]+-(?:[5-9]|\d\d))(?!\d)/.test(model);
}

function turnsFor({ turns }: Conversation, { model }: ShapeOptions): readonly ConversationTurn[] {
  if (takesSystemTurns(model)) {
    return joined(turns);
  }
  return joined(turns.map(turn => (turn.role === 'system' ? { ...turn, role: 'user' } : turn)));
}

function withOpening(turns: readonly ConversationTurn[]): readonly ConversationTurn[] {
  return turns[0]?.role === 'user'
    ? turns
    : [{ role: 'user', parts: [{ kind: 'text', text: opening, blocks: [] }] }, ...turns];
}

function placedItems(part: ConversationPart, ids: CallIds): readonly Placed[] {
  return itemsOf(part, ids).map(item => ({ item, blocks: part.blocks }));
}

function itemsOf(part: ConversationPart, ids: CallIds): readonly JsonObject[] {
  const native = nativeFor('anthropic', part);
  switch (part.kind) {
    case 'text':
      // The API refuses empty texts.
      return part.text.trim() === '' ? [] : [native ?? { type: 'text', text: part.text }];
    case 'thinking':
    case 'other':
      return native === undefined ? [] : [native];
    case 'call':
      return [
        native === undefined
          ? {
              type: 'tool_use',
              id: ids.of(part.id),
              name: validToolName(part.name),
              input: inputObject(part.input),
            }
          : withId(native, 'id', ids),
      ];
    case 'result':
      return [native === undefined ? resultOf(part, ids) : withId(native, 'tool_use_id', ids)];
    case 'picture':
      return [native ?? pictureOf(part.picture)];
  }
}

function withId(native: JsonObject, key: string, ids: CallIds): JsonObject {
  const id = stringAt(native, key);
  const valid = id === undefined ? undefined : ids.of(id);
  return valid === id ? native : { ...native, [key]: valid };
}

function resultOf(part: Extract<ConversationPart, { kind: 'result' }>, ids: CallIds): JsonObject {
  return {
    type: 'tool_result',
    tool_use_id: ids.of(part.callId),
    content:
      part.pictures.length === 0
        ? part.text
        : [...(part.text === '' ? [] : [{ type: 'text', text: part.text }]), ...part.pictures.map(pictureOf)],
    ...(part.isError ? { is_error: true } : {}),
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

/** Results have to stand before everything else of the turn that brings them. */
function resultsFirst(items: readonly Placed[]): readonly Placed[] {
  const isResult = ({ item }: Placed): boolean => item['type'] === 'tool_result';
  const lastResult = items.findLastIndex(isResult);
  return items.slice(0, lastResult + 1).every(isResult)
    ? items
    : [...items.filter(isResult), ...items.filter(item => !isResult(item))];
}

/** Puts the breakpoints on the last items that hold the marked blocks, the newest four of them. */
function marksOf(
  lists: readonly (readonly Placed[])[],
  { breakpoints }: Conversation,
  { markEnd }: ShapeOptions,
): readonly (readonly JsonObject[])[] {
  const all = lists.flat();
  const canMark = ({ item }: Placed): boolean =>
    item['type'] !== 'thinking' && item['type'] !== 'redacted_thinking';
  const marked =
    markEnd === true ? [] : all.filter(({ blocks }) => blocks.some(block => breakpoints.includes(block)));
  const end = markEnd === true ? all.findLast(canMark) : undefined;
  const chosen = new Set(
    [...marked.filter(canMark), ...(end === undefined ? [] : [end])].slice(-maximumBreakpoints),
  );
  return lists.map(list =>
    list.map(placed =>
      chosen.has(placed) ? { ...placed.item, cache_control: { type: 'ephemeral' } } : placed.item,
    ),
  );
}

function readMessage(message: JsonObject): ConversationTurn {
  const role = message['role'];
  const content = message['content'];
  const parts =
    typeof content === 'string'
      ? [{ kind: 'text', text: content, blocks: [] } as const]
      : arrayAt(message, 'content').filter(isObject).map(readBlock);
  return { role: role === 'assistant' || role === 'system' ? role : 'user', parts };
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
    case 'tool_result': {
      const { content } = block;
      const parts = isArray(content) ? content : [];
      return {
        ...shared,
        kind: 'result',
        callId: stringAt(block, 'tool_use_id') ?? '',
        name: '',
        text: textsOfContent(content).join('\n'),
        isError: block['is_error'] === true,
        pictures: parts.flatMap(part => readPicture(objectAt(part, 'source'))),
      };
    }
    case 'image': {
      const [picture] = readPicture(objectAt(block, 'source'));
      return picture === undefined ? { ...shared, kind: 'other' } : { ...shared, kind: 'picture', picture };
    }
    default:
      return { ...shared, kind: 'other' };
  }
}

function readPicture(source: JsonObject | undefined): readonly Picture[] {
  const data = stringAt(source, 'data');
  const url = stringAt(source, 'url');
  const mediaType = stringAt(source, 'media_type');
  if (data !== undefined && mediaType !== undefined) {
    return [{ kind: 'data', mediaType, data }];
  }
  return url === undefined ? [] : [{ kind: 'url', url }];
}
