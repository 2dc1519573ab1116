import { at } from '../../src/core/base/numbers';
import type { SessionColumns } from '../../src/core/model/columns';
import { bandPrices } from '../../src/core/view/bandPrices';
import { requestBands } from '../../src/core/view/requestBands';
import { requestsByThread } from './derived';
import type { Inspector } from './inspector';
import { memoise } from './store';
import type { ViewState } from './viewState';

export const bandsOf = memoise(requestBands, 2);

export const pricesOfBands = memoise(bandPrices, 2);

/** The request before another one in its conversation. */
export function requestBefore(columns: SessionColumns, request: number): number | undefined {
  const requests = requestsByThread(columns).get(at(columns.requests.thread, request));
  return requests?.[requests.indexOf(request) - 1];
}

/** The request that the one in view is compared with: the chosen one, otherwise the one before. */
export function comparedWith(
  columns: SessionColumns,
  { compared }: ViewState,
  request: number,
): number | undefined {
  const isKnown = compared !== undefined && compared !== request && compared < columns.requests.thread.length;
  return isKnown ? compared : requestBefore(columns, request);
}

/** Shows the request in view beside another one; without one, beside the one before. */
export function openComparison({ changeView }: Inspector, compared?: number): void {
  changeView({ mainView: 'comparison', compared });
}
