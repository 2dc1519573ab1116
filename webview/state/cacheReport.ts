import { at } from '../../src/core/base/numbers';
import {
  type CacheFinding,
  type CacheReport,
  dearerFirst,
  isMeant,
  lossesIn,
} from '../../src/core/cache/cacheFinding';
import type { SessionColumns } from '../../src/core/model/columns';
import { requestLabel, requestNumber as numberOfIndex } from '../../src/core/view/requestNames';
import { requestsByThread } from './derived';
import type { AppState, Inspector } from './inspector';
import { memoise } from './store';

const findingsByRequest = memoise(
  (report: CacheReport): ReadonlyMap<number, CacheFinding> =>
    new Map(report.findings.map(finding => [finding.request, finding])),
);

/** The cause of a request's cache loss, if it has one. */
export function findingOf(cache: AppState['cache'], request: number): CacheFinding | undefined {
  return cache.kind === 'known' ? findingsByRequest(cache.value).get(request) : undefined;
}

/** The losses by cost, the largest first. Compactions and prunes are meant. */
export const lossesByWorth = memoise(({ findings }: CacheReport): readonly CacheFinding[] =>
  lossesIn(findings).toSorted(dearerFirst),
);

/** The compactions and prunes after which the cache was written again, the dearest first. */
export const meantByWorth = memoise(({ findings }: CacheReport): readonly CacheFinding[] =>
  findings.filter(isMeant).sort(dearerFirst),
);

/** A request's cache loss, unless it is meant. */
export function lossOf(cache: AppState['cache'], request: number): CacheFinding | undefined {
  const finding = findingOf(cache, request);
  return finding === undefined || isMeant(finding) ? undefined : finding;
}

const indices = memoise((columns: SessionColumns): Uint32Array => {
  const found = new Uint32Array(columns.requests.thread.length);
  for (const requests of requestsByThread(columns).values()) {
    requests.forEach((request, index) => {
      found[request] = index;
    });
  }
  return found;
});

/** A request's number, with its conversation if that is not the main one. */
export const requestLabelOf = (columns: SessionColumns, request: number): string =>
  requestLabel({
    conversation: at(columns.requests.thread, request),
    request: at(indices(columns), request),
  });

/** A request's number in its conversation, counted from 1. */
export const requestNumber = (columns: SessionColumns, request: number): string =>
  numberOfIndex(at(indices(columns), request));

/** Shows a request of any conversation of the file, and one of its blocks. */
export function goToRequest(
  { changeView }: Inspector,
  columns: SessionColumns,
  request: number,
  block?: number,
): void {
  const thread = at(columns.requests.thread, request);
  const newest = requestsByThread(columns).get(thread)?.at(-1);
  changeView({
    thread,
    request: request === newest ? undefined : request,
    ...(block === undefined ? {} : { block, panel: 'block' }),
  });
}

/** By slot of a thread, the predicted offset of the cache; NaN without a prediction. */
export const predictedBySlot = memoise(
  (report: CacheReport, requests: Uint32Array): Float64Array =>
    Float64Array.from(requests, request => {
      const tokens = report.boundaries[request]?.predicted.tokens ?? 0;
      return tokens > 0 ? tokens : Number.NaN;
    }),
  2,
);
