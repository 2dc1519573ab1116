import { formatMoney, formatNumber } from '../../../src/core/base/format';
import { at } from '../../../src/core/base/numbers';
import { blockName } from '../../../src/core/drawing/laneContent';
import type { SessionColumns } from '../../../src/core/model/columns';
import { fetchedText } from '../../../src/core/sight/sightWords';
import { goToRequest, requestNumber } from '../../state/cacheReport';
import { useInspector, useViewState } from '../../state/inspector';
import { useSight } from '../../state/sight';
import { sightWords as words } from '../../words/sight';
import { ChoiceList } from '../common/ChoiceList';

const pageLength = 8;

/** The content fetched again after a compaction and its cost; nothing if nothing was fetched again. */
export function FetchedAgain({
  columns,
  compaction,
}: {
  readonly columns: SessionColumns;
  readonly compaction: number;
}) {
  const inspector = useInspector();
  const selected = useViewState('block');
  const answer = useSight();
  const after = answer.kind === 'known' ? answer.value.compactions[compaction] : undefined;
  if (after === undefined || after.fetched.length === 0) {
    return null;
  }
  const title = words.fetched(fetchedText(after));
  return (
    <section className="stack gap-6" aria-label={title} data-testid="fetched-again">
      <h3 className="panel-title" title={words.fetchedHint}>
        {title}
      </h3>
      <ChoiceList
        entries={after.fetched}
        pageLength={pageLength}
        choiceOf={({ block, tokens, money }) => {
          const request = Math.max(0, at(columns.blocks.firstRequest, block));
          return {
            key: block,
            place: requestNumber(columns, request),
            name: blockName(columns, block),
            figure: [formatNumber(tokens), ...(money === undefined ? [] : [formatMoney(money)])].join(' · '),
            isChosen: selected === block,
            choose: () => goToRequest(inspector, columns, request, block),
          };
        }}
      />
    </section>
  );
}
