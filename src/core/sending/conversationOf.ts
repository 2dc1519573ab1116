import { isObject, parseJson, valueAt } from '../base/json';
import { translate } from '../base/translate';
import { derivedValue } from '../wire/derivedValue';
import type { Block } from '../model/block';
import type {
  Conversation,
  ConversationPart,
  ConversationTurn,
  NativeItem,
  Picture,
} from '../model/conversation';
import { paired, withCallIds } from './callPairs';
import { pictureAt, splitSystem } from '../wire/writing/conversationParts';
import { inferredTools, recordedTool } from './conversationTools';
import { nativeItemOf, unmarked } from './nativeItem';

/** A block of a request to send. */
export interface SentBlock {
  readonly number: number;
  readonly block: Block;
  readonly text: string;
  /** The parsed record that the block's reference points into. */
  readonly record: unknown;
  /** True if the text is not the recorded one: it was replaced by a notice, or truncated. */
  readonly isReplaced: boolean;
}

export interface ConversationFacts {
  /** System prompt and tool schemas are among the blocks. */
  readonly complete: boolean;
  /** Block numbers with a cache breakpoint, in wire order. */
  readonly breakpoints: readonly number[];
  /** True to leave the tools out. */
  readonly withoutTools?: boolean;
}

/**
 * The blocks of a request as a conversation. Blocks cut from one item of the provider's request become one part again.
 * Every call has its result and every result its call; the notes report the changes for that.
 */
export function conversationOf(blocks: readonly SentBlock[], facts: ConversationFacts): Conversation {
  const notes: string[] = [];
  const schemas = blocks.filter(({ block }) => block.kind === 'toolSchema');
  const others = blocks.filter(({ block }) => block.kind !== 'toolSchema');
  const [head, rest] = splitSystem(others, ({ block }) => block.role === 'system');
  const turns = paired(turnsOf(groupsOf(withCallIds(rest)), notes), notes);
  const recorded =
    facts.withoutTools === true
      ? []
      : schemas.flatMap(({ number, text }) => recordedTool([number], text) ?? []);
  const tools = recorded.length > 0 || facts.withoutTools === true ? recorded : inferredTools(turns);
  const pruned = blocks.flatMap(({ number, isReplaced }) => (isReplaced ? [number] : []));
  const inferred = tools.filter(tool => tool.inferred).length;
  if (inferred > 0) {
    notes.push(
      translate(
        'Tool schemas inferred from the arguments of the calls because none are recorded: {0}.',
        inferred,
      ),
    );
  }
  if (!facts.complete) {
    notes.push(
      translate('The recorded request is incomplete: system prompt, tools or injected texts may be missing.'),
    );
  }
  return {
    system: head.map(source => ({
      kind: 'text',
      text: source.text,
      blocks: [source.number],
      native: source.isReplaced ? undefined : locatedItem(source)?.native,
    })),
    tools,
    turns: zoned(turns, rest),
    breakpoints: facts.breakpoints,
    ...(pruned.length === 0 ? {} : { pruned }),
    notes,
  };
}

/** The turns. The leading ones are marked as summaries as long as they contain only summaries. */
function zoned(
  turns: readonly ConversationTurn[],
  blocks: readonly SentBlock[],
): readonly ConversationTurn[] {
  const summaries = new Set(
    blocks.flatMap(({ block, number }) => (block.kind === 'summary' ? [number] : [])),
  );
  const isSummary = ({ parts }: ConversationTurn): boolean =>
    parts.every(part => part.blocks.length > 0 && part.blocks.every(block => summaries.has(block)));
  const first = turns.findIndex(turn => !isSummary(turn));
  const live = first < 0 ? turns.length : first;
  return turns.map((turn, index) => (index < live ? { ...turn, zone: 'compressed' } : turn));
}

/** The parts of a reply in the form for the next request. */
export function replyPartsOf(blocks: readonly SentBlock[]): readonly ConversationPart[] {
  return groupsOf(withCallIds(blocks)).flatMap(group => partOf(group) ?? []);
}

/** Blocks that were cut from one item of the provider's request, or a single block. */
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

/** True if a block is a picture that follows the text of its result. */
function isSameResult(before: Block | undefined, block: Block): boolean {
  return (
    block.kind === 'image' &&
    block.role === 'tool' &&
    block.callId !== undefined &&
    before?.role === 'tool' &&
    before.callId === block.callId
  );
}

/** The provider's own item with the block, and a key that is unique in the file. */
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
    notes.push(translate('Blocks left out because their recorded form cannot be sent: {0}.', dropped));
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
      // JSON of an unknown form. Only its own provider can accept it back.
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

/** Arguments are JSON, except for tools that take free text. */
function inputOf(text: string): unknown {
  if (text.trim() === '') {
    return {};
  }
  const value = parseJson(text);
  return isObject(value) ? value : text;
}

/** The beginning of a picture's base64, which depends on its first bytes. */
const pictureTypes: readonly (readonly [beginning: string, mediaType: string])[] = [
  ['iVBOR', 'image/png'],
  ['/9j/', 'image/jpeg'],
  ['R0lGOD', 'image/gif'],
  ['UklGR', 'image/webp'],
];

/** Data of a picture. Anything else in its place is text, and has to pass the redaction. */
const base64 = /^[\w+/=\s-]+$/;

function pictureOf({ block, text }: SentBlock): readonly Picture[] {
  if (/^(?:https?:\/\/|data:[^;,]{1,190};base64,)/.test(text)) {
    return [pictureAt(text)];
  }
  const mediaType =
    block.image?.mediaType ?? pictureTypes.find(([beginning]) => text.startsWith(beginning))?.[1];
  return mediaType === undefined || !base64.test(text) ? [] : [{ kind: 'data', mediaType, data: text }];
}
