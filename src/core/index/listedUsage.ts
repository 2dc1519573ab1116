import { entryOf } from '../base/entryOf';
import type { ModelRow } from '../model/modelRow';
import { windowOf } from '../tokens/contextWindow';
import type { ModelLookUp } from '../tokens/modelTable';
import { circumstances, pricesFor } from '../tokens/prices';
import { FiguresSum, type UsageFigures, usedRequest } from '../tokens/usageFigures';
import { unpackRequests, usageAt } from './requestTable';
import type { IndexedUsage } from './usageSums';

/** What a list says of the usage of a file. */
export interface ListedUsage {
  /** Of all requests, those of subagents in the file too. */
  readonly figures: UsageFigures;
  /** Input of the newest request of the main conversation, and the window of its model, in tokens. */
  readonly newest: { readonly tokens: number; readonly window: number | undefined } | undefined;
}

export function listedUsage(
  { session, requests }: Pick<IndexedUsage, 'session' | 'requests'>,
  lookUp: ModelLookUp,
): ListedUsage {
  const table = unpackRequests(requests);
  const { columns, count } = table;
  const rows = new Map<string, ModelRow | undefined>();
  const sum = new FiguresSum();
  for (let request = 0; request < count; request += 1) {
    const model = session.models[columns.model[request] ?? 0] ?? '';
    const time = columns.time[request] ?? Number.NaN;
    const usage = usageAt(table, request);
    const prices = entryOf(rows, model, () => lookUp(model))?.prices;
    const list = prices && pricesFor(prices, circumstances(usage, Number.isNaN(time) ? undefined : time));
    sum.add(usedRequest(usage, list, columns.outputDoubtful[request] === 1));
  }
  const newest = session.main?.newest;
  return {
    figures: sum.figures(),
    newest: newest && { tokens: newest.tokens, window: windowOf(newest, lookUp(newest.model))?.tokens },
  };
}
