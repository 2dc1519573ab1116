import { defined } from '../base/defined';
import { formatDuration, formatNumber } from '../base/format';
import { translate } from '../base/translate';
import { roleOf } from '../model/blockWords';
import { pricesFor } from '../tokens/prices';
import type { ChangedPair, ContextDifference } from '../view/contextDifference';
import { requestBilling } from '../view/sessionCost';
import { type BrokenRequest, compactionsBetween, isNearlyRead } from './brokenRequests';
import type { CacheBreakCause, CacheFinding, ToldCauses } from './cacheFinding';
import type { CacheSession } from './cacheSession';
import { Causes } from './causes';
import { lossCost } from './lossCost';
import { narrowed } from './narrowedCause';
import { placeOfBlock, stopsAt } from './readStop';
import { narrowedBy } from './recordedCause';
import { survivalWords } from './survivalWords';
import type { TextChange } from './textChange';

/**
 * In seconds. Two requests this close together ran in parallel if the later one read no more from the cache and does not
 * contain the reply to the earlier one.
 */
const parallelSeconds = 5;

/** A value has to change this often before it is said to change in each request. */
const leastChanges = 3;

/** Finds out why the cache broke in requests. `changeOf` compares the texts of two blocks. */
export function explainBreaks(
  session: CacheSession,
  broken: readonly BrokenRequest[],
  changeOf: (pair: ChangedPair) => TextChange,
): readonly CacheFinding[] {
  const changing = broken.filter(({ request, previous, difference }) => {
    const system = difference?.system ?? [];
    return (
      system.some(pair => changeOf(pair).volatile.length > 0) &&
      compactionsBetween(session, previous, request, 'compaction') === 0
    );
  });
  const isChanging = changing.length >= leastChanges;
  return broken.map(each => explainBreak(session, each, changeOf, isChanging));
}

/** @param isChanging true if the system text has a value that changed often */
function explainBreak(
  session: CacheSession,
  broken: BrokenRequest,
  changeOf: (pair: ChangedPair) => TextChange,
  isChanging: boolean,
): CacheFinding {
  const { request, previous, readable, read, tokensLost, difference } = broken;
  const causes = new Causes();
  addCircumstances(session, broken, causes);
  if (difference === undefined && compactionsBetween(session, previous, request, 'clearing') > 0) {
    causes.add('cleared', translate('The agent recorded here that it pruned old results.'));
  }
  addLookback(session, broken, causes);
  const changes = new Causes();
  if (difference !== undefined) {
    addToolDifferences(difference, changes);
    const systemChanges = difference.system.map(changeOf);
    if (isCompacted(session, broken, difference)) {
      addCompaction(difference, systemChanges, changes);
    } else {
      addSystemDifferences(systemChanges, { ...difference, isChanging }, changes);
      addHistoryDifferences(session, broken, difference, changes);
    }
  }
  const told = toldOf(session, broken, causes, changes);
  const diagnosis = session.diagnosisOf(request);
  const money = moneyLost(session, request, tokensLost);
  return {
    request,
    previous,
    ...narrowedBy(diagnosis, told),
    recorded: diagnosis ?? null,
    readable,
    read,
    tokensLost,
    ...(money === undefined ? {} : { moneyLost: money }),
    ...placeOf(session, broken),
    evidence: causes.evidence,
  };
}

/**
 * The causes and their certainty. A recorded change is shown as the cause only if the read stopped where it is.
 * @param changes differences between the recorded contents
 */
function toldOf(session: CacheSession, broken: BrokenRequest, causes: Causes, changes: Causes): ToldCauses {
  const { request, read, tokensLost, difference } = broken;
  const isExplained = causes.inOrder.length > 0 || difference === undefined;
  if (isExplained || stopsAt(session, request, difference)) {
    causes.include(changes);
    const [first, ...others] = causes.inOrder;
    if (first !== undefined) {
      const all = [first, ...others] as const;
      return { causes: all, ...certaintyOf(session, broken, all) };
    }
    causes.evidence.push(translate('No recorded part differs from the previous request.'));
    return narrowed(session, broken, causes);
  }
  const { tokens: place } = placeOfBlock(session, request, difference.position);
  causes.evidence.push(
    read < place
      ? translate(
          'The first recorded difference is at about {0} tokens. The read ended before it, at {1}.',
          formatNumber(place),
          formatNumber(read),
        )
      : translate(
          'The first recorded difference is at about {0} tokens. The read went past it, to {1}.',
          formatNumber(place),
          formatNumber(read),
        ),
  );
  const before = narrowed(session, broken, causes);
  const [change, ...otherChanges] = changes.inOrder;
  const behind = tokensLost - Math.max(0, place - read);
  if (change === undefined || behind <= session.use.tolerance(request)) {
    return before;
  }
  // The change explains the tokens behind it, and something else those before it.
  causes.evidence.push(...changes.evidence);
  const isMost = behind > tokensLost / 2;
  return {
    causes: isMost
      ? [change, ...otherChanges, ...before.causes]
      : [...before.causes, change, ...otherChanges],
    certainty: 'narrowed',
    possible: [...new Set([...before.causes, ...before.possible])],
  };
}

