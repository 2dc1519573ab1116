import { kindOf } from '../model/blockWords';
import type { ContextDifference } from '../view/contextDifference';
import type { CacheSession } from './cacheSession';

/** The smallest distance that counts as one place: the step of most providers, in tokens. */
const step = 128;

/** Estimated tokens of blocks may be wrong by this share, whatever their stated error. */
const leastError = 0.02;

/**
 * The last token at which a read may have ended in the unrecorded part at the start: its end, plus its stated error or
 * one step. Undefined if everything is recorded.
 */
export function hiddenReach(session: CacheSession, request: number): number | undefined {
  if (session.isComplete(request)) {
    return undefined;
  }
  const { value, error } = session.hiddenStart(request);
  return value + Math.max(step, session.use.granularity(request), error * value);
}

/** True if a read ended in the unrecorded part at the start of a request, or cannot be told apart from that. */
export function stopsInHidden(session: CacheSession, request: number): boolean {
  const reach = hiddenReach(session, request);
  return reach !== undefined && session.readOf(request) <= reach;
}

/** The place of a block in a request, in tokens, and its uncertainty. */
export interface BlockPlace {
  readonly tokens: number;
  readonly error: number;
  /** The limits of the place, if unrecorded tokens that came or went since the first request stand before or after it. */
  readonly least: number;
  readonly most: number;
}

export function placeOfBlock(session: CacheSession, request: number, position: number): BlockPlace {
  const tokens = session.tokens.prefix(request, position);
  const hidden = session.tokens.notRecorded(request);
  const { scaleError, notRecordedError } = session.columns.requests;
  const blocks = Math.max(0, tokens - hidden);
  const ofBlocks =
    Math.max(step, 2 * session.use.granularity(request), session.use.tolerance(request)) +
    Math.max(leastError, scaleError[request] ?? 0) * blocks;
  const { least, most } = session.hiddenBounds(request);
  return {
    tokens,
    error: ofBlocks + (notRecordedError[request] ?? 0) * hidden,
    least: blocks + (1 - least.error) * least.value - ofBlocks,
    most: blocks + (1 + most.error) * most.value + ofBlocks,
  };
}

/**
 * True if a read can have ended because of a difference. A provider with breakpoints reads only whole entries, which may
 * end long before the difference. Others read up to it, or the longest entry of an earlier request before it. In which
 * order a provider reads tools and system text, no record says.
 */
export function stopsAt(session: CacheSession, request: number, difference: ContextDifference): boolean {
  const { position, system, rewritten, cleared } = difference;
  const read = session.readOf(request);
  const { least } = placeOfBlock(session, request, position);
  const blocks = session.contexts.blocksOf(request);
  const block = blocks[position];
  // Two versions of a text may begin alike.
  const isVersion = [...system, ...rewritten, ...cleared].some(({ after }) => after === block);
  const head = headLength(session, blocks);
  const isInHead = position < head;
  const { most } = placeOfBlock(
    session,
    request,
    Math.max(isVersion ? position + 1 : position, isInHead ? head : 0),
  );
  if (read > most) {
    return false;
  }
  const isExplicit = session.rowOf(request)?.cache.explicit === true;
  if (isExplicit || read >= least || isInHead) {
    return true;
  }
  const longest = longestEntry(session, request, most);
  return longest > 0 && Math.abs(longest - read) <= session.use.tolerance(request);
}

/** Number of blocks of system text and tools at the start. */
function headLength({ columns }: CacheSession, blocks: Uint32Array): number {
  const length = blocks.findIndex(block => {
    const kind = kindOf(columns.blocks, block);
    return kind !== 'systemPrompt' && kind !== 'toolSchema' && kind !== 'structuredOutput';
  });
  return length < 0 ? blocks.length : length;
}

/** The most requests to go back when looking for an entry. */
const requestsLookedAt = 200;

/** The longest prefix, of at most this many tokens, that an earlier request of the thread left. */
function longestEntry(session: CacheSession, request: number, most: number): number {
  let longest = 0;
  let earlier = session.previousOf(request);
  for (let looked = 0; earlier !== undefined && looked < requestsLookedAt; looked += 1) {
    const left = session.use.leftReadable(earlier) ?? 0;
    if (left <= most && left > longest) {
      longest = left;
    }
    earlier = session.previousOf(earlier);
  }
  return longest;
}
