import type { CacheSession } from '../cache/cacheSession';
import type { PruneOptions } from '../model/pruneConfig';
import { contextOf } from '../model/requestBlocks';
import { noticeTokens } from './noticeTokens';
import { planPrune, pruneMoment, type PrunePlan, wouldPrune } from './plan';
import { pruneSituation, PruneTranscript } from './pruneTranscript';

/** A pruned result. The freed tokens are in the tokenizer's count, which each request scales. */
interface Pruned {
  readonly freed: number;
  readonly bytes: number;
  /** The request before which it was pruned. */
  readonly at: number;
}

/** The blocks of a request: the first `length` of a context, which later requests may have extended. */
export interface SentBlocks {
  readonly context: Uint32Array;
  readonly length: number;
}

/** The context of a thread's requests, one after the other, with notices in place of pruned results. */
export class VirtualContext {
  private transcript: PruneTranscript;
  private context: Uint32Array = new Uint32Array();
  private length = 0;
  private readonly pruned = new Map<number, Pruned>();
  /** The pruned results of this context, by position. */
  private readonly standing = new Map<number, Pruned>();
  /** Positions of the results in this context. */
  private readonly positions = new Map<number, number>();
  private freedHere = 0;
  private lastPosition = -1;
  private lastPrune:
    | { readonly request: number; readonly blocks: readonly number[]; readonly tokensFreed: number }
    | undefined;

  constructor(
    private readonly session: CacheSession,
    private readonly options: PruneOptions,
    /** The blocks of a request; as recorded if it is not given. */
    private readonly sentBlocks = (request: number): SentBlocks => ({
      context: contextOf(session.columns, request),
      length: session.lengthOf(request),
    }),
  ) {
    this.transcript = new PruneTranscript(session.columns);
  }

  /** True until something is pruned. */
  get isUntouched(): boolean {
    return this.pruned.size === 0;
  }

  /** Begins at a request, with a plan that was made for it. */
  begin(request: number, plan: PrunePlan): void {
    this.take(request, false);
    this.apply(request, plan);
  }

  /** Continues with the next request of the thread, pruning when the agent would. */
  advance(request: number): void {
    const moment = pruneMoment(this.options.ruleSet);
    this.take(request, moment === 'afterTurn');
    if (moment === 'beforeRequest') {
      this.tryPrune(request);
    }
  }

  /** The results pruned just before a request. */
  prunedAt(
    request: number,
  ): { readonly blocks: readonly number[]; readonly tokensFreed: number } | undefined {
    return this.lastPrune?.request === request
      ? { blocks: this.lastPrune.blocks, tokensFreed: this.lastPrune.tokensFreed }
      : undefined;
  }

  /** Tokens pruned from a block, in the tokenizer's count; undefined if it was not pruned. */
  freedOf(block: number): number | undefined {
    return this.pruned.get(block)?.freed;
  }

  /** Tokens pruned from the blocks before a position, in the tokenizer's count. */
  freedBefore(position: number): number {
    if (position > this.lastPosition) {
      return this.freedHere;
    }
    let freed = 0;
    for (const [at, entry] of this.standing) {
      freed += at < position ? entry.freed : 0;
    }
    return freed;
  }

  /** The first position that was pruned after a request was sent; infinite if none was. */
  firstChangeSince(request = -1): number {
    let first = Number.POSITIVE_INFINITY;
    if (this.lastPrune === undefined || this.lastPrune.request <= request) {
      return first;
    }
    for (const [position, { at }] of this.standing) {
      first = at > request ? Math.min(first, position) : first;
    }
    return first;
  }

  private take(request: number, prunesBetweenTurns: boolean): void {
    const { columns, tokens } = this.session;
    const { blocks: rows } = columns;
    const { context, length } = this.sentBlocks(request);
    if (!this.continues(context, length)) {
      this.restart();
    }
    this.context = context;
    const scale = tokens.scale(request);
    for (let position = this.length; position < length; position += 1) {
      const block = context[position] ?? 0;
      if (prunesBetweenTurns && rows.firstRequest[block] === request && this.transcript.opensTurn(block)) {
        this.tryPrune(request);
      }
      const size = rows.tokens[block] ?? 0;
      const pruned = this.pruned.get(block);
      this.positions.set(block, position);
      if (pruned === undefined) {
        this.transcript.add(block, Math.round(size * scale));
      } else {
        this.transcript.add(block, Math.round((size - pruned.freed) * scale), { bytes: pruned.bytes });
        this.stand(position, pruned);
      }
    }
    this.length = length;
  }

  /** True if a context begins with everything taken so far. */
  private continues(context: Uint32Array, length: number): boolean {
    if (context === this.context) {
      return length >= this.length;
    }
    return (
      length >= this.length &&
      this.context.subarray(0, this.length).every((block, position) => context[position] === block)
    );
  }

  private restart(): void {
    this.transcript = new PruneTranscript(this.session.columns);
    this.length = 0;
    this.standing.clear();
    this.positions.clear();
    this.freedHere = 0;
    this.lastPosition = -1;
  }

  private tryPrune(request: number): void {
    const { session, options, transcript } = this;
    const window = session.columns.requests.window[request] ?? 0;
    const freed = this.freedHere * session.tokens.scale(request);
    const situation = {
      ...pruneSituation(session.columns, {
        request,
        total: { value: session.tokens.total(request) - freed, quality: 'calibrated' },
        window: window === 0 ? undefined : window,
      }),
      ...transcript.ends,
    };
    if (wouldPrune(transcript.history, options, situation)) {
      const scale = session.columns.requests.scale[request] ?? 1;
      this.apply(
        request,
        planPrune(transcript.history, options, notice => Math.round(noticeTokens(notice) * scale), situation),
      );
    }
  }

  private apply(request: number, plan: PrunePlan): void {
    if (!plan.executes) {
      return;
    }
    const scale = this.session.tokens.scale(request);
    const { blocks: rows } = this.session.columns;
    const notices = new Map<number, { readonly tokens: number; readonly bytes: number }>();
    const blocks: number[] = [];
    plan.decisions.forEachPruned((block, tokensFreed) => {
      const freed = scale === 0 ? 0 : tokensFreed / scale;
      const size = rows.tokens[block] ?? 0;
      const entry = {
        freed,
        bytes: size === 0 ? 0 : Math.round(((rows.bytes[block] ?? 0) * (size - freed)) / size),
        at: request,
      };
      this.pruned.set(block, entry);
      this.stand(this.positions.get(block) ?? 0, entry);
      notices.set(block, { tokens: Math.round((size - freed) * scale), bytes: entry.bytes });
      blocks.push(block);
    });
    this.transcript.prune(notices);
    this.lastPrune = { request, blocks, tokensFreed: plan.tokensFreed };
  }

  private stand(position: number, entry: Pruned): void {
    this.standing.set(position, entry);
    this.freedHere += entry.freed;
    this.lastPosition = Math.max(this.lastPosition, position);
  }
}
