import { formatDuration, formatNumber } from '../base/format';
import { translate } from '../base/translate';
import { kindOf } from '../model/blockWords';
import type { BrokenRequest } from './brokenRequests';
import { type CacheFinding, toolCauses } from './cacheFinding';
import type { CacheSession } from './cacheSession';
import type { Causes } from './causes';
import { survivalWords } from './survivalWords';

/** The causes that remain possible if no recorded part differs. */
export function narrowed(
  session: CacheSession,
  broken: BrokenRequest,
  causes: Causes,
): Pick<CacheFinding, 'causes' | 'certainty' | 'possible'> {
  const { request, previous, read } = broken;
  const { tokens, use } = session;
  causes.evidence.push(translate('No recorded part differs from the previous request.'));
  const seconds = session.secondsBetween(previous, request);
  const lifetime = session.lifetimeOf(previous);
  if (seconds !== undefined) {
    causes.evidence.push(
      lifetime === undefined
        ? translate('The cache was last used {0} earlier.', formatDuration(seconds))
        : translate(
            'The cache was last used {0} earlier, within its lifetime of {1}.',
            formatDuration(seconds),
            formatDuration(lifetime),
          ),
    );
    causes.evidence.push(...survivalWords(session, previous, request));
  }
  const back = addEarlierEntry(session, broken, causes);
  const shrunk = tokens.total(previous) - tokens.total(request);
  const hasShrunk = shrunk > use.tolerance(request);
  if (droppedReasoning(session, broken, hasShrunk)) {
    causes.evidence.push(
      translate('A new user turn begins here. The provider omits the reasoning of the previous turn.'),
    );
    return { causes: ['reasoningDropped'], certainty: 'narrowed', possible: ['reasoningDropped', 'evicted'] };
  }
  if (back === newestButOne && (seconds ?? Number.POSITIVE_INFINITY) <= writingSeconds) {
    return { causes: ['notWrittenYet'], certainty: 'narrowed', possible: ['notWrittenYet', 'evicted'] };
  }
  if (!hasShrunk && session.isLosingPause(previous, request)) {
    const hidden = session.isComplete(request) ? [] : hiddenCauses;
    return {
      causes: ['lifetimeExpired'],
      certainty: 'narrowed',
      possible: ['lifetimeExpired', 'evicted', ...hidden],
    };
  }
  if (session.isComplete(request)) {
    return { causes: ['evicted'], certainty: 'assumed', possible: [] };
  }
  if (hasShrunk) {
    causes.evidence.push(
      translate(
        'Blocks were only added, but the input shrank by {0, plural, one {# token} other {# tokens}}. Something unrecorded was removed.',
        shrunk,
      ),
    );
    const isCleared =
      session.rowOf(request)?.family === 'claude' &&
      shrunk >= leastCleared &&
      resultTokens(session, previous) >= shrunk;
    return {
      causes: [isCleared ? 'cleared' : 'historyRewritten'],
      certainty: 'narrowed',
      possible: [...(isCleared ? (['cleared'] as const) : []), 'historyRewritten', ...hiddenCauses],
    };
  }
  const hidden = tokens.notRecorded(request);
  if (read < hidden || read === 0) {
    causes.evidence.push(
      translate(
        'The cache was lost in the unrecorded part (tools, system text and injected text): {0} of about {1} tokens were read.',
        formatNumber(read),
        formatNumber(hidden),
      ),
    );
    return { ...loadedCause(session, broken, causes), certainty: 'narrowed' };
  }
  causes.evidence.push(
    translate('The unrecorded part (tools and system text) was read. The cache was lost after it.'),
  );
  const added = session.lengthOf(request) - session.lengthOf(previous);
  const lookback = session.rowOf(request)?.cache.lookbackBlocks ?? Number.POSITIVE_INFINITY;
  if (added >= lookback) {
    return { causes: ['unknown'], certainty: 'narrowed', possible: ['lookbackExceeded', 'evicted'] };
  }
  // A provider with breakpoints keeps the newer entry at least as long as the older one that was read.
  return session.rowOf(request)?.cache.explicit === true
    ? { causes: ['historyRewritten'], certainty: 'narrowed', possible: ['historyRewritten', 'evicted'] }
    : { causes: ['evicted'], certainty: 'assumed', possible: [] };
}