/** Causes shown by the transcript, and likely causes. */
function certaintyOf(
  session: CacheSession,
  { request, previous }: BrokenRequest,
  causes: readonly CacheBreakCause[],
): Pick<CacheFinding, 'certainty' | 'possible'> {
  const [only, second] = causes;
  if (
    second === undefined &&
    (only === 'resumed' || only === 'settingsChanged') &&
    !session.isComplete(request)
  ) {
    return { certainty: 'narrowed', possible: [only, 'unrecordedChanged', 'evicted'] };
  }
  if (second === undefined && only === 'parallelRequests') {
    return { certainty: 'assumed', possible: [] };
  }
  return second === undefined && only === 'lifetimeExpired' && mayHaveExpired(session, previous, request)
    ? { certainty: 'narrowed', possible: ['lifetimeExpired', 'evicted'] }
    : { certainty: 'shown', possible: [] };
}

/** True if some caches survived a pause of this length and no lifetime was requested. */
function mayHaveExpired(session: CacheSession, previous: number, request: number): boolean {
  return (
    session.askedLifetimeOf(previous) === undefined &&
    (session.survivalBetween(previous, request)?.survived ?? 0) > 0
  );
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

function moneyLost(session: CacheSession, request: number, tokensLost: number): number | undefined {
  const list = session.rowOf(request)?.prices;
  if (list === undefined) {
    return undefined;
  }
  const { cacheWrite, cacheWriteHour, timestamp } = session.columns.requests;
  const prices = pricesFor(list, {
    inputTokens: session.tokens.total(request),
    timestamp: timestamp[request],
    terms: requestBilling(session.columns, request)?.terms,
  });
  const usage = { cacheWrite: cacheWrite[request] ?? 0, cacheWriteHour: cacheWriteHour[request] ?? 0 };
  return prices && lossCost(prices, usage, tokensLost);
}

/** Causes that do not depend on the contents: model, time, size. */
function addCircumstances(session: CacheSession, broken: BrokenRequest, causes: Causes): void {
  const { request, previous, difference, isBelowMinimum } = broken;
  const [model, modelBefore] = [session.modelOf(request), session.modelOf(previous)];
  // A request without a recorded model, such as that for a summary, is no switch.
  if (model !== modelBefore && model !== '' && modelBefore !== '') {
    causes.add('modelChanged', translate('The model changed from {0} to {1}.', modelBefore, model));
  }
  const [effort, effortBefore] = [request, previous].map(number => session.effortOf(number));
  if (effort !== undefined && effortBefore !== undefined && effort !== effortBefore) {
    causes.add(
      'settingsChanged',
      translate('The reasoning effort changed from {0} to {1}.', effortBefore, effort),
    );
  }
  if (session.isResumed(request)) {
    causes.add('resumed', translate('A new process resumed the session before this request.'));
  }
  const seconds = session.secondsBetween(previous, request);
  const lifetime = session.lifetimeOf(previous);
  if (seconds !== undefined && lifetime !== undefined && seconds > lifetime && !isNearlyRead(broken)) {
    causes.add(
      'lifetimeExpired',
      mayHaveExpired(session, previous, request)
        ? translate('The cache was last used {0} earlier and may have expired.', formatDuration(seconds))
        : translate(
            'The cache was last used {0} earlier; its lifetime is {1}.',
            formatDuration(seconds),
            formatDuration(lifetime),
          ),
    );
    causes.evidence.push(...survivalWords(session, previous, request));
  }
  if (isBelowMinimum) {
    const minimum = session.rowOf(previous)?.cache.minimumTokens ?? 0;
    causes.add(
      'belowMinimum',
      translate(
        'The previous request had {0, plural, one {# token} other {# tokens}}; the provider caches {1} or more.',
        session.tokens.total(previous),
        formatNumber(minimum),
      ),
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
      translate(
        'This request was sent {0} after one with the same beginning, without waiting for its reply. There was no cache entry yet.',
        formatDuration(Math.abs(seconds)),
      ),
    );
  }
}

/** True if the later request adds a reply that was written after the earlier request was sent. */
function holdsReply(
  { columns, contexts }: CacheSession,
  previous: number,
  request: number,
  difference: ContextDifference | undefined,
): boolean {
  const blocks = contexts.blocksOf(request);
  const rewritten = new Set(difference?.rewritten.map(({ after }) => after));
  const added =
    difference === undefined
      ? Array.from(blocks.subarray(columns.requests.length[previous] ?? 0))
      : difference.fresh.flatMap(position => blocks[position] ?? []).filter(block => !rewritten.has(block));
  return added.some(block => roleOf(columns.blocks, block) === 'assistant');
}

function isCompacted(
  session: CacheSession,
  { request, previous }: BrokenRequest,
  { hasSummary }: ContextDifference,
): boolean {
  return hasSummary || compactionsBetween(session, previous, request, 'compaction') > 0;
}

/** A compaction also moves injected texts, and rewrites and drops messages: none of that is another cause. */
function addCompaction(
  { dropped, rewritten }: ContextDifference,
  systemChanges: readonly TextChange[],
  causes: Causes,
): void {
  if (systemChanges.some(({ isRewritten }) => isRewritten)) {
    causes.add('systemChanged', translate('The system text changed.'));
  }
  causes.add(
    'compaction',
    translate(
      'History was compacted: {0, plural, one {# block was} other {# blocks were}} removed.',
      dropped + rewritten.length,
    ),
  );
}

function addSystemDifferences(
  changes: readonly TextChange[],
  { systemMoved, isChanging }: { readonly systemMoved: boolean; readonly isChanging: boolean },
  causes: Causes,
): void {
  const isRewritten = systemMoved || changes.some(change => change.isRewritten);
  if (isRewritten) {
    causes.add('systemChanged', translate('The system text changed.'));
  }
  const values = [...new Set(changes.flatMap(change => change.volatile))].join(', ');
  if (values !== '' && isChanging) {
    causes.add(
      'volatileValue',
      translate('The prefix contains values that change in each request: {0}.', values),
    );
  } else if (values !== '' && !isRewritten) {
    causes.add('systemChanged', translate('Only values in the system text changed: {0}.', values));
  }
}

function addHistoryDifferences(
  session: CacheSession,
  { request, previous }: BrokenRequest,
  { cleared, rewritten, dropped, inserted }: ContextDifference,
  causes: Causes,
): void {
  if (cleared.length > 0 || compactionsBetween(session, previous, request, 'clearing') > 0) {
    causes.add(
      'cleared',
      translate('Tool results were pruned: {0, plural, one {# block} other {# blocks}}.', cleared.length),
    );
  }
  if (rewritten.length + dropped + inserted > 0) {
    causes.add(
      'historyRewritten',
      translate(
        'Earlier messages changed. Blocks rewritten: {0}, removed: {1}, inserted: {2}.',
        formatNumber(rewritten.length),
        formatNumber(dropped),
        formatNumber(inserted),
      ),
    );
  }
}

function addToolDifferences(difference: ContextDifference, causes: Causes): void {
  const { toolsAdded, toolsRemoved, toolsChanged, isReordered } = difference;
  if (toolsAdded.length > 0) {
    causes.add('toolsAdded', translate('Tools were added: {0}.', names(toolsAdded)));
  }
  if (toolsRemoved.length > 0) {
    causes.add('toolsRemoved', translate('Tools were removed: {0}.', names(toolsRemoved)));
  }
  if (toolsChanged.length > 0) {
    causes.add('toolsChanged', translate('Tool schemas changed: {0}.', names(toolsChanged)));
  }
  if (isReordered) {
    causes.add('toolsReordered', translate('The same tools are in a different order.'));
  }
}

/** True if breakpoints are recorded and the last one written is too far before the ones that look for it. */
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
      translate(
        'The nearest breakpoint is {0, plural, one {# block} other {# blocks}} after the last cache entry. The provider looks back only {1}.',
        Math.min(...after) - entry,
        formatNumber(lookback),
      ),
    );
  }
}

const shownNames = 5;

function names(list: readonly string[]): string {
  const shown = list.slice(0, shownNames).join(', ');
  return list.length > shownNames
    ? translate('{0} and {1} more', shown, formatNumber(list.length - shownNames))
    : shown;
}
