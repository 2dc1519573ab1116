import { defined } from '../base/defined';
import { counted, formatDecimal, formatNumber } from '../base/format';
import { roleOf } from '../model/blockWords';
import { costParts, costSum, million, pricesFor } from '../tokens/prices';
import type { ChangedPair, ContextDifference } from '../view/contextDifference';
import { type BrokenRequest, compactionsBetween } from './brokenRequests';
import { type CacheBreakCause, type CacheFinding, cacheBreakCauses } from './cacheFinding';
import type { CacheSession } from './cacheSession';
import type { TextChange } from './textChange';

/**
 * In seconds. Two requests this close together ran in parallel if the later one read no more from the cache and does not
 * contain the reply to the earlier one.
 */
const parallelSeconds = 5;

/** Causes, with the evidence for them. */
class Causes {
  private readonly found = new Set<CacheBreakCause>();
  readonly evidence: string[] = [];

  add(cause: CacheBreakCause, fact: string): void {
    this.found.add(cause);
    this.evidence.push(fact);
  }

  get inOrder(): readonly CacheBreakCause[] {
    return cacheBreakCauses.filter(cause => this.found.has(cause));
  }
}

/** Finds out why a request's cache broke. `changeOf` compares the texts of two blocks. */
export function explainBreak(
  session: CacheSession,
  broken: BrokenRequest,
  changeOf: (pair: ChangedPair) => TextChange,
): CacheFinding {
  const { request, previous, readable, read, tokensLost, difference } = broken;
  const causes = new Causes();
  addCircumstances(session, broken, causes);
  if (difference !== undefined) {
    addDifferences(session, broken, difference, changeOf, causes);
  }
  addLookback(session, broken, causes);
  const [first, ...others] = causes.inOrder;
  const told: Pick<CacheFinding, 'causes' | 'certainty' | 'possible'> =
    first === undefined
      ? narrowed(session, broken, causes)
      : {
          causes: [first, ...others],
          certainty: others.length === 0 && first === 'parallelRequests' ? 'assumed' : 'shown',
          possible: [],
        };
  const money = moneyLost(session, request, tokensLost);
  return {
    request,
    previous,
    ...told,
    readable,
    read,
    tokensLost,
    ...(money === undefined ? {} : { moneyLost: money }),
    ...placeOf(session, broken),
    evidence: causes.evidence,
  };
}

function placeOf(
  { contexts }: CacheSession,
  { request, previous, difference }: BrokenRequest,
): Pick<CacheFinding, 'place'> {
  if (difference === undefined) {
    return {};
  }
  const { position } = difference;
  const [before, after] = [previous, request].map(number => contexts.blocksOf(number)[position]);
  return {
    place: { position, ...defined({ before, after }) },
  };
}

/** The lost tokens were paid for again: first as cache writes, the rest as fresh input. */
function moneyLost(session: CacheSession, request: number, tokensLost: number): number | undefined {
  const list = session.rowOf(request)?.prices;
  if (list === undefined) {
    return undefined;
  }
  const { cacheWrite, cacheWriteHour, timestamp } = session.columns.requests;
  const prices = pricesFor(list, {
    inputTokens: session.tokens.total(request),
    timestamp: timestamp[request],
  });
  const written = Math.min(tokensLost, cacheWrite[request] ?? 0);
  const forHour = Math.min(written, cacheWriteHour[request] ?? 0);
  const paid = costParts(prices, {
    input: tokensLost - written,
    cacheRead: 0,
    cacheWrite: written,
    cacheWriteHour: forHour,
    output: 0,
  });
  return costSum(paid) - (tokensLost * prices.cacheRead) / million;
}

