import type { LitPart } from './breakdown';
import type { SessionColumns, SessionSummary } from '../../src/core/model/columns';
import type { PruneOptions } from '../../src/core/model/pruneConfig';
import type { PrunePreview } from '../../src/core/prune/prunePreview';
import type { RequestView } from '../../src/core/view/requestView';

/** A request and its session. */
export interface RequestInView {
  readonly columns: SessionColumns;
  readonly view: RequestView;
}

/** A request of a session, by its index, and the prune options for it. */
export interface PruneOfRequest {
  readonly columns: SessionColumns;
  readonly request: number;
  readonly options: PruneOptions;
}

/**
 * The data that the views and panels of a request share: the request, the prune plan for it, and the blocks that the
 * filter shows.
 */
export interface RequestParts extends RequestInView {
  readonly summary: SessionSummary;
  readonly prune: PrunePreview;
  /** 1 for positions that the filter shows. */
  readonly shown: Uint8Array;
  readonly shownCount: number;
  /** True if a filter or a search shows only some of the blocks. */
  readonly isFiltered: boolean;
  /** The part of the breakdown whose blocks are shown exclusively. */
  readonly lit: LitPart | undefined;
}
