import type { CacheSession } from '../cache/cacheSession';
import type { PruneOptions } from '../model/pruneConfig';
import { requestsOfThread } from '../model/requestBlocks';
import { buildRequestView } from '../view/requestView';
import { pruneMoment } from './plan';
import { prunePreview } from './prunePreview';
import {
  add,
  cachesInput,
  inputCost,
  nothing,
  predictedRead,
  reachableBlocks,
  readableTokens,
  sentTokens,
  type SentTokens,
  subtract,
  type Worth,
} from './requestCost';
import type { PruneMoment } from './ruleSet';
import { VirtualContext } from './virtualContext';

/** One side of the comparison: a figure for each of `PruneReplay.requests`, in their order. */
export interface ReplaySeries {
  /** Input tokens, and those of them that are read from the cache. */
  readonly total: Float64Array;
  readonly read: Float64Array;
  /** US dollars for the input; NaN if prices are not known. */
  readonly money: Float64Array;
  /** The sum; undefined if a price is not known. */
  readonly cost: Worth | undefined;
}

/** A prune in the replay, just before a request. */
export interface ReplayedPrune {
  readonly request: number;
  readonly blocks: readonly number[];
  /** At this request, minus the notices. */
  readonly tokensFreed: number;
}

/** The rest of a session with and without pruning, with the same model of the cache. */
export interface PruneReplay {
  /** The requests of the thread from the pruned one on. */
  readonly requests: Uint32Array;
  /** The time at which later prunes are tried. */
  readonly moment: PruneMoment;
  /** The first prune at the first request, if its plan executes, then the later prunes of the rule set. */
  readonly prunes: readonly ReplayedPrune[];
  readonly asSent: ReplaySeries;
  readonly pruned: ReplaySeries;
  /** The money that pruning saves; negative if it costs more. Undefined if a price is unknown. */
  readonly saved: Worth | undefined;
  /**
   * Compares the model with the record, over the requests with recorded usage: US dollars for the input, recorded and
   * modelled. Undefined if a price is unknown.
   */
  readonly recorded: { readonly recorded: number; readonly modelled: number } | undefined;
}

/**
 * Replays the rest of a session as if its history had been pruned just before a request, and again whenever the agent of
 * the rule set would have: after each prompt is done, or before each request.
 *
 * A request reads the longest prefix that equals the earlier request which the prediction names, within the provider's
 * minimum, steps, lifetime and, if recorded, breakpoints; a result pruned in between ends it. All else stays as it was:
 * replies, times, compactions. Output costs the same on both sides and is left out. Linear in requests and blocks, plus
 * one walk of the rules over the results each time they are tried.
 */
export function replayPrune(session: CacheSession, request: number, options: PruneOptions): PruneReplay {
  const { columns } = session;
  const requests = Uint32Array.from(
    requestsOfThread(columns, session.threadOf(request)).filter(other => other >= request),
  );
  const asSent = new SeriesBuilder(session, requests.length);
  const pruned = new SeriesBuilder(session, requests.length);
  const prunes: ReplayedPrune[] = [];
  const context = new VirtualContext(session, options);
  let recorded: { recorded: number; modelled: number } | undefined = { recorded: 0, modelled: 0 };
  requests.forEach((other, index) => {
    if (other === request) {
      const view = buildRequestView(columns, request, { low: 0, high: 0 });
      context.begin(request, prunePreview(columns, view, options).plan);
    } else {
      context.advance(other);
    }
    const pruning = context.prunedAt(other);
    if (pruning !== undefined) {
      prunes.push({ request: other, ...pruning });
    }
    const before = sentByModel(session, other);
    const modelled = asSent.add(index, other, before);
    pruned.add(index, other, prunedTokens(session, other, before, context));
    if (session.isRecorded(other)) {
      const cost = inputCost(session, other, sentTokens(session, other));
      recorded =
        recorded === undefined || cost === undefined || modelled === undefined
          ? undefined
          : { recorded: recorded.recorded + cost.money, modelled: recorded.modelled + modelled.money };
    }
  });
  const [one, other] = [asSent.series(), pruned.series()];
  return {
    requests,
    moment: pruneMoment(options.ruleSet),
    prunes,
    asSent: one,
    pruned: other,
    saved: one.cost === undefined || other.cost === undefined ? undefined : subtract(one.cost, other.cost),
    recorded,
  };
}

/** The modelled cache read of the unpruned request. */
function sentByModel(session: CacheSession, request: number): SentTokens {
  const total = session.tokens.total(request);
  const read = cachesInput(session, request)
    ? readableTokens(session, request, predictedRead(session, request))
    : 0;
  return { total, read: Math.min(total, read) };
}

function prunedTokens(
  session: CacheSession,
  request: number,
  before: SentTokens,
  context: VirtualContext,
): SentTokens {
  if (context.isUntouched) {
    return before;
  }
  const scale = session.tokens.scale(request);
  const total = Math.max(0, before.total - context.freedBefore(session.lengthOf(request)) * scale);
  if (before.read === 0) {
    return { total, read: 0 };
  }
  const shared = session.columns.requests.predictedBlocks[request] ?? 0;
  const changed = context.firstChangeSince(session.sourceOf(request));
  const blocks = changed < shared ? reachableBlocks(session, request, changed) : shared;
  const prefix = session.tokens.prefix(request, blocks) - context.freedBefore(blocks) * scale;
  return { total, read: Math.min(total, blocks === 0 ? 0 : readableTokens(session, request, prefix)) };
}

/** Collects one side, request by request. */
class SeriesBuilder {
  private readonly total: Float64Array;
  private readonly read: Float64Array;
  private readonly money: Float64Array;
  private cost: Worth | undefined = nothing;

  constructor(
    private readonly session: CacheSession,
    length: number,
  ) {
    this.total = new Float64Array(length);
    this.read = new Float64Array(length);
    this.money = new Float64Array(length);
  }

  add(index: number, request: number, sent: SentTokens): Worth | undefined {
    const cost = inputCost(this.session, request, sent);
    this.total[index] = sent.total;
    this.read[index] = sent.read;
    this.money[index] = cost?.money ?? Number.NaN;
    this.cost = this.cost === undefined || cost === undefined ? undefined : add(this.cost, cost);
    return cost;
  }

  series(): ReplaySeries {
    const { total, read, money, cost } = this;
    return { total, read, money, cost };
  }
}
