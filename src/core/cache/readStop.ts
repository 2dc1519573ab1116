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
}

export function placeOfBlock(session: CacheSession, request: number, position: number): BlockPlace {
  const tokens = session.tokens.prefix(request, position);
  const hidden = session.tokens.notRecorded(request);
  const { scaleError, notRecordedError } = session.columns.requests;
  const ofBlocks = Math.max(leastError, scaleError[request] ?? 0) * Math.max(0, tokens - hidden);
  const ofHidden = (notRecordedError[request] ?? 0) * hidden;
  return {
    tokens,
    error:
      Math.max(step, 2 * session.use.granularity(request), session.use.tolerance(request)) +
      ofBlocks +
      ofHidden,
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
  const { tokens, error } = placeOfBlock(session, request, position);
  const block = session.contexts.blocksOf(request)[position];
  // Two versions of a text may begin alike.
  const isVersion = [...system, ...rewritten, ...cleared].some(({ after }) => after === block);
  const most = isVersion ? session.tokens.prefix(request, position + 1) : tokens;
  if (read > most + error) {
    return false;
  }
  const isExplicit = session.rowOf(request)?.cache.explicit === true;
  if (isExplicit || read >= tokens - error || isInHead(session, request, position)) {
    return true;
  }
  const longest = longestEntry(session, request, tokens + error);
  return longest > 0 && Math.abs(longest - read) <= session.use.tolerance(request);
}

function isInHead({ columns, contexts }: CacheSession, request: number, position: number): boolean {
  const block = contexts.blocksOf(request)[position];
  const kind = block === undefined ? 'other' : kindOf(columns.blocks, block);
  return kind === 'systemPrompt' || kind === 'toolSchema' || kind === 'structuredOutput';
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
