import { CacheSession } from '../../src/core/cache/cacheSession';
import type { SessionColumns, SessionSummary } from '../../src/core/model/columns';
import type { PruneOptions } from '../../src/core/model/pruneConfig';
import { comparePrunes, type ComparedPrune } from '../../src/core/prune/compare';
import { pruneNet, type PruneNet } from '../../src/core/prune/net';
import type { PrunePreview } from '../../src/core/prune/prunePreview';
import type { RequestView } from '../../src/core/view/requestView';
import { memoise } from './store';

const sessionOf = memoise(
  (columns: SessionColumns, summary: SessionSummary) => new CacheSession({ columns, summary }),
);

/** What the plan for a request is worth. */
export const netOf = memoise(
  (
    columns: SessionColumns,
    summary: SessionSummary,
    view: RequestView,
    preview: PrunePreview,
    options: PruneOptions,
  ): PruneNet => pruneNet(sessionOf(columns, summary), view, preview, options),
);

/** Every rule set at a request. */
export const comparedPrunes = memoise(
  (
    columns: SessionColumns,
    summary: SessionSummary,
    view: RequestView,
    options: PruneOptions,
  ): readonly ComparedPrune[] => comparePrunes(sessionOf(columns, summary), view, options),
);
