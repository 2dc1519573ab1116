import type { Block } from '../model/block';
import { derivedValue } from '../content/derivedValue';
import { isObject, member, objectAt, stringAt, valueAt, type JsonObject } from '../base/json';
import type {
  Conversation,
  ConversationPart,
  ConversationTool,
  ConversationTurn,
  NativeItem,
  Picture,
} from '../model/conversation';
import { withCallId } from '../model/blockList';
import { inferredSchema } from './inferredSchema';
import { nativeItemOf } from './nativeItem';

/** A block of a request as it is to be sent. */
export interface SentBlock {
  readonly number: number;
  readonly block: Block;
  readonly text: string;
  /** The parsed record that the block's reference leads into. */
  readonly record: unknown;
  /** The text is not the recorded one: a notice replaces it, or it was cut. */
  readonly isReplaced: boolean;
}

export interface ConversationFacts {
  /** System prompt and tool schemas are among the blocks. */
  readonly complete: boolean;
  /** Block numbers with a cache breakpoint, in wire order. */
  readonly breakpoints: readonly number[];
}

/**
 * The blocks of a request as a conversation. Blocks that were one item of the provider's request become one part again.
 * Every call has its result and every result its call; the notes name what was missing.
 */
export function conversationOf(blocks: readonly SentBlock[], facts: ConversationFacts): Conversation {
  const notes: string[] = [];
  const schemas = blocks.filter(({ block }) => block.kind === 'toolSchema');
  const others = blocks.filter(({ block }) => block.kind !== 'toolSchema');
  const firstTurn = others.findIndex(({ block }) => block.role !== 'system');
  const head = others.slice(0, firstTurn < 0 ? others.length : firstTurn);
  const rest = others.slice(head.length);
  const turns = paired(turnsOf(groupsOf(withCallIds(rest)), notes), notes);
  const recorded = schemas.flatMap(toolsOf);
  const tools = recorded.length > 0 ? recorded : inferredTools(turns);
  const inferred = tools.filter(tool => tool.inferred).length;
  if (inferred > 0) {
    notes.push(`Tool schemas made from the arguments of the calls, since none are recorded: ${inferred}.`);
  }
  if (!facts.complete) {
    notes.push(
      'The recorded request is not complete: system prompt, tools or injected texts may be missing.',
    );
  }
  return {
    system: head.map(source => ({
      kind: 'text',
      text: source.text,
      ...placeOf(source),
      native: native(source),
    })),
    tools,
    turns,
    breakpoints: facts.breakpoints,
    notes,
  };
}

/** The parts of a reply, as the next request would contain them. */
export function replyPartsOf(blocks: readonly SentBlock[]): readonly ConversationPart[] {
  return groupsOf(withCallIds(blocks)).flatMap(group => partOf(group) ?? []);
}

function placeOf({ number }: SentBlock): { readonly blocks: readonly number[] } {
  return { blocks: [number] };
}

/**
 * Results without an id answer the oldest open call of their tool. Calls without an id take that of the result that
 * answers them (Gemini CLI names responses only), or get a new one.
 */
function withCallIds(blocks: readonly SentBlock[]): readonly SentBlock[] {
  const answered = answeredCalls(blocks);
  const resultOf = new Map([...answered].map(([result, call]) => [call, result]));
  const ids = new Map<number, string>();
  let made = 0;
  return blocks.map((source, index) => {
    const { block } = source;
    const call = answered.get(index);
    if (block.kind === 'toolCall') {
      const result = resultOf.get(index);
      const given = result === undefined ? undefined : blocks[result]?.block.callId;
      ids.set(index, block.callId ?? given ?? `call_${(made += 1)}`);
    }
    const id = call === undefined ? ids.get(index) : ids.get(call);
    return id === undefined || id === block.callId ? source : { ...source, block: withCallId(block, id) };
  });
}