/**
 * The cause of a loss in the unrecorded part. Among requests of Claude Code within a minute, 28 of 81 lost the cache
 * after a skill was loaded, 4 of 48 after tools were loaded, and 3 in 1000 after other results (docs/cache-causes.md,
 * 2026-11).
 */
function loadedCause(
  session: CacheSession,
  { request, previous }: BrokenRequest,
  { evidence }: Causes,
): Pick<CacheFinding, 'causes' | 'possible'> {
  const rows = session.columns.blocks;
  const tools = new Set(
    Array.from(session.contexts.blocksOf(request).subarray(session.lengthOf(previous)))
      .filter(block => kindOf(rows, block) === 'toolResult')
      .map(block => session.columns.strings.at(rows.tool[block] ?? 0)),
  );
  if (tools.has('ToolSearch')) {
    evidence.push(translate('Tool schemas were loaded just before.'));
    return { causes: ['toolsAdded'], possible: [...hiddenCauses, 'historyRewritten', 'evicted'] };
  }
  if (tools.has('Skill')) {
    evidence.push(translate('A skill was loaded just before. This often causes a cache loss.'));
    return {
      causes: ['skillLoaded'],
      possible: ['skillLoaded', ...hiddenCauses, 'historyRewritten', 'evicted'],
    };
  }
  return { causes: ['unknown'], possible: [...hiddenCauses, 'historyRewritten', 'evicted'] };
}

const hiddenCauses = [...toolCauses, 'systemChanged', 'volatileValue'] as const;

/** The most requests to go back when looking for the one that wrote exactly the tokens read. */
const requestsLookedAt = 200;

/** @returns the number of requests since these tokens were written; undefined if no request wrote exactly them */
function addEarlierEntry(
  session: CacheSession,
  { request, read }: BrokenRequest,
  causes: Causes,
): number | undefined {
  const step = session.use.granularity(request);
  let earlier = session.previousOf(request);
  for (let looked = 0; read > 0 && earlier !== undefined && looked < requestsLookedAt; looked += 1) {
    if (Math.abs((session.use.leftReadable(earlier) ?? -step) - read) < step) {
      const back = session.placeOf(request) - session.placeOf(earlier);
      causes.evidence.push(
        translate(
          'This request read what was written {0, plural, one {# request} other {# requests}} earlier.',
          back,
        ),
      );
      return back;
    }
    earlier = session.previousOf(earlier);
  }
  return undefined;
}

/** The entry before that of the previous request. */
const newestButOne = 2;
/**
 * If a read stops one entry early within this time, the entry was not written yet. The time between requests includes
 * the answer of the model.
 */
const writingSeconds = 15;

/**
 * Agents of Claude models clear old results without a record of it. Smaller falls of the input are changes of framing or of
 * injected text. Tokens.
 */
const leastCleared = 2000;

function resultTokens(session: CacheSession, request: number): number {
  const rows = session.columns.blocks;
  const results = session.contexts.blocksOf(request).filter(block => kindOf(rows, block) === 'toolResult');
  return session.tokens.blocks(request, [...results]);
}

/**
 * True if a model of OpenAI left out earlier reasoning. It keeps only the reasoning of one turn (OpenAI reasoning guide,
 * 2026-09), so at a new prompt the prefix ends where the last turn first reasoned, or the input shrinks.
 */
function droppedReasoning(
  session: CacheSession,
  { request, previous, read }: BrokenRequest,
  hasShrunk: boolean,
): boolean {
  const rows = session.columns.blocks;
  const blocks = session.contexts.blocksOf(request);
  const length = session.lengthOf(previous);
  const isPrompt = (block: number): boolean => kindOf(rows, block) === 'prompt';
  if (session.rowOf(request)?.family !== 'openai' || !blocks.subarray(length).some(isPrompt)) {
    return false;
  }
  const turn = blocks.subarray(0, length).findLastIndex(isPrompt);
  const first = blocks.findIndex((block, place) => place > turn && kindOf(rows, block) === 'thinking');
  if (first < 0 || first >= length) {
    return false;
  }
  if (hasShrunk) {
    return true;
  }
  const edge = session.tokens.prefix(request, first);
  const step = 2 * session.use.granularity(request);
  return Math.abs(read - edge) <= Math.max(step, nearTurn * edge);
}

/** A read ends at the first reasoning of the last turn within this share of the estimated tokens before it. */
const nearTurn = 0.05;
