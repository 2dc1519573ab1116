import { formatDuration, formatNumber } from '../base/format';
import { translate } from '../base/translate';
import { kindOf, roleOf } from '../model/blockWords';
import type { BlockColumns } from '../model/columns';
import { type BrokenRequest, isNearlyRead } from './brokenRequests';
import type { CacheBreakCause, ToldCauses } from './cacheFinding';
import type { CacheSession } from './cacheSession';
import type { Causes } from './causes';
import { addEarlierEntry, beginsTurn, isFoundLater } from './earlierEntry';
import { type MovedPart, movedParts } from './movedParts';
import { hiddenReach, placeOfBlock, stopsInHidden } from './readStop';
import { survivalWords } from './survivalWords';

/** The causes that remain possible if no recorded part differs before the place where the read stopped. */
export function narrowed(session: CacheSession, broken: BrokenRequest, causes: Causes): ToldCauses {
  const { request, previous } = broken;
  const { tokens, use } = session;
  const seconds = session.secondsBetween(previous, request);
  addTimes(session, broken, causes);
  const { back, isReturn } = addEarlierEntry(session, broken, causes);
  const isComplete = session.isComplete(request);
  const shrunk = tokens.total(previous) - tokens.total(request);
  // After a recorded difference, the input may have shrunk because of it.
  const hasShrunk = broken.difference === undefined && shrunk > use.tolerance(request);
  const reach = hiddenReach(session, request) ?? 0;
  // If more went away than the unrecorded start has, part of the history did.
  const isHidden = stopsInHidden(session, request) && !(hasShrunk && shrunk > reach);
  const moved = isComplete ? [] : movedParts(session, broken);
  const isReasoning = droppedReasoning(session, broken, hasShrunk);
  const isEarly = back === newestButOne && (seconds ?? Number.POSITIVE_INFINITY) <= writingSeconds;
  const isPause = session.isLosingPause(previous, request) && !isNearlyRead(broken);
  const isCleared = hasShrunk && mayBeCleared(session, broken, shrunk);
  if (!isHidden && isEarly && !isReturn) {
    return { causes: ['notWrittenYet'], certainty: 'narrowed', possible: ['notWrittenYet', 'evicted'] };
  }
  if (isFoundLater(session, broken)) {
    causes.evidence.push(
      translate(
        'A later request read what was written before this one. The beginning had not changed, and the provider did not find it here.',
      ),
    );
    return { causes: ['evicted'], certainty: 'assumed', possible: [] };
  }
  if (
    broken.read === 0 &&
    !isComplete &&
    !beginsTurn(session, previous, request) &&
    session.missesOften(request)
  ) {
    causes.evidence.push(
      translate(
        'Nothing was read, in the middle of a turn. In this session, the provider also failed to find caches whose beginning had not changed.',
      ),
      ...moved.map(({ fact }) => fact),
    );
    return { causes: ['evicted'], certainty: 'narrowed', possible: ['evicted', unrecorded] };
  }
  if (!isHidden && isReasoning) {
    causes.evidence.push(reasoningWords(session, request));
    return { causes: ['reasoningDropped'], certainty: 'narrowed', possible: ['reasoningDropped', 'evicted'] };
  }
  if (!hasShrunk && isPause) {
    const hidden = isComplete ? [] : [...moved.map(({ cause }) => cause), unrecorded];
    return {
      causes: ['lifetimeExpired'],
      certainty: 'narrowed',
      possible: unique(['lifetimeExpired', 'evicted', ...hidden]),
    };
  }
  if (isComplete) {
    return { causes: ['evicted'], certainty: 'assumed', possible: [] };
  }
  if (hasShrunk) {
    causes.evidence.push(
      translate(
        'Blocks were only added, but the input shrank by {0, plural, one {# token} other {# tokens}}. Something unrecorded was removed.',
        shrunk,
      ),
    );
  }
  if (isCleared) {
    return {
      causes: ['cleared'],
      certainty: 'narrowed',
      possible: unique(['cleared', ...moved.map(({ cause }) => cause), unrecorded, 'historyRewritten']),
    };
  }
  if (isHidden) {
    causes.evidence.push(
      translate(
        'The cache was lost in the unrecorded part (tools, system text and injected text): {0} of about {1} tokens were read.',
        formatNumber(broken.read),
        formatNumber(session.hiddenStart(request).value),
      ),
    );
  }
  if (isHidden || isReturn) {
    causes.evidence.push(...moved.map(({ fact }) => fact));
    if (isReasoning) {
      causes.evidence.push(reasoningWords(session, request));
    }
    const others: readonly CacheBreakCause[] = [
      ...(isReasoning ? (['reasoningDropped'] as const) : []),
      ...(isEarly ? (['notWrittenYet'] as const) : []),
      ...(isPause || ((seconds ?? 0) > longPause && !isNearlyRead(broken))
        ? (['lifetimeExpired'] as const)
        : []),
      // Texts that agents inject into the first messages belong to the unrecorded start too. If all of an earlier request
      // was read, its unrecorded start was among it.
      ...(session.rowOf(request)?.cache.explicit === true || back !== undefined
        ? (['historyRewritten'] as const)
        : []),
      'evicted',
    ];
    return unrecordedCause(moved, others);
  }
  if (hasShrunk) {
    return {
      causes: ['historyRewritten'],
      certainty: 'narrowed',
      possible: unique(['historyRewritten', unrecorded, 'evicted']),
    };
  }
  causes.evidence.push(
    translate('The unrecorded part (tools and system text) was read. The cache was lost after it.'),
  );
  return lostInHistory(session, broken);
}

