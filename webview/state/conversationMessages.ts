import { at } from '../../src/core/base/numbers';
import type { BlockKind } from '../../src/core/model/block';
import { kindOf } from '../../src/core/model/blockWords';
import type { SessionColumns } from '../../src/core/model/columns';
import { requestsByThread } from './derived';
import { memoise } from './store';

/** `head`: system texts and tools. `notes`: texts that the client added. A call has its results with it. */
export type MessageKind =
  | 'head'
  | 'notes'
  | 'prompt'
  | 'reply'
  | 'thinking'
  | 'call'
  | 'result'
  | 'summary'
  | 'image';

/** A part of a conversation that is read as one. */
export interface Message {
  readonly kind: MessageKind;
  /** In wire order; the first is its name. */
  readonly blocks: readonly [number, ...number[]];
  /** The place in the conversation of the first request that contains it; behind the last one if none does. */
  readonly slot: number;
}

/** A conversation as it was written: every block that one of its requests contained, or that none did. */
export interface Conversation {
  readonly thread: number;
  readonly requests: Uint32Array;
  /** In the order in which they came in. */
  readonly messages: readonly Message[];
  /** The index of each block's message; -1 for blocks of other conversations. */
  readonly messageOf: Int32Array;
  /** The place of the last request that contains a block; -1 for none. */
  readonly lastSlot: Int32Array;
}

const noRequests = new Uint32Array();
const noBlocks = new Uint32Array();

const kinds: Readonly<Record<BlockKind, MessageKind>> = {
  systemPrompt: 'head',
  toolSchema: 'head',
  structuredOutput: 'head',
  prompt: 'prompt',
  injected: 'notes',
  assistant: 'reply',
  thinking: 'thinking',
  toolCall: 'call',
  toolResult: 'result',
  image: 'image',
  summary: 'summary',
  other: 'prompt',
};

/** The messages of a thread. One pass over its contexts, and one over the blocks. */
export const conversationOf = memoise((columns: SessionColumns, thread: number): Conversation => {
  const requests = requestsByThread(columns).get(thread) ?? noRequests;
  const { firstSlot, lastSlot, order } = sentBlocks(columns, requests);
  const unsent = unsentBlocks(columns, thread, firstSlot, order);
  const messages: { kind: MessageKind; blocks: [number, ...number[]]; slot: number }[] = [];
  const messageOf = new Int32Array(columns.blocks.kind.length).fill(-1);
  const add = (block: number, slot: number): void => {
    const kind = kinds[kindOf(columns.blocks, block)];
    const call = kind === 'call' ? -1 : (messageOf[columns.blocks.pair[block] ?? -1] ?? -1);
    const last = messages.at(-1);
    const isTogether = kind === 'head' || kind === 'notes';
    const joined =
      call >= 0 ? messages[call] : isTogether && last?.kind === kind && last.slot === slot ? last : undefined;
    if (joined === undefined) {
      messageOf[block] = messages.push({ kind, blocks: [block], slot }) - 1;
    } else {
      joined.blocks.push(block);
      messageOf[block] = call >= 0 ? call : messages.length - 1;
    }
  };
  unsent.get(-1)?.forEach(block => add(block, 0));
  for (const block of order) {
    add(block, at(firstSlot, block));
    unsent.get(block)?.forEach(later => add(later, at(firstSlot, block)));
  }
  unsent.get(-2)?.forEach(block => add(block, requests.length));
  return { thread, requests, messages, messageOf, lastSlot };
}, 4);

interface SentBlocks {
  /** By block: the places of the first and the last request that contain it; -1 for none. */
  readonly firstSlot: Int32Array;
  readonly lastSlot: Int32Array;
  /** In the order in which they came in. */
  readonly order: readonly number[];
}

function sentBlocks({ blocks, contexts, requests: rows }: SessionColumns, requests: Uint32Array): SentBlocks {
  const firstSlot = new Int32Array(blocks.kind.length).fill(-1);
  const lastSlot = firstSlot.slice();
  const order: number[] = [];
  /** By context: the last request, and how many of its blocks are known. */
  const ends = new Map<number, { slot: number; length: number }>();
  requests.forEach((request, slot) => {
    const number = at(rows.context, request);
    const context = contexts[number] ?? noBlocks;
    const length = Math.min(at(rows.length, request), context.length);
    for (let position = ends.get(number)?.length ?? 0; position < length; position += 1) {
      const block = at(context, position);
      if (firstSlot[block] === -1) {
        firstSlot[block] = slot;
        order.push(block);
      }
    }
    ends.set(number, { slot, length });
  });
  for (const [number, { slot, length }] of ends) {
    const context = contexts[number] ?? noBlocks;
    for (let position = 0; position < length; position += 1) {
      const block = at(context, position);
      lastSlot[block] = Math.max(at(lastSlot, block), slot);
    }
  }
  return { firstSlot, lastSlot, order };
}

/**
 * The blocks that no request contained, by the sent block before them in the file: -1 for those before all others, -2
 * for those after the last one.
 */
function unsentBlocks(
  { blocks, requests }: SessionColumns,
  thread: number,
  firstSlot: Int32Array,
  order: readonly number[],
): ReadonlyMap<number, readonly number[]> {
  const found = new Map<number, number[]>();
  const newest = order.reduce((most, block) => Math.max(most, block), -1);
  // At the start of a file, before any request, there is only the main conversation.
  let before = thread === 0 ? -1 : undefined;
  for (let block = 0; block < firstSlot.length; block += 1) {
    const first = at(blocks.firstRequest, block);
    if (at(firstSlot, block) >= 0) {
      before = block;
    } else if (first >= 0) {
      before = requests.thread[first] === thread ? before : undefined;
    } else if (before !== undefined) {
      const key = block > newest ? -2 : before;
      const list = found.get(key);
      if (list === undefined) {
        found.set(key, [block]);
      } else {
        list.push(block);
      }
    }
  }
  return found;
}