/** The index of the call that each result answers, by the result's. */
function answeredCalls(blocks: readonly SentBlock[]): ReadonlyMap<number, number> {
  const answered = new Map<number, number>();
  const open: { readonly index: number; readonly block: Block }[] = [];
  blocks.forEach(({ block }, index) => {
    if (block.kind === 'toolCall') {
      open.push({ index, block });
    } else if (block.kind === 'toolResult' && block.role === 'tool') {
      const isItsOwn = (call: Block): boolean => call.callId !== undefined && call.callId === block.callId;
      const mayBe = (call: Block): boolean =>
        (block.callId === undefined || call.callId === undefined) &&
        (block.toolName === undefined || call.toolName === block.toolName);
      const call = open.find(other => isItsOwn(other.block)) ?? open.find(other => mayBe(other.block));
      if (call !== undefined) {
        answered.set(index, call.index);
        open.splice(open.indexOf(call), 1);
      }
    }
  });
  return answered;
}

/** Blocks that were cut from one item of the provider's request, or one block alone. */
interface Group {
  readonly sources: readonly SentBlock[];
  readonly native: NativeItem | undefined;
}

function groupsOf(blocks: readonly SentBlock[]): readonly Group[] {
  const groups: { sources: SentBlock[]; native: NativeItem | undefined; key: string }[] = [];
  for (const source of blocks) {
    const found = locatedItem(source);
    const last = groups.at(-1);
    const isSameItem = found !== undefined && last?.key === found.key;
    if (last !== undefined && (isSameItem || isSameResult(last.sources.at(-1)?.block, source.block))) {
      last.sources.push(source);
    } else {
      groups.push({ sources: [source], native: found?.native, key: found?.key ?? '' });
    }
  }
  return groups;
}

/** A picture that follows the text of its result. */
function isSameResult(before: Block | undefined, block: Block): boolean {
  return (
    block.kind === 'image' &&
    block.role === 'tool' &&
    block.callId !== undefined &&
    before?.role === 'tool' &&
    before.callId === block.callId
  );
}

function native(source: SentBlock): NativeItem | undefined {
  return source.isReplaced ? undefined : locatedItem(source)?.native;
}

/** The provider's own item that a block was cut from, and a key that is unique in the file. */
function locatedItem({
  block: { text },
  record,
}: SentBlock): { readonly native: NativeItem; readonly key: string } | undefined {
  switch (text.kind) {
    case 'literal':
    case 'joined':
      return undefined;
    case 'string':
    case 'json':
    case 'parts': {
      const found = nativeItemOf(record, text.path);
      return found && { native: found, key: keyOf(text.record.offset, text.path.slice(0, found.depth)) };
    }
    case 'derived': {
      const recorded = valueAt(record, text.path);
      const decoded = typeof recorded === 'string' ? derivedValue(text.via, recorded) : undefined;
      const found = nativeItemOf(decoded, text.inner);
      return (
        found && {
          native: found,
          key: keyOf(text.record.offset, [...text.path, '', ...text.inner.slice(0, found.depth)]),
        }
      );
    }
  }
}

function keyOf(offset: number, path: readonly (string | number)[]): string {
  return JSON.stringify([offset, ...path]);
}

function turnsOf(groups: readonly Group[], notes: string[]): readonly ConversationTurn[] {
  const turns: { role: ConversationTurn['role']; message: number; parts: ConversationPart[] }[] = [];
  let dropped = 0;
  for (const group of groups) {
    const [first] = group.sources;
    if (first === undefined) {
      continue;
    }
    const { block } = first;
    const role = block.role === 'tool' ? 'user' : block.role;
    const part = partOf(group);
    if (part === undefined) {
      dropped += 1;
      continue;
    }
    const last = turns.at(-1);
    if (last?.role === role && (last.message === block.message || role === 'assistant')) {
      last.parts.push(part);
    } else {
      turns.push({ role, message: block.message, parts: [part] });
    }
  }
  if (dropped > 0) {
    notes.push(`Blocks left out, since they are not recorded in a form that can be sent: ${dropped}.`);
  }
  return turns.map(({ role, parts }) => ({ role, parts }));
}

