import { entryOf } from '../base/entryOf';
import type { PredictionReason } from '../model/columns';
import type { CacheRules } from '../model/modelRow';
import type { RecordedRequest, Transcript } from '../model/transcript';
import { usualLifetime } from '../tokens/cacheSurvival';
import { Numbering, PrefixIndex } from './prefixIndex';

/** Thread columns have 16 bits; complete requests belong to no thread here. */
const mostThreads = 2 ** 16 + 1;

/** The part of a request that its provider could still have in its cache. */
export interface PrefixPrediction {
  /** Leading blocks that can be read under the provider's rules. */
  readonly blocks: number;
  readonly reason: PredictionReason;
  /**
   * Leading blocks equal to an earlier request whose entry is still alive. They could be read if every place had a
   * breakpoint.
   */
  readonly equal: number;
  /** The earlier request that shares them; undefined if none does. */
  readonly source: number | undefined;
}

export interface PredictionInput {
  readonly transcript: Transcript;
  /** The rules of each request's provider; undefined for a model that is not known. */
  readonly rulesOf: (request: number) => CacheRules | undefined;
  /** True if the first `blocks` blocks of a request and the unrecorded part before them have at least this many tokens. */
  readonly holds: (request: number, blocks: number, tokens: number) => boolean;
}

/** The latest request of one context to one model. */
interface Sent {
  /** Number of the context and the model. */
  readonly key: number;
  readonly index: number;
  readonly request: RecordedRequest;
  readonly lifetime: number | undefined;
}

/** The prefixes of a context that were written at recorded breakpoints, each with the request that used it last. */
interface EntriesOfContext {
  /** The entry that ends with the block at a position. */
  at(position: number): Sent | undefined;
  add(positions: readonly number[] | undefined, sent: Sent): void;
}

/** The cache entries written at recorded breakpoints, by model. If the record is incomplete, also by thread. */
class Entries {
  private readonly scopes = new Map<number, Map<number, Sent>>();

  constructor(private readonly index: PrefixIndex) {}

  of({ context, complete, thread }: RecordedRequest, model: number): EntriesOfContext {
    const { index, scopes } = this;
    const scope = model * mostThreads + (complete ? 0 : thread + 1);
    return {
      at: position => scopes.get(scope)?.get(index.hash(context, position + 1)),
      add: (positions = [], sent) => {
        for (const position of positions) {
          entryOf(scopes, scope, () => new Map()).set(index.hash(context, position + 1), sent);
        }
      },
    };
  }
}

/**
 * Predicts, for every request, the longest prefix equal to an earlier request that the provider's rules let it read: same
 * model, within the lifetime since its last use, above the minimum, and within the lookback of a breakpoint where the
 * breakpoints are on record. Every earlier request of the transcript counts: a subagent can read the tools and system
 * prompt that another one wrote. What is not recorded (system prompt, tools) is taken as unchanged within a thread;
 * between threads only requests that are complete are compared.
 */
export function predictPrefixes({
  transcript,
  rulesOf,
  holds,
}: PredictionInput): readonly PrefixPrediction[] {
  const { requests, contexts } = transcript;
  const { rows, length } = transcript.blocks;
  const contents = [rows.content, rows.tool, rows.callId].map(column => column.subarray(0, length));
  const index = new PrefixIndex(contexts, contents);
  const models = new Numbering();
  const latest = new Map<number, Sent>();
  const threads = new Map<number, Sent>();
  const entries = new Entries(index);
  return requests.map((request, number) => {
    const rules = rulesOf(number);
    const model = models.of(request.model ?? '');
    const previous = threads.get(request.thread);
    const best = longestShared(request, index, latest, previous);
    const written = entries.of(request, model);
    const marked = readMarks(request, written, best, rules);
    const sent: Sent = {
      key: model * contexts.length + request.context,
      index: number,
      request,
      lifetime: request.usage?.cacheLifetime ?? previous?.lifetime ?? usualLifetime(rules),
    };
    threads.set(request.thread, sent);
    latest.delete(sent.key);
    latest.set(sent.key, sent);
    written.add(request.breakpoints, sent);
    written.add(marked.refreshed, sent);
    const { equal, source } = best;
    const reason = reasonOf(transcript, request, number, previous, best);
    if (equal === 0 || source === undefined) {
      return { blocks: 0, reason, equal: 0, source: source?.index };
    }
    const found = { equal, source: source.index };
    if (marked.isBeyondLookback) {
      return { blocks: marked.blocks, reason: 'lookbackExceeded', ...found };
    }
    if (rules?.minimumTokens !== undefined && !holds(number, marked.blocks, rules.minimumTokens)) {
      return { blocks: 0, reason: 'belowMinimum', ...found };
    }
    return { blocks: marked.blocks, reason, ...found };
  });
}

