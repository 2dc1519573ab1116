import type { RequestBoundary } from './cacheFinding';
import type { CacheSession } from './cacheSession';
import type { ChangedPair, ContextDifference } from './contextDifference';

/** A request that read less than was readable, before its cause is told. */
export interface BrokenRequest {
  readonly request: number;
  readonly previous: number;
  /** Tokens, as recorded. */
  readonly readable: number;
  readonly read: number;
  readonly tokensLost: number;
  /** Leading blocks that both share. */
  readonly common: number;
  /** How its context differs from the previous one's; undefined where it only adds to it. */
  readonly difference: ContextDifference | undefined;
  /** The previous request was shorter than the provider caches, so that nothing was written. */
  readonly isBelowMinimum: boolean;
  readonly boundary: RequestBoundary;
}

/** The requests whose cache broke, in order. Linear in the requests, and in the contexts of those that rewrote theirs. */
export function findBrokenRequests(
  session: CacheSession,
  boundaries: readonly RequestBoundary[],
): readonly BrokenRequest[] {
  return boundaries.flatMap(boundary => brokenRequest(session, boundary) ?? []);
}

/** The blocks whose texts tell whether a change is more than a volatile value; a few are enough. */
export function pairsToRead({ difference }: BrokenRequest): readonly ChangedPair[] {
  return difference === undefined
    ? []
    : [...difference.system.slice(0, pairsRead), ...difference.rewritten.slice(0, pairsRead)];
}

const pairsRead = 4;

function brokenRequest(session: CacheSession, boundary: RequestBoundary): BrokenRequest | undefined {
  const { request } = boundary;
  if (!session.isRecorded(request)) {
    return undefined;
  }
  const made = readableBefore(session, request);
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
  const common = session.contexts.common(previous, request);
  const difference =
    common < session.lengthOf(previous) ? session.contexts.compare(previous, request) : undefined;
  const uncached = session.tokens.total(request) - read;
  const paidAgain =
    difference === undefined ? uncached : Math.max(0, uncached - freshTokens(session, request, difference));
  const tokensLost = Math.round(Math.min(shortfall, paidAgain));
  const isRewritten = difference?.hasSummary === true || compactionsBetween(session, previous, request) > 0;
  if (tokensLost <= tolerance && !isRewritten && boundary.agreement !== 'short') {
    return undefined;
  }
  return { request, previous, readable, read, tokensLost, common, difference, isBelowMinimum, boundary };
}

/** What earlier requests made readable for this one: by the record of the one before, or of one that it begins like. */
function readableBefore(
  session: CacheSession,
  request: number,
): { readonly previous: number; readonly readable: number; readonly isBelowMinimum: boolean } | undefined {
  const { use, tokens } = session;
  const previous = session.previousOf(request);
  const source = session.sourceOf(request);
  if (previous !== undefined && isBelowMinimum(session, previous)) {
    return { previous, readable: tokens.total(previous), isBelowMinimum: true };
  }
  const byPrevious =
    previous !== undefined && (use.isUsed(previous) || use.isUsed(request))
      ? (use.leftReadable(previous) ?? 0)
      : 0;
  if (source !== undefined && source !== previous && use.isUsed(request)) {
    const common = session.contexts.common(source, request);
    const left = use.leftReadable(source) ?? 0;
    const bySource =
      common >= session.lengthOf(source) ? left : Math.min(left, tokens.prefix(request, common));
    if (bySource > byPrevious) {
      return { previous: source, readable: bySource, isBelowMinimum: false };
    }
  }
  return previous === undefined || byPrevious === 0
    ? undefined
    : { previous, readable: byPrevious, isBelowMinimum: false };
}

/** A request that asked for the cache, or whose provider caches by itself, and was too short for it. */
function isBelowMinimum(session: CacheSession, request: number): boolean {
  const { columns, tokens, use } = session;
  const minimum = session.rowOf(request)?.cache.minimumTokens;
  return (
    minimum !== undefined &&
    tokens.total(request) < minimum &&
    session.readOf(request) === 0 &&
    (columns.requests.cacheWrite[request] ?? 0) === 0 &&
    (use.isUsed(request) || session.marks.has(request))
  );
}

/** Tokens of the blocks that the earlier request did not have. */
function freshTokens(
  { columns, contexts, tokens }: CacheSession,
  request: number,
  { fresh }: ContextDifference,
): number {
  const blocks = contexts.blocksOf(request);
  const length = blocks.length;
  const counted = tokens.counted(request, length);
  const visible = tokens.prefix(request, length) - tokens.notRecorded(request);
  const sum = fresh.reduce(
    (total, position) => total + (columns.blocks.tokens[blocks[position] ?? 0] ?? 0),
    0,
  );
  return counted === 0 ? 0 : (sum * visible) / counted;
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
