import { translate } from '../base/translate';
import { kindOf } from '../model/blockWords';
import type { BrokenRequest } from './brokenRequests';
import type { CacheSession } from './cacheSession';
import type { Causes } from './causes';
import { stopsInHidden } from './readStop';

/** The most requests to go back when looking for the one that wrote exactly the tokens read. */
const requestsLookedAt = 200;
/** The most requests after a loss that can show that the beginning had not changed. */
const requestsAhead = 8;
/** The most requests before a loss whose entries a later request may read. More would match by chance. */
const requestsBehind = 12;

/** The entry of an earlier request that a request read. */
export interface EarlierEntry {
  /** The number of requests since the tokens read were written; undefined if no request wrote exactly them. */
  readonly back: number | undefined;
  /**
   * True if it is the last entry before a loss in the unrecorded part at the start of an earlier turn. A new turn reads it
   * again, so that part may have its old text again.
   */
  readonly isReturn: boolean;
}

export function addEarlierEntry(
  session: CacheSession,
  { request, previous, read }: BrokenRequest,
  { evidence }: Causes,
): EarlierEntry {
  const isTurn = beginsTurn(session, previous, request);
  let back: number | undefined;
  let later: number | undefined;
  let earlier = session.previousOf(request);
  for (let looked = 0; read > 0 && earlier !== undefined && looked < requestsLookedAt; looked += 1) {
    if (isEntryOf(session, earlier, request, read)) {
      const distance = session.placeOf(request) - session.placeOf(earlier);
      if (isTurn && later !== undefined && isHiddenBreak(session, earlier, later)) {
        evidence.push(
          translate(
            'This request read what was written {0, plural, one {# request} other {# requests}} earlier, right before the unrecorded part had changed. It may have changed back.',
            distance,
          ),
        );
        return { back: distance, isReturn: true };
      }
      back ??= distance;
    } else if (back !== undefined) {
      break;
    }
    later = earlier;
    earlier = session.previousOf(earlier);
  }
  if (back !== undefined) {
    evidence.push(
      translate(
        'This request read what was written {0, plural, one {# request} other {# requests}} earlier.',
        back,
      ),
    );
  }
  return { back, isReturn: false };
}

/** True if an earlier request left exactly the tokens that a later one read, within one step. */
function isEntryOf(session: CacheSession, earlier: number, later: number, read: number): boolean {
  const step = session.use.granularity(later);
  return Math.abs((session.use.leftReadable(earlier) ?? -step) - read) < step;
}

/** True if a request lost the cache of the one before it within the unrecorded part, at the start of a turn. */
function isHiddenBreak(session: CacheSession, earlier: number, later: number): boolean {
  const left = session.use.leftReadable(earlier) ?? 0;
  return (
    left - session.readOf(later) > session.use.tolerance(later) &&
    stopsInHidden(session, later) &&
    beginsTurn(session, earlier, later)
  );
}

/** True if a request adds a prompt to what an earlier one sent. */
export function beginsTurn({ columns, contexts }: CacheSession, earlier: number, later: number): boolean {
  return contexts
    .blocksOf(later)
    .subarray(columns.requests.length[earlier] ?? 0)
    .some(block => kindOf(columns.blocks, block) === 'prompt');
}

/**
 * True if one of the next requests of the same turn read an entry from before a loss, which the request itself did not
 * find: so the beginning was the same.
 */
export function isFoundLater(session: CacheSession, { request, previous, read }: BrokenRequest): boolean {
  const { requests } = session.columns;
  const thread = session.threadOf(request);
  const last = Math.min(requests.length.length - 1, request + requestsAhead);
  for (let later = request + 1; later <= last; later += 1) {
    if (session.threadOf(later) !== thread || !session.isRecorded(later)) {
      continue;
    }
    if (beginsTurn(session, request, later)) {
      return false;
    }
    const found = session.readOf(later);
    const tolerance = session.use.tolerance(later);
    if (
      found - read > tolerance &&
      (session.use.leftReadable(request) ?? 0) - found > tolerance &&
      hasEntry(session, previous, found)
    ) {
      return true;
    }
  }
  return false;
}

/** True if a request, or one shortly before it in its thread, left exactly these tokens, without or with its reply. */
function hasEntry(session: CacheSession, newest: number, read: number): boolean {
  let earlier: number | undefined = newest;
  for (let looked = 0; earlier !== undefined && looked < requestsBehind; looked += 1) {
    const left = session.use.leftReadable(earlier) ?? Number.POSITIVE_INFINITY;
    if (left <= read && read <= (session.use.leftWithReply(earlier) ?? left)) {
      return true;
    }
    earlier = session.previousOf(earlier);
  }
  return false;
}
