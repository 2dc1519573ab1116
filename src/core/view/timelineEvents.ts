import { at } from '../base/numbers';
import { blockKinds } from '../model/block';
import type { SessionColumns } from '../model/columns';

/** A question of the user: the request that first has it, and its block. */
export interface Chapter {
  readonly slot: number;
  readonly block: number;
}

/** The content that each request added to a conversation. */
export interface TimelineEvents {
  /** In the order of slots, at most one per slot. A chapter ends where the next begins. */
  readonly chapters: readonly Chapter[];
  /** By slot: the highest index into `sensitivityLabels` of the blocks that the request added. */
  readonly sensitivity: Uint8Array;
}

const promptKind = blockKinds.indexOf('prompt');

/** One pass over the blocks. @param requests of a conversation, as numbers of the file's requests */
export function timelineEvents(
  { blocks, requests: rows }: SessionColumns,
  requests: Uint32Array,
): TimelineEvents {
  const slots = new Int32Array(rows.thread.length).fill(-1);
  requests.forEach((request, slot) => {
    slots[request] = slot;
  });
  const sensitivity = new Uint8Array(requests.length);
  const questions = new Int32Array(requests.length).fill(-1);
  for (let block = 0; block < blocks.kind.length; block += 1) {
    const request = at(blocks.firstRequest, block);
    const slot = request < 0 ? -1 : at(slots, request);
    if (slot >= 0) {
      sensitivity[slot] = Math.max(at(sensitivity, slot), at(blocks.sensitivity, block));
      if (blocks.kind[block] === promptKind && at(questions, slot) < 0) {
        questions[slot] = block;
      }
    }
  }
  const chapters: Chapter[] = [];
  questions.forEach((block, slot) => {
    if (block >= 0) {
      chapters.push({ slot, block });
    }
  });
  return { chapters, sensitivity };
}

/** The index of the chapter that a slot belongs to; -1 before the first. Logarithmic. */
export function chapterAt(chapters: readonly Chapter[], slot: number): number {
  let low = 0;
  let high = chapters.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((chapters[middle]?.slot ?? 0) <= slot) {
      low = middle + 1;
    } else {
      high = middle;
    }
  }
  return low - 1;
}

/**
 * The tokens at which the agent compacted by itself in this session, the most that it recorded or sent before one;
 * undefined if it never did. No format records the threshold.
 */
export function compactsAt(
  compactions: readonly {
    readonly kind: string;
    readonly trigger?: string;
    readonly tokensBefore?: number;
  }[],
): number | undefined {
  let most: number | undefined;
  for (const { kind, trigger, tokensBefore } of compactions) {
    if (kind === 'compaction' && trigger === 'auto' && tokensBefore !== undefined) {
      most = Math.max(most ?? 0, tokensBefore);
    }
  }
  return most;
}
