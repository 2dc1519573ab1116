import type { SessionColumns, SessionSummary } from '../../src/core/model/columns';
import type { PrunePreview } from '../../src/core/prune/prunePreview';
import type { RequestView } from '../../src/core/view/requestView';
import { pruneFigures, requestView, shownPositions } from '../state/derived';
import { usePruneOptions, useViewState, type SessionInView } from '../state/inspector';
import { BlockTable } from './BlockTable';
import { BoundaryStrip } from './BoundaryStrip';
import { CompactionView } from './CompactionView';
import { SidePanel } from './SidePanel';
import { SlotLayout } from './SlotLayout';
import { Toolbar } from './Toolbar';

/** What all parts of the body show: one request, the prune plan for it, and what the filter lets through. */
export interface RequestParts {
  readonly summary: SessionSummary;
  readonly columns: SessionColumns;
  readonly view: RequestView;
  readonly prune: PrunePreview;
  /** 1 for positions that the filter shows. */
  readonly shown: Uint8Array;
  readonly shownCount: number;
}

export function SessionBody({
  session,
  request,
}: {
  readonly session: SessionInView;
  readonly request: number;
}) {
  const { columns, summary } = session;
  const options = usePruneOptions();
  const filter = useViewState('filter');
  const view = requestView(columns, request);
  const prune = pruneFigures(columns, view, options);
  const { shown, count } = shownPositions(columns, view, filter, prune.isCandidate);
  const parts: RequestParts = { summary, columns, view, prune, shown, shownCount: count };
  return (
    <div className="body">
      <main className="main">
        <Toolbar {...parts} />
        <BoundaryStrip {...parts} />
        <MainContent {...parts} />
      </main>
      <SidePanel {...parts} />
    </div>
  );
}

function MainContent(parts: RequestParts) {
  switch (useViewState('mainView')) {
    case 'layout':
      return <SlotLayout {...parts} />;
    case 'table':
      return <BlockTable {...parts} />;
    case 'compaction':
      return <CompactionView {...parts} />;
  }
}
