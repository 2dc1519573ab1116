import { formatMoney } from '../../src/core/base/format';
import type { CacheReport } from '../../src/core/cache/cacheFinding';
import { CacheSession } from '../../src/core/cache/cacheSession';
import type { SessionColumns, SessionSummary } from '../../src/core/model/columns';
import type { PruneOptions } from '../../src/core/model/pruneConfig';
import { type ComparedPrune, comparePrunes } from '../../src/core/prune/compare';
import { knownLosses } from '../../src/core/prune/laterRequests';
import { pruneNet, type PruneNet } from '../../src/core/prune/net';
import type { PrunePreview } from '../../src/core/prune/prunePreview';
import type { RequestView } from '../../src/core/view/requestView';
import { memoise } from './store';

const sessionOf = memoise(
  (columns: SessionColumns, summary: SessionSummary) => new CacheSession({ columns, summary }),
);

const lossesOf = memoise(({ findings }: CacheReport) => knownLosses(findings));

/** The savings or cost of the prune plan for a request. */
export const netOf = memoise(
  (
    columns: SessionColumns,
    summary: SessionSummary,
    view: RequestView,
    preview: PrunePreview,
    options: PruneOptions,
    /** Absent until the losses are known. */
    report: CacheReport | undefined,
  ): PruneNet => pruneNet(sessionOf(columns, summary), view, preview, options, report && lossesOf(report)),
);

/** The effect of each rule set at a request. */
export const comparedPrunes = memoise(
  (
    columns: SessionColumns,
    summary: SessionSummary,
    view: RequestView,
    options: PruneOptions,
  ): readonly ComparedPrune[] => comparePrunes(sessionOf(columns, summary), view, options),
);

/** `−$0.30`, `$0.00` or `+$0.17`. */
export const signedMoney = (money: number): string =>
  money < 0 ? `−${formatMoney(-money)}` : money === 0 ? formatMoney(0) : `+${formatMoney(money)}`;
