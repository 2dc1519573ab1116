import * as v from 'valibot';
import { type Described, maybeNumber, numbers } from '../base/schema';
import { cacheDiagnosisTypes } from '../model/cacheDiagnosis';
import { predictionReasons } from '../model/columns';
import { tokenQualities } from '../tokens/quality';

/** Kinds of changes in the tools of a request. */
export const toolCauses = ['toolsAdded', 'toolsRemoved', 'toolsChanged', 'toolsReordered'] as const;

/** Causes of a cache loss, in wire order. */
export const cacheBreakCauses = [
  'modelChanged',
  'settingsChanged',
  'resumed',
  'lifetimeExpired',
  'belowMinimum',
  'parallelRequests',
  ...toolCauses,
  'systemChanged',
  'volatileValue',
  'unrecordedChanged',
  'skillLoaded',
  'compaction',
  'cleared',
  'reasoningDropped',
  'historyRewritten',
  'lookbackExceeded',
  'notWrittenYet',
  'evicted',
  'unknown',
] as const;
export type CacheBreakCause = (typeof cacheBreakCauses)[number];
export const cacheBreakCause = v.picklist(cacheBreakCauses);
const count = v.number();

/** The provider's report, with the tokens that it names. */
export const diagnosis = v.object({ type: v.picklist(cacheDiagnosisTypes), tokens: v.nullable(count) });

/** One cache break. Numbers of requests, blocks and positions are those of the session's columns. */
const cacheFinding = v.object({
  request: count,
  /**
   * The request that made the prefix readable: the one before in the thread, or one of another thread for a thread's
   * first request.
   */
  previous: count,
  /**
   * The causes that apply, in wire order. The first explains the whole loss, or most of it if another one came before it
   * in the context. Several causes if several things changed at once; only `unknown` if only `possible` is known.
   */
  causes: v.tupleWithRest([cacheBreakCause], cacheBreakCause),
  /**
   * Certainty of the cause. `shown`: the transcript contains both sides of the difference, at the place where the read
   * stopped. `narrowed`: unrecorded parts (system text, tools) leave several causes, listed in `possible` with the
   * likeliest first. `assumed`: no recorded part differs. `recorded`: the provider names the difference, in `recorded`.
   */
  certainty: v.picklist(['recorded', 'shown', 'narrowed', 'assumed']),
  /** For `narrowed` and `recorded`: the causes that remain possible, if more than one does. */
  possible: v.array(cacheBreakCause),
  /** The provider's report in its own term; null if it was not asked or found nothing. */
  recorded: v.nullable(diagnosis),
  /** Tokens that were readable and that this request read, as recorded. */
  ...numbers('readable', 'read'),
  /**
   * Tokens that were paid for again: `readable` minus `read`, and at most the request's uncached input without the blocks
   * that were sent for the first time.
   */
  tokensLost: count,
  /**
   * Extra cost in US dollars, compared with reading these tokens from the cache; absent if the prices of the model are
   * unknown.
   */
  moneyLost: maybeNumber,
  /** The first position of this request's context that differs, with the blocks on both sides if they are recorded. */
  place: v.exactOptional(v.object({ position: count, before: maybeNumber, after: maybeNumber })),
  /** The evidence, one fact each, for the interface and for reports. Contains no unmasked text of the transcript. */
  evidence: v.array(v.string()),
});
export type CacheFinding = Described<typeof cacheFinding>;
/** True for a compaction or a prune of results: meant, so it has a price but is no loss. */
export const isMeant = ({ causes: [first] }: Pick<CacheFinding, 'causes'>): boolean =>
  first === 'compaction' || first === 'cleared';

/** The findings that are losses. The others, which are meant, have totals of their own. */
export const lossesIn = <Finding extends Pick<CacheFinding, 'causes'>>(
  findings: readonly Finding[],
): readonly Finding[] => findings.filter(finding => !isMeant(finding));

