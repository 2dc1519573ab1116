import { defined } from '../base/defined';
import { groupBy } from '../base/groupBy';
import type { ChangedPair } from '../view/contextDifference';
import { explainBreaks } from './breakCauses';
import { type BrokenRequest, findBrokenRequests } from './brokenRequests';
import { findBoundaries } from './cacheBoundaries';
import {
  type CacheFinding,
  type CacheReport,
  type CauseTotal,
  dearerFirst,
  lossesIn,
  type RequestBoundary,
} from './cacheFinding';
import type { CacheSession } from './cacheSession';
import { type TextChange, unreadChange } from './textChange';

/** Boundaries and cache losses of a session, without reading any text. */
export interface CacheOutline {
  readonly boundaries: readonly RequestBoundary[];
  readonly broken: readonly BrokenRequest[];
}

export function outlineCache(session: CacheSession): CacheOutline {
  const boundaries = findBoundaries(session);
  return { boundaries, broken: findBrokenRequests(session, boundaries) };
}

/** Cache losses with the causes that the transcript shows. */
export function findCacheBreaks(
  session: CacheSession,
  broken: readonly BrokenRequest[],
  changeOf: (pair: ChangedPair) => TextChange = () => unreadChange,
): readonly CacheFinding[] {
  return explainBreaks(session, broken, changeOf);
}

/** The findings with the boundaries of all requests and the sums over the session. */
export function cacheReport(
  { columns }: CacheSession,
  { boundaries }: CacheOutline,
  findings: readonly CacheFinding[],
): CacheReport {
  const { input, cacheRead, cacheWrite } = columns.requests;
  const losses = lossesIn(findings);
  const checked = boundaries.filter(({ conservation }) => conservation !== 'unknown');
  const compared = boundaries.filter(({ agreement }) => agreement !== 'unknown');
  return {
    findings,
    causes: causeTotals(losses),
    diagnostics: diagnosisCounts(boundaries),
    boundaries,
    input: { read: sumOf(cacheRead), written: sumOf(cacheWrite), fresh: sumOf(input) },
    lost: lostBy(losses),
    conservation: {
      checked: checked.length,
      kept: checked.filter(({ conservation }) => conservation === 'kept').length,
    },
    agreement: {
      compared: compared.length,
      agreeing: compared.filter(({ agreement }) => agreement === 'agrees').length,
    },
  };
}

function diagnosisCounts(boundaries: readonly RequestBoundary[]): CacheReport['diagnostics'] {
  const types = boundaries.flatMap(({ diagnosis }) => diagnosis ?? []);
  return Object.fromEntries(
    [...groupBy(types, ({ type }) => type)].map(([type, list]) => [type, list.length]),
  );
}

/** Tokens and money lost by the first cause of each finding, the dearest first. */
export function causeTotals(findings: readonly CacheFinding[]): readonly CauseTotal[] {
  return [...groupBy(findings, ({ causes: [first] }) => first)]
    .map(([cause, list]): CauseTotal => {
      const { tokens, money } = lostBy(list);
      return { cause, requests: list.length, tokensLost: tokens, ...defined({ moneyLost: money }) };
    })
    .sort(dearerFirst);
}

/** The cost is absent if one finding lacks it, because a partial sum would look complete. */
export function lostBy(findings: readonly CacheFinding[]): CacheReport['lost'] {
  const tokens = findings.reduce((sum, { tokensLost }) => sum + tokensLost, 0);
  const money = findings.reduce<number | undefined>(
    (sum, { moneyLost }) => (sum === undefined || moneyLost === undefined ? undefined : sum + moneyLost),
    0,
  );
  return { tokens, ...defined({ money }) };
}

function sumOf(column: Uint32Array): number {
  return column.reduce((sum, value) => sum + value, 0);
}