const unrecorded = 'unrecordedChanged' as const;

const unique = (list: readonly CacheBreakCause[]): readonly CacheBreakCause[] => [...new Set(list)];

/**
 * The cause of a loss in the unrecorded part. Among requests of Claude Code within a minute, 28 of 81 lost the cache
 * after a skill was loaded, 4 of 48 after tools were loaded, and 3 in 1000 after other results (docs/cache-causes.md,
 * 2026-11).
 */
function unrecordedCause(moved: readonly MovedPart[], others: readonly CacheBreakCause[]): ToldCauses {
  const [likeliest = unrecorded] = moved.flatMap(({ cause, isOften }) => (isOften ? [cause] : []));
  return {
    causes: [likeliest],
    certainty: 'narrowed',
    possible: unique([likeliest, unrecorded, ...moved.map(({ cause }) => cause), ...others]),
  };
}

/** The cause of a loss after the unrecorded start, where no recorded part differs. */
function lostInHistory(session: CacheSession, { request, previous }: BrokenRequest): ToldCauses {
  const later = session.tokens.notRecorded(request) - session.hiddenStart(request).value;
  if (later > placeOfBlock(session, request, 0).error) {
    return { causes: ['unknown'], certainty: 'narrowed', possible: ['historyRewritten', 'evicted'] };
  }
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

function addTimes(session: CacheSession, { request, previous }: BrokenRequest, { evidence }: Causes): void {
  const seconds = session.secondsBetween(previous, request);
  const lifetime = session.lifetimeOf(previous);
  if (seconds === undefined) {
    return;
  }
  evidence.push(
    lifetime === undefined
      ? translate('The cache was last used {0} earlier.', formatDuration(seconds))
      : translate(
          'The cache was last used {0} earlier, within its lifetime of {1}.',
          formatDuration(seconds),
          formatDuration(lifetime),
        ),
    ...survivalWords(session, previous, request),
  );
}

/** Some caches expire after this many seconds, even if their provider promises more or nothing. */
const longPause = 300;

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

/** True if a fall of the input is so large that old results may have been cleared without a record. */
function mayBeCleared(session: CacheSession, { request, previous }: BrokenRequest, shrunk: number): boolean {
  return (
    session.rowOf(request)?.family === 'claude' &&
    shrunk >= leastCleared &&
    resultTokens(session, previous) >= shrunk
  );
}

function resultTokens(session: CacheSession, request: number): number {
  const rows = session.columns.blocks;
  const results = session.contexts.blocksOf(request).filter(block => kindOf(rows, block) === 'toolResult');
  return session.tokens.blocks(request, [...results]);
}

const reasoningWords = (session: CacheSession, request: number): string =>
  session.rowOf(request)?.family === 'openai'
    ? translate('A new user turn begins here. The provider omits the reasoning of the previous turn.')
    : translate(
        'A new user turn begins here, and the read ends where the previous turn first reasoned. This reasoning may not be sent again.',
      );

/**
 * True if earlier reasoning was left out at a new prompt, so the prefix ends where the last turn first reasoned. Models of
 * OpenAI keep only the reasoning of one turn (OpenAI reasoning guide, 2026-09). If the input shrank too, an older entry
 * may have been read instead of the one that ends there. Of other models, some templates and some agents leave it out
 * (docs/agent-runs.md): there, the read has to end with the request that was answered with this reasoning.
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
  const row = session.rowOf(request);
  const isOpenai = row?.family === 'openai';
  if ((!isOpenai && row?.cache.explicit === true) || !beginsTurn(session, previous, request)) {
    return false;
  }
  const turn = blocks.subarray(0, length).findLastIndex(isPrompt);
  const first = blocks.findIndex((block, place) => place > turn && isReasoned(rows, block));
  if (first < 0 || first >= length) {
    return false;
  }
  if (!isOpenai) {
    const answered = answeredBefore(session, previous, first);
    const left = answered === undefined ? undefined : session.use.leftReadable(answered);
    return left !== undefined && Math.abs(left - read) <= session.use.tolerance(request);
  }
  const { tokens: edge, error } = placeOfBlock(session, request, first);
  const near = Math.max(error, nearTurn * edge);
  return read <= edge + near && (hasShrunk || read >= edge - near);
}

/** True for reasoning, and for a reply whose recorded reasoning no later request sends. */
function isReasoned(rows: BlockColumns, block: number): boolean {
  if (kindOf(rows, block) === 'thinking') {
    return true;
  }
  const message = rows.message[block];
  let last = block;
  while (rows.message[last + 1] === message && roleOf(rows, last + 1) === 'assistant') {
    last += 1;
    if (kindOf(rows, last) === 'thinking') {
      return true;
    }
  }
  return false;
}

/** The newest request that ends before a position of the conversation; its reply begins there. */
function answeredBefore(session: CacheSession, newest: number, position: number): number | undefined {
  let earlier: number | undefined = newest;
  while (earlier !== undefined && session.lengthOf(earlier) > position) {
    earlier = session.previousOf(earlier);
  }
  return earlier;
}

/** A read ends at the first reasoning of the last turn within this share of the estimated tokens before it. */
const nearTurn = 0.05;