function partOf({ sources, native: found }: Group): ConversationPart | undefined {
  const [first] = sources;
  if (first === undefined) {
    return undefined;
  }
  const isReplaced = sources.some(source => source.isReplaced);
  const shared = {
    blocks: sources.map(({ number }) => number),
    native: isReplaced ? undefined : found && { protocol: found.protocol, item: unmarked(found.item) },
  };
  const { block } = first;
  if (block.role === 'tool' && block.callId !== undefined) {
    const pictures = sources.flatMap(source =>
      source.block.contentType === 'image' ? pictureOf(source) : [],
    );
    return {
      ...shared,
      kind: 'result',
      callId: block.callId,
      name: block.toolName ?? 'tool',
      text: sources
        .flatMap(({ block: { contentType }, text }) => (contentType === 'image' ? [] : [text]))
        .join('\n'),
      isError: block.isError === true,
      pictures,
    };
  }
  switch (block.kind) {
    case 'thinking':
      return { ...shared, kind: 'thinking', text: first.text };
    case 'toolCall':
      return {
        ...shared,
        kind: 'call',
        id: block.callId ?? '',
        name: block.toolName ?? 'tool',
        input: inputOf(first.text),
      };
    case 'image': {
      const [picture] = pictureOf(first);
      return picture === undefined ? undefined : { ...shared, kind: 'picture', picture };
    }
    case 'other':
      // JSON of something unknown to this program; only its own provider can accept it back.
      return shared.native === undefined ? textPart(sources, shared) : { ...shared, kind: 'other' };
    case 'systemPrompt':
    case 'toolSchema':
    case 'prompt':
    case 'injected':
    case 'assistant':
    case 'toolResult':
    case 'summary':
    case 'structuredOutput':
      return textPart(sources, shared);
  }
}

function textPart(
  sources: readonly SentBlock[],
  shared: Pick<ConversationPart, 'blocks' | 'native'>,
): ConversationPart | undefined {
  const isPicture = sources.some(({ block }) => block.contentType === 'image');
  if (isPicture) {
    return shared.native === undefined ? undefined : { ...shared, kind: 'other' };
  }
  return { ...shared, kind: 'text', text: sources.map(({ text }) => text).join('') };
}

/** Breakpoints move from request to request; this request's own are recorded with it. */
function unmarked(item: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(item).filter(([key]) => key !== 'cache_control'));
}

/** Arguments are JSON, but for tools that take free text. */
function inputOf(text: string): unknown {
  if (text.trim() === '') {
    return {};
  }
  try {
    const value: unknown = JSON.parse(text);
    return isObject(value) ? value : text;
  } catch {
    return text;
  }
}

/** How the base64 of a picture begins, by its first bytes. */
const pictureTypes: readonly (readonly [beginning: string, mediaType: string])[] = [
  ['iVBOR', 'image/png'],
  ['/9j/', 'image/jpeg'],
  ['R0lGOD', 'image/gif'],
  ['UklGR', 'image/webp'],
];

function pictureOf({ block, text }: SentBlock): readonly Picture[] {
  const embedded = /^data:([^;,]+);base64,/.exec(text.slice(0, 200));
  if (embedded !== null) {
    return [{ kind: 'data', mediaType: embedded[1] ?? 'image/png', data: text.slice(embedded[0].length) }];
  }
  if (/^https?:\/\//.test(text)) {
    return [{ kind: 'url', url: text }];
  }
  const mediaType =
    block.image?.mediaType ?? pictureTypes.find(([beginning]) => text.startsWith(beginning))?.[1];
  return mediaType === undefined || text === '' ? [] : [{ kind: 'data', mediaType, data: text }];
}