/** Causes that do not depend on the contents: model, time, size. */
function addCircumstances(
  session: CacheSession,
  { request, previous, difference, isBelowMinimum }: BrokenRequest,
  causes: Causes,
): void {
  if (session.modelOf(previous) !== session.modelOf(request)) {
    causes.add(
      'modelChanged',
      `The model changed from ${session.modelOf(previous)} to ${session.modelOf(request)}.`,
    );
  }
  const seconds = session.secondsBetween(previous, request);
  const lifetime = session.lifetimeOf(previous);
  if (seconds !== undefined && lifetime !== undefined && seconds > lifetime) {
    causes.add(
      'lifetimeExpired',
      `${duration(seconds)} passed since the last use; the cache lives ${duration(lifetime)}.`,
    );
  }
  if (isBelowMinimum) {
    const minimum = session.rowOf(previous)?.cache.minimumTokens ?? 0;
    causes.add(
      'belowMinimum',
      `The request before had ${formatNumber(session.tokens.total(previous))} tokens; the provider caches from ${formatNumber(minimum)} on.`,
    );
  }
  if (
    seconds !== undefined &&
    Math.abs(seconds) <= parallelSeconds &&
    Math.abs(session.readOf(previous) - session.readOf(request)) <= session.use.granularity(request) &&
    (session.columns.requests.output[previous] ?? 0) > 0 &&
    !holdsReply(session, previous, request, difference)
  ) {
    causes.add(
      'parallelRequests',
      `It was sent ${duration(Math.abs(seconds))} after a request that begins alike, without that one's reply: the entry was not there yet.`,
    );
  }
}

/** Whether the later request adds a reply that a model gave after the earlier one was sent. */
function holdsReply(
  { columns, contexts }: CacheSession,
  previous: number,
  request: number,
  difference: ContextDifference | undefined,
): boolean {
  const blocks = contexts.blocksOf(request);
  const added =
    difference === undefined
      ? blocks.subarray(columns.requests.length[previous] ?? 0)
      : blocks.subarray(blocks.length - difference.addedAtEnd);
  return added.some(block => roleOf(columns.blocks, block) === 'assistant');
}

function addDifferences(
  session: CacheSession,
  { request, previous }: BrokenRequest,
  difference: ContextDifference,
  changeOf: (pair: ChangedPair) => TextChange,
  causes: Causes,
): void {
  addToolDifferences(difference, causes);
  const { system, systemMoved, cleared, rewritten, dropped, inserted, hasSummary } = difference;
  const isCompacted = hasSummary || compactionsBetween(session, previous, request, 'compaction') > 0;
  const systemChanges = system.map(changeOf);
  // A compaction moves the texts that an agent injected.
  if ((systemMoved && !isCompacted) || systemChanges.some(({ isRewritten }) => isRewritten)) {
    causes.add('systemChanged', 'The system text changed.');
  }
  const rewrites = rewritten.map(changeOf);
  const volatile = new Set([...systemChanges, ...rewrites].flatMap(change => change.volatile));
  if (volatile.size > 0) {
    causes.add(
      'volatileValue',
      `A value that differs from request to request stands in the prefix: ${[...volatile].join(', ')}.`,
    );
  }
  if (isCompacted) {
    causes.add('compaction', `History was compacted: ${blocks(dropped + rewritten.length)} left.`);
  }
  if (cleared.length > 0 || compactionsBetween(session, previous, request, 'clearing') > 0) {
    causes.add('cleared', `Tool results were cleared: ${blocks(cleared.length)}.`);
  }
  const changed = rewrites.filter(({ isRewritten }) => isRewritten).length;
  const loose = isCompacted ? 0 : dropped + inserted;
  if (changed > 0 || loose > 0) {
    causes.add(
      'historyRewritten',
      `Earlier messages changed: ${blocks(changed)} rewritten, ${blocks(isCompacted ? 0 : dropped)} taken out, ${blocks(isCompacted ? 0 : inserted)} put in.`,
    );
  }
}

function addToolDifferences(difference: ContextDifference, causes: Causes): void {
  const { toolsAdded, toolsRemoved, toolsChanged, isReordered } = difference;
  if (toolsAdded.length > 0) {
    causes.add('toolsAdded', `Tools were added: ${names(toolsAdded)}.`);
  }
  if (toolsRemoved.length > 0) {
    causes.add('toolsRemoved', `Tools were removed: ${names(toolsRemoved)}.`);
  }
  if (toolsChanged.length > 0) {
    causes.add('toolsChanged', `Tool schemas changed: ${names(toolsChanged)}.`);
  }
  if (isReordered) {
    causes.add('toolsReordered', 'The same tools stand in another order.');
  }
}

