import type { PredictionReason } from '../model/columns';
import type { RecordedRequest, Transcript } from '../model/transcript';
import type { CacheRules } from '../tokens/modelTable';

/** How much of a request its provider could still have cached. */
export interface PrefixPrediction {
  /** Leading blocks of the context. */
  readonly blocks: number;
  readonly reason: PredictionReason;
}

export interface PredictionInput {
  readonly transcript: Transcript;
  /** The rules of each request's provider; undefined for a model that is not known. */
  readonly rulesOf: (request: number) => CacheRules | undefined;
  /** Tokens of the first `blocks` blocks of a request, with what is not recorded before them. */
  readonly prefixTokens: (request: number, blocks: number) => number;
}

/** What is cached of one thread after its last request. */
interface Cached {
  readonly index: number;
  readonly request: RecordedRequest;
  /** Positions whose prefix was written, where the breakpoints are on record. */
  readonly entries: readonly number[];
  readonly lifetime: number | undefined;
}

/**
 * Predicts, for every request, the longest prefix equal to the previous request of its thread that the provider's rules
 * let it read: same model, within the lifetime, above the minimum, and within the lookback of a breakpoint where the
 * breakpoints are on record. What is not recorded (system prompt, tools) is taken as unchanged. Linear in the number of
 * blocks that new contexts bring.
 */
export function predictPrefixes({
  transcript,
  rulesOf,
  prefixTokens,
}: PredictionInput): readonly PrefixPrediction[] {
  const cached = new Map<number, Cached>();
  return transcript.requests.map((request, index) => {
    const previous = cached.get(request.thread);
    const rules = rulesOf(index);
    const common = previous === undefined ? 0 : commonPrefix(transcript, previous.request, request);
    const entries = [
      ...(previous?.entries.filter(position => position < common) ?? []),
      ...(request.breakpoints ?? []).filter(position => position >= common),
    ];
    cached.set(request.thread, {
      index,
      request,
      entries,
      lifetime: request.usage?.cacheLifetime ?? previous?.lifetime ?? rules?.lifetimeSeconds,
    });
    if (previous === undefined) {
      return { blocks: 0, reason: 'firstRequest' };
    }
    if (previous.request.model !== request.model) {
      return { blocks: 0, reason: 'modelChanged' };
    }
    if (isExpired(previous, request)) {
      return { blocks: 0, reason: 'lifetimeExpired' };
    }
    const readable =
      request.breakpoints === undefined || request.breakpoints.length === 0 || previous.entries.length === 0
        ? common
        : readableThroughBreakpoints(request.breakpoints, previous.entries, common, rules?.lookbackBlocks);
    if (readable === 0 && common > 0) {
      return { blocks: 0, reason: 'lookbackExceeded' };
    }
    if (rules?.minimumTokens !== undefined && prefixTokens(index, readable) < rules.minimumTokens) {
      return { blocks: 0, reason: 'belowMinimum' };
    }
    if (common >= previous.request.length) {
      return { blocks: readable, reason: 'extendsPrevious' };
    }
    const compacted = transcript.compactions.some(
      compaction =>
        compaction.thread === request.thread &&
        compaction.request > previous.index &&
        compaction.request <= index,
    );
    return { blocks: readable, reason: compacted ? 'compaction' : 'contentChanged' };
  });
}

function isExpired({ request: earlier, lifetime }: Cached, later: RecordedRequest): boolean {
  return (
    lifetime !== undefined &&
    earlier.timestamp !== undefined &&
    later.timestamp !== undefined &&
    later.timestamp - earlier.timestamp > lifetime * 1000
  );
}

/** Leading blocks that two requests share; requests of one context share all of the shorter. */
function commonPrefix(
  { contexts, blocks }: Transcript,
  earlier: RecordedRequest,
  later: RecordedRequest,
): number {
  const shorter = Math.min(earlier.length, later.length);
  if (earlier.context === later.context) {
    return shorter;
  }
  const before = contexts[earlier.context] ?? [];
  const after = contexts[later.context] ?? [];
  for (let position = 0; position < shorter; position += 1) {
    const first = before[position] ?? -1;
    const second = after[position] ?? -1;
    if (first !== second && blocks[first]?.contentHash !== blocks[second]?.contentHash) {
      return position;
    }
  }
  return shorter;
}

/** A read finds an entry that lies at most `lookback` blocks before a breakpoint, the breakpoint's own block counted. */
function readableThroughBreakpoints(
  breakpoints: readonly number[],
  entries: readonly number[],
  common: number,
  lookback = Number.POSITIVE_INFINITY,
): number {
  let best = 0;
  for (const entry of entries) {
    if (
      entry < common &&
      entry + 1 > best &&
      breakpoints.some(mark => mark >= entry && mark - entry < lookback)
    ) {
      best = entry + 1;
    }
  }
  return best;
}
