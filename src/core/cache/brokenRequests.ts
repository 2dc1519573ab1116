import type { ChangedPair, ContextDifference } from '../view/contextDifference';
import type { RequestBoundary } from './cacheFinding';
import type { CacheSession } from './cacheSession';

/** A request that read less from the cache than was available. Its cause is not determined yet. */
export interface BrokenRequest {
  readonly request: number;
  readonly previous: number;
  /** Tokens, as recorded. */
  readonly readable: number;
  readonly read: number;
  readonly tokensLost: number;
  /** The difference from the previous context; undefined if the request only adds to it. */
  readonly difference: ContextDifference | undefined;
  /** The previous request was below the provider's minimum, so nothing was written. */
  readonly isBelowMinimum: boolean;
  readonly boundary: RequestBoundary;
}

/** The requests that lost the cache, in order. Linear in the requests and in the rewritten contexts. */
export function findBrokenRequests(
  session: CacheSession,
  boundaries: readonly RequestBoundary[],
): readonly BrokenRequest[] {
  return boundaries.flatMap(boundary => brokenRequest(session, boundary) ?? []);
}

/** A cache of which more than this share was read has not expired. */
const nearlyAll = 0.9;

/** True if nearly all of the cache was read. */
export const isNearlyRead = ({ read, readable }: BrokenRequest): boolean => read > nearlyAll * readable;

/** The blocks whose texts decide whether a change is more than a volatile value; a few are enough. */
export function pairsToRead({ difference }: BrokenRequest): readonly ChangedPair[] {
  return difference === undefined
    ? []
    : [...difference.system.slice(0, pairsRead), ...difference.rewritten.slice(0, pairsRead)];
}

const pairsRead = 4;

function brokenRequest(session: CacheSession, boundary: RequestBoundary): BrokenRequest | undefined {
  const { request } = boundary;
  const made = session.isRecorded(request) ? readableBefore(session, boundary) : undefined;
  if (made === undefined) {
    return undefined;
  }
  const { previous, readable, isBelowMinimum } = made;
  const read = session.readOf(request);
  const shortfall = readable - read;
  const tolerance = session.use.tolerance(request);
  if (shortfall <= tolerance) {
    return undefined;
  }
  const isWhole = session.contexts.common(previous, request) >= session.lengthOf(previous);
  const difference = isWhole || made.isShared ? undefined : session.contexts.compare(previous, request);
  if (isBelowMinimum && difference?.keepsHistory === false) {
    return undefined;
  }
  const uncached = session.tokens.total(request) - read;
  const paidAgain =
    difference === undefined ? uncached : Math.max(0, uncached - freshTokens(session, request, difference));
  const tokensLost = Math.round(Math.min(shortfall, paidAgain));
  if (tokensLost <= tolerance) {
    return undefined;
  }
  return { request, previous, readable, read, tokensLost, difference, isBelowMinimum, boundary };
}

interface MadeReadable {
  readonly previous: number;
  readonly readable: number;
  readonly isBelowMinimum: boolean;
  /** Only the shared beginning was readable, so later differences are no cause. */
  readonly isShared: boolean;
}

/** The prefix cached for this request by the previous one or by one with the same beginning. */
function readableBefore(
  session: CacheSession,
  { request, predicted, agreement }: RequestBoundary,
): MadeReadable | undefined {
  const { use, tokens } = session;
  const previous = session.previousOf(request);
  if (previous !== undefined && isBelowMinimum(session, previous)) {
    return { previous, readable: tokens.total(previous), isBelowMinimum: true, isShared: false };
  }
  const byPrevious =
    previous !== undefined && (use.isUsed(previous) || use.isUsed(request))
      ? (use.leftReadable(previous) ?? 0)
      : 0;
  const { from } = predicted;
  if (from !== undefined && from !== previous && predicted.tokens > byPrevious && agreement === 'short') {
    return { previous: from, readable: predicted.tokens, isBelowMinimum: false, isShared: true };
  }
  return previous === undefined || byPrevious === 0
    ? undefined
    : { previous, readable: byPrevious, isBelowMinimum: false, isShared: false };
}

/** A request that was too short to be cached, although it asked for caching or its provider caches automatically. */
function isBelowMinimum(session: CacheSession, request: number): boolean {
  const { columns, tokens, use } = session;
  const minimum = session.rowOf(request)?.cache.minimumTokens;
  return (
    minimum !== undefined &&
    tokens.total(request) < minimum &&
    session.readOf(request) === 0 &&
    (columns.requests.cacheWrite[request] ?? 0) === 0 &&
    (use.isUsedAtAll || session.marks.has(request))
  );
}

/** Tokens of the blocks that the earlier request did not have. */
function freshTokens(
  { contexts, tokens }: CacheSession,
  request: number,
  { fresh }: ContextDifference,
): number {
  const blocks = contexts.blocksOf(request);
  return tokens.blocks(
    request,
    fresh.map(position => blocks[position] ?? 0),
  );
}

/** Compactions and clearings between two requests of a thread. */
export function compactionsBetween(
  { columns, compactions }: CacheSession,
  earlier: number,
  later: number,
  kind?: 'compaction' | 'clearing',
): number {
  const thread = columns.requests.thread[later];
  return compactions.filter(
    compaction =>
      compaction.thread === thread &&
      compaction.request > earlier &&
      compaction.request <= later &&
      (kind === undefined || compaction.kind === kind),
  ).length;
}