/** Sorts losses by money, then by tokens; the dearest is first. */
export const dearerFirst = (
  one: Pick<CacheFinding, 'tokensLost' | 'moneyLost'>,
  other: Pick<CacheFinding, 'tokensLost' | 'moneyLost'>,
): number => (other.moneyLost ?? 0) - (one.moneyLost ?? 0) || other.tokensLost - one.tokensLost;

/** The causes of a loss, and how certain they are. */
export type ToldCauses = Pick<CacheFinding, 'causes' | 'certainty' | 'possible'>;
export type CauseCertainty = CacheFinding['certainty'];

/** Tokens and money paid again by cause, the dearest first. Each finding counts under its first cause, so the sums add up. */
const causeTotal = v.object({
  cause: cacheBreakCause,
  ...numbers('requests', 'tokensLost'),
  moneyLost: maybeNumber,
});
export type CauseTotal = Described<typeof causeTotal>;

/** The frozen boundary of one request, from its three sources. Token offsets. */
const requestBoundary = v.object({
  request: count,
  /** Cache read counted by the provider; absent if not recorded. */
  recorded: maybeNumber,
  /** The provider's report on the cache of this request, if any. */
  diagnosis: v.exactOptional(diagnosis),
  /** The prefix cached by the previous request according to its recorded usage; absent if the usage does not show it. */
  readable: maybeNumber,
  /**
   * Compares the cache read with the tokens that the previous request read and wrote. `more`: this request read tokens
   * that no recorded request wrote. `unknown`: usage is not recorded, or this is the first request of the thread.
   */
  conservation: v.picklist(['kept', 'short', 'more', 'unknown']),
  predicted: v.object({
    ...numbers('tokens', 'blocks'),
    quality: v.picklist(tokenQualities),
    reason: v.picklist(predictionReasons),
    /** The earlier request that it equals. */
    from: maybeNumber,
  }),
  /** The last recorded breakpoint: its position, and the tokens up to its end. */
  declared: v.exactOptional(v.object(numbers('position', 'tokens'))),
  /**
   * Compares the recorded boundary with the predicted one, within 2 % or one block. `unknown` if the provider recorded
   * no use of its cache.
   */
  agreement: v.picklist(['agrees', 'short', 'beyond', 'unknown']),
  /**
   * For `beyond`: why it read more than was predicted. `elsewhere`: no recorded request wrote the entry, so it comes from
   * another session or from a request that the transcript lacks. `reply`: the reply to the request before had been cached
   * too, which its usage does not record. `outlived`: its entry lived longer than most do. `estimate`: the prediction rests
   * on estimated tokens of a prefix that only partly equals an earlier request.
   */
  surplus: v.exactOptional(v.picklist(['elsewhere', 'reply', 'outlived', 'estimate'])),
});
export type RecordedDiagnosis = Described<typeof diagnosis>;
export type RequestBoundary = Described<typeof requestBoundary>;
export type ConservationVerdict = RequestBoundary['conservation'];
export type BoundaryVerdict = RequestBoundary['agreement'];

/** The cache report of a session. */
export const cacheReportSchema = v.object({
  /** Cache breaks, in the order of requests. */
  findings: v.array(cacheFinding),
  causes: v.array(causeTotal),
  /** Number of requests by provider report, including requests without a finding. */
  diagnostics: v.record(v.string(), count),
  /** One per request. */
  boundaries: v.array(requestBoundary),
  /** Recorded input tokens of all requests, by how they were billed. */
  input: v.object(numbers('read', 'written', 'fresh')),
  lost: v.object({ tokens: count, money: maybeNumber }),
  /** Number of requests with known conservation, and of those that kept it. */
  conservation: v.object(numbers('checked', 'kept')),
  /** Number of requests with a comparable boundary, and of those that agree. */
  agreement: v.object(numbers('compared', 'agreeing')),
});
export type CacheReport = Described<typeof cacheReportSchema>;