/** Where breakpoints are recorded: whether the last one written is too far before those that look for it. */
function addLookback(
  session: CacheSession,
  { request, previous, difference }: BrokenRequest,
  causes: Causes,
): void {
  const lookback = session.rowOf(request)?.cache.lookbackBlocks;
  const written = Math.max(-1, ...(session.marks.get(previous) ?? []));
  const marks = session.marks.get(request) ?? [];
  if (lookback === undefined || written < 0 || marks.length === 0) {
    return;
  }
  const entry = difference === undefined ? written : session.lengthOf(request) - difference.addedAtEnd - 1;
  const after = marks.filter(mark => mark >= entry);
  if (after.length > 0 && after.every(mark => mark - entry >= lookback)) {
    causes.add(
      'lookbackExceeded',
      `The nearest breakpoint stands ${blocks(Math.min(...after) - entry)} behind the last entry; the provider looks back over ${formatNumber(lookback)}.`,
    );
  }
}

/** Everything recorded is equal: the causes that remain possible, given the place of the break. */
function narrowed(
  session: CacheSession,
  broken: BrokenRequest,
  causes: Causes,
): Pick<CacheFinding, 'causes' | 'certainty' | 'possible'> {
  const { request, previous, read } = broken;
  const { tokens, use } = session;
  causes.evidence.push('Everything on record is equal to what was sent before.');
  const seconds = session.secondsBetween(previous, request);
  const lifetime = session.lifetimeOf(previous);
  if (seconds !== undefined) {
    causes.evidence.push(
      lifetime === undefined
        ? `${duration(seconds)} passed since the last use.`
        : `${duration(seconds)} passed since the last use, of ${duration(lifetime)} that the cache lives.`,
    );
  }
  addEarlierEntry(session, broken, causes);
  if (session.isComplete(request)) {
    return { causes: ['evicted'], certainty: 'assumed', possible: [] };
  }
  const shrunk = tokens.total(previous) - tokens.total(request);
  if (shrunk > use.tolerance(request)) {
    causes.evidence.push(
      `The input became ${formatNumber(shrunk)} tokens smaller, though blocks were only added: something that is not on record left it.`,
    );
    return {
      causes: ['historyRewritten'],
      certainty: 'narrowed',
      possible: ['historyRewritten', ...hiddenCauses],
    };
  }
  const hidden = tokens.notRecorded(request);
  if (read < hidden) {
    causes.evidence.push(
      `The cache broke inside what is not recorded: it read ${formatNumber(read)} of about ${formatNumber(hidden)} tokens of tools, system text and injected text.`,
    );
    return { causes: ['unknown'], certainty: 'narrowed', possible: [...hiddenCauses, 'evicted'] };
  }
  causes.evidence.push(
    'What is not recorded (tools, system text) was read again; the cache broke behind it.',
  );
  const added = session.lengthOf(request) - session.lengthOf(previous);
  const lookback = session.rowOf(request)?.cache.lookbackBlocks ?? Number.POSITIVE_INFINITY;
  return added >= lookback
    ? { causes: ['unknown'], certainty: 'narrowed', possible: ['lookbackExceeded', 'evicted'] }
    : { causes: ['evicted'], certainty: 'assumed', possible: [] };
}

const hiddenCauses = [
  'toolsAdded',
  'toolsRemoved',
  'toolsChanged',
  'toolsReordered',
  'systemChanged',
  'volatileValue',
] as const;

/** How many requests back to look for one that had written exactly as much as was read. */
const requestsLookedAt = 200;

function addEarlierEntry(session: CacheSession, { request, read }: BrokenRequest, causes: Causes): void {
  const step = session.use.granularity(request);
  let earlier = session.previousOf(request);
  for (let looked = 0; read > 0 && earlier !== undefined && looked < requestsLookedAt; looked += 1) {
    if (Math.abs((session.use.leftReadable(earlier) ?? -step) - read) < step) {
      const back = session.placeOf(request) - session.placeOf(earlier);
      causes.evidence.push(`It read as far as the request ${formatNumber(back)} before had written.`);
      return;
    }
    earlier = session.previousOf(earlier);
  }
}

const shownNames = 5;

function names(list: readonly string[]): string {
  const shown = list.slice(0, shownNames).join(', ');
  return list.length > shownNames ? `${shown} and ${formatNumber(list.length - shownNames)} more` : shown;
}

const blocks = (number: number): string => counted(number, 'block');

function duration(seconds: number): string {
  if (seconds < 120) {
    return `${formatNumber(seconds)} s`;
  }
  const [value, unit] = seconds < 7200 ? [seconds / 60, 'min'] : [seconds / 3600, 'h'];
  return `${formatDecimal(value)} ${unit}`;
}