interface Shared {
  readonly equal: number;
  readonly source: Sent | undefined;
}

/**
 * Drops entries that can no longer be read, and finds the one with the longest common prefix; among equals, the request
 * before in the thread.
 */
function longestShared(
  request: RecordedRequest,
  index: PrefixIndex,
  latest: Map<number, Sent>,
  previous: Sent | undefined,
): Shared {
  let equal = 0;
  let source: Sent | undefined;
  const look = (sent: Sent): void => {
    const limit = Math.min(sent.request.length, request.length);
    const { context } = sent.request;
    const least = Math.min(equal + 1, limit);
    if (
      (source === undefined || limit > equal) &&
      sent.request.model === request.model &&
      mayShare(sent.request, request) &&
      (source === undefined || index.isEqual(context, request.context, least))
    ) {
      equal = index.common(context, request.context, limit);
      source = sent;
    }
  };
  if (previous !== undefined && !isExpired(previous, request)) {
    look(previous);
  }
  for (const sent of latest.values()) {
    if (isExpired(sent, request)) {
      latest.delete(sent.key);
    } else {
      look(sent);
    }
  }
  return { equal, source };
}

/** Parts that the transcript lacks can only be assumed equal within one thread. */
function mayShare(earlier: RecordedRequest, later: RecordedRequest): boolean {
  return earlier.thread === later.thread || (earlier.complete && later.complete && later.model !== undefined);
}

function isExpired({ request: { timestamp }, lifetime }: Sent, later: RecordedRequest): boolean {
  return (
    lifetime !== undefined &&
    timestamp !== undefined &&
    later.timestamp !== undefined &&
    later.timestamp - timestamp > lifetime * 1000
  );
}

interface MarkedRead {
  /** Leading blocks of the longest entry that a breakpoint finds; all equal ones if breakpoints are not recorded. */
  readonly blocks: number;
  /** Positions of the entries that were found: a read renews their lifetime. */
  readonly refreshed: readonly number[];
  /** Longer entries are too far before every breakpoint. */
  readonly isBeyondLookback: boolean;
}

/** A read finds an entry at most `lookback` blocks before a breakpoint, including the breakpoint's own block. */
function readMarks(
  request: RecordedRequest,
  entries: EntriesOfContext,
  { equal, source }: Shared,
  rules: CacheRules | undefined,
): MarkedRead {
  const marks = request.breakpoints ?? [];
  const written = source?.request.breakpoints ?? [];
  if (marks.length === 0 || written.length === 0) {
    return { blocks: equal, refreshed: [], isBeyondLookback: false };
  }
  const refreshed: number[] = [];
  for (const mark of marks) {
    const end = Math.max(0, mark - (rules?.lookbackBlocks ?? mark + 1) + 1);
    for (let position = mark; position >= end; position -= 1) {
      const entry = entries.at(position);
      if (entry !== undefined && !isExpired(entry, request)) {
        refreshed.push(position);
        break;
      }
    }
  }
  const blocks = Math.max(0, ...refreshed.map(position => position + 1));
  const longest = Math.max(0, ...written.filter(position => position < equal).map(position => position + 1));
  return { blocks, refreshed, isBeyondLookback: blocks < longest };
}

function reasonOf(
  { compactions }: Transcript,
  { model }: RecordedRequest,
  number: number,
  previous: Sent | undefined,
  { equal, source }: Shared,
): PredictionReason {
  if (previous === undefined) {
    return equal > 0 ? 'earlierRequest' : 'firstRequest';
  }
  if (source?.index === previous.index) {
    const { thread, length } = previous.request;
    if (equal >= length) {
      return 'extendsPrevious';
    }
    const compacted = compactions.some(
      compaction =>
        compaction.thread === thread && compaction.request > previous.index && compaction.request <= number,
    );
    return compacted ? 'compaction' : 'contentChanged';
  }
  if (equal > 0) {
    return 'earlierRequest';
  }
  const { model: before } = previous.request;
  const isSwitch = before !== undefined && model !== undefined && before !== model;
  return isSwitch ? 'modelChanged' : 'lifetimeExpired';
}
