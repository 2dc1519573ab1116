import { litBlocks, useLitPart } from '../../state/breakdown';
import { isFiltering, pruneFigures, requestView, shownPositions } from '../../state/derived';
import { blocksOfInsight, useLitInsight } from '../../state/insights';
import { type RequestOfSession, useAppState, usePruneOptions, useViewState } from '../../state/inspector';
import type { RequestParts } from '../../state/requestParts';
import { BlockTable } from '../block/BlockTable';
import { BreakdownView } from '../breakdown/BreakdownView';
import { CompactionView } from '../compaction/CompactionView';
import { ComparisonView } from '../comparison/ComparisonView';
import { ConversationView } from '../conversation/ConversationView';
import { Panes } from './Panes';
import { SlotLayout } from '../lanes/SlotLayout';
import { Toolbar } from './Toolbar';

export function SessionBody({ session, request }: RequestOfSession) {
  const { columns, summary } = session;
  const options = usePruneOptions();
  const filter = useViewState('filter');
  const view = requestView(columns, request);
  const prune = pruneFigures(columns, view, options);
  const result = useAppState(state => state.find.result);
  const lit = useLitPart(session);
  const insight = useLitInsight();
  const pointed = insight && blocksOfInsight(insight, columns.blocks.kind.length, view.blocks);
  const { shown, count } = shownPositions(
    columns,
    view,
    filter,
    result,
    prune.isCandidate,
    pointed ?? (lit && litBlocks(lit.tree, lit.node, columns)),
  );
  const isFiltered = pointed !== undefined || lit !== undefined || isFiltering(filter, result);
  const parts: RequestParts = { summary, columns, view, prune, shown, shownCount: count, isFiltered, lit };
  return <Panes tools={<Toolbar {...parts} />} content={<MainContent {...parts} />} parts={parts} />;
}

function MainContent(parts: RequestParts) {
  switch (useViewState('mainView')) {
    case 'layout':
      return <SlotLayout {...parts} />;
    case 'conversation':
      return <ConversationView {...parts} />;
    case 'table':
      return <BlockTable {...parts} />;
    case 'breakdown':
      return <BreakdownView {...parts} />;
    case 'compaction':
      return <CompactionView {...parts} />;
    case 'comparison':
      return <ComparisonView {...parts} />;
  }
}
