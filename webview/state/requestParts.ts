import type { SessionColumns, SessionSummary } from '../../src/core/model/columns';
import type { PrunePreview } from '../../src/core/prune/prunePreview';
import type { RequestView } from '../../src/core/view/requestView';

/** What the views and panels of a request show: the request, the prune plan for it, and the blocks that the filter shows. */
export interface RequestParts {
  readonly summary: SessionSummary;
  readonly columns: SessionColumns;
  readonly view: RequestView;
  readonly prune: PrunePreview;
  /** 1 for positions that the filter shows. */
  readonly shown: Uint8Array;
  readonly shownCount: number;
}
