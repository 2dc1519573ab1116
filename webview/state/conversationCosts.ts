import { carriedShares } from '../../src/core/breakdown/carriedShares';
import type { SessionColumns, SessionSummary } from '../../src/core/model/columns';
import { memoise } from './store';

/** US dollars that the input of each block has cost up to a request, by block; NaN where no price is known. */
export const costsUpTo = memoise(
  (
    columns: SessionColumns,
    models: SessionSummary['models'],
    thread: number,
    /** The last request that counts. */
    last: number,
  ): Float64Array => {
    const costs = new Float64Array(columns.blocks.kind.length).fill(Number.NaN);
    const [shares] = carriedShares(
      columns,
      models,
      undefined,
      request => request <= last && columns.requests.thread[request] === thread,
    );
    if (shares !== undefined && shares.unpriced < shares.requests) {
      shares.blocks.forEach((block, index) => {
        costs[block] = shares.money[index] ?? 0;
      });
    }
    return costs;
  },
  4,
);
