import { type JsonObject, stringAt } from '../../base/json';
import type { Conversation, ConversationPart, ConversationTurn, Picture } from '../../model/conversation';
import {
  CallIds,
  inputObject,
  joined,
  listMember,
  type NativeConversation,
  nativeFor,
  systemAsUser,
  validToolName,
  withOpening,
  type WriteOptions,
} from '../writing/dialect';

/** The API takes four breakpoints (Anthropic prompt caching guide, 2026-10). */
const maximumBreakpoints = 4;

/** Ids are `[a-zA-Z0-9_-]+`; 64 is longer than any id that providers give. */
const longestId = 64;

const reasoningTypes: ReadonlySet<unknown> = new Set(['thinking', 'redacted_thinking']);

/** A block with the numbers of the transcript's blocks in it. */
interface Placed {
  readonly item: JsonObject;
  readonly blocks: readonly number[];
}

/** The messages of a conversation, and the members of a request beside them. */
export function writtenMessages(conversation: Conversation, options: WriteOptions): NativeConversation {
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
}

export function isReasoning({ type }: JsonObject): boolean {
  return reasoningTypes.has(type);
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
