import { entryOf } from '../base/entryOf';
import type { SessionColumns } from '../model/columns';
import type { Compaction } from '../model/transcript';
import { isCarried } from '../view/requestTokens';

/** The reason why a request does not contain a block. */
export type Absence =
  | { readonly reason: 'compaction' | 'clearing'; readonly compaction: number }
  /** The agent stopped sending it, and no record says so. */
  | { readonly reason: 'left' }
  /** Only another conversation of the session has it: a subagent's, or its parent's. */
  | { readonly reason: 'otherAgent' };

/** Positions of chosen blocks in the contexts. One pass over the contexts; memory grows with the chosen blocks. */
export class ContextPlaces {
  /** By block: the contexts with it and its positions there, in turn. */
  private readonly places = new Map<number, number[]>();
  private readonly replies = new Map<number, number>();

  constructor(
    private readonly columns: SessionColumns,
    private readonly compactions: readonly Compaction[],
    replies: readonly (readonly number[])[],
    chosen: ReadonlySet<number>,
  ) {
    columns.contexts.forEach((context, number) => {
      context.forEach((block, position) => {
        if (chosen.has(block)) {
          entryOf(this.places, block, () => []).push(number, position);
        }
      });
    });
    replies.forEach((reply, request) => {
      for (const block of reply) {
        if (chosen.has(block) && !this.replies.has(block)) {
          this.replies.set(block, request);
        }
      }
    });
  }

  /** The request whose reply a block is part of; undefined if there is none. */
  repliedIn(block: number): number | undefined {
    return this.replies.get(block);
  }

  /** True if a request contains a block. */
  carries(request: number, block: number): boolean {
    return this.isWithin(request, block, this.columns.requests.length[request] ?? 0);
  }

  /** True if a request contains a block before another one. */
  isBefore(request: number, block: number, other: number): boolean {
    return this.isWithin(request, block, this.positionIn(request, other));
  }

  private isWithin(request: number, block: number, length: number): boolean {
    const position = this.positionIn(request, block);
    return position >= 0 && position < length && isCarried(this.columns.blocks, block, request);
  }

  /** The position of a block in the context of a request, which may be longer than the request; -1 if it is not in that context. */
  private positionIn(request: number, block: number): number {
    const context = this.columns.requests.context[request];
    const places = this.places.get(block) ?? [];
    for (let at = 0; at < places.length; at += 2) {
      if (places[at] === context) {
        return places[at + 1] ?? -1;
      }
    }
    return -1;
  }

  /** The reason why a request does not contain an older block. */
  absence(request: number, block: number): Absence {
    const { requests } = this.columns;
    const thread = requests.thread[request];
    const [context = -1] = this.places.get(block) ?? [];
    const isOwn =
      requests.thread[this.columns.blocks.firstRequest[block] ?? -1] === thread ||
      requests.context[request] === context;
    if (!isOwn) {
      return { reason: 'otherAgent' };
    }
    const first = this.columns.blocks.firstRequest[block] ?? 0;
    const compaction = this.compactions.findIndex(
      each =>
        each.thread === thread &&
        each.request > first &&
        each.request <= request &&
        !this.carries(each.request, block),
    );
    const found = this.compactions[compaction];
    return found === undefined ? { reason: 'left' } : { reason: found.kind, compaction };
  }
}