/** A tool definition in any of the providers' shapes; undefined for a tool that its provider runs itself. */
function toolsOf(source: SentBlock): readonly ConversationTool[] {
  let value: unknown;
  try {
    value = JSON.parse(source.text);
  } catch {
    return [];
  }
  const inner = objectAt(value, 'function') ?? value;
  const name = stringAt(inner, 'name');
  const schema = ['input_schema', 'parameters', 'parametersJsonSchema', 'inputSchema']
    .map(key => objectAt(inner, key))
    .find(found => found !== undefined);
  if (name === undefined || !isObject(value)) {
    return [];
  }
  const protocol =
    objectAt(value, 'input_schema') !== undefined
      ? 'anthropic'
      : stringAt(value, 'type') !== undefined && objectAt(value, 'function') === undefined
        ? 'openaiResponses'
        : undefined;
  const found: NativeItem | undefined = protocol && { protocol, item: unmarked(value) };
  return [
    {
      ...placeOf(source),
      name,
      description: stringAt(inner, 'description') ?? '',
      schema: schema ?? { type: 'object', properties: {} },
      inferred: false,
      native: found,
    },
  ];
}

/** A tool for every called tool without a recorded schema: providers refuse calls without tools. */
function inferredTools(turns: readonly ConversationTurn[]): readonly ConversationTool[] {
  const inputs = new Map<string, unknown[]>();
  for (const part of turns.flatMap(({ parts }) => parts)) {
    if (part.kind === 'call') {
      const given = inputs.get(part.name) ?? [];
      given.push(part.input);
      inputs.set(part.name, given);
    }
  }
  return [...inputs].map(([name, given]) => ({
    blocks: [],
    name,
    description: '',
    schema: inferredSchema(given),
    inferred: true,
  }));
}

/** The text for a call whose result the transcript lacks. */
export const missingResult = '[No result was recorded for this call.]';

/**
 * Makes sure that every call is followed by its result in the user's next turn, and that no result is without its call.
 * Consecutive turns of the same side are merged.
 */
function paired(turns: readonly ConversationTurn[], notes: string[]): readonly ConversationTurn[] {
  const calls = new Set(
    turns.flatMap(({ parts }) => parts.flatMap(part => (part.kind === 'call' ? [part.id] : []))),
  );
  let orphans = 0;
  let missing = 0;
  const result: ConversationTurn[] = [];
  const answered = new Set<string>();
  turns.forEach((turn, index) => {
    const parts = turn.parts.map((part): ConversationPart => {
      if (part.kind !== 'result' || calls.has(part.callId)) {
        return part;
      }
      orphans += 1;
      return { kind: 'text', blocks: part.blocks, text: part.text };
    });
    result.push({ role: turn.role, parts });
    parts.forEach(part => part.kind === 'result' && answered.add(part.callId));
    const open = turn.parts.flatMap(part => (part.kind === 'call' ? [part] : []));
    const ahead = turns.slice(index + 1);
    const nextReply = ahead.findIndex(({ role }) => role === 'assistant');
    const before = nextReply < 0 ? ahead : ahead.slice(0, nextReply);
    const given = new Set(
      before.flatMap(({ parts: later }) =>
        later.flatMap(part => (part.kind === 'result' ? [part.callId] : [])),
      ),
    );
    const lost = open.filter(({ id, native: found }) => !given.has(id) && !isServerCall(found));
    if (lost.length > 0) {
      missing += lost.length;
      result.push({
        role: 'user',
        parts: lost.map(({ id, name }) => ({
          kind: 'result',
          blocks: [],
          callId: id,
          name,
          text: missingResult,
          isError: true,
          pictures: [],
        })),
      });
    }
  });
  if (orphans > 0) {
    notes.push(`Results sent as text, since their calls are not in the request: ${orphans}.`);
  }
  if (missing > 0) {
    notes.push(`Calls sent with a note in the place of a result that is not recorded: ${missing}.`);
  }
  return result;
}

/** Tools that the provider runs itself have their result in the same turn. */
function isServerCall(found: NativeItem | undefined): boolean {
  return member(found?.item, 'type') === 'server_tool_use';
}
