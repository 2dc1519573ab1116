import { formatTime } from '../../../src/core/base/format';
import { at } from '../../../src/core/base/numbers';
import type { SessionColumns } from '../../../src/core/model/columns';
import { SearchList } from '../../controls/SearchList';
import { findingOf, requestLabelOf } from '../../state/cacheReport';
import { comparedWith, openComparison } from '../../state/comparison';
import { useAppState, useInspector, useViewState } from '../../state/inspector';
import { contentFocus } from '../../state/panes';
import type { RequestParts } from '../../state/requestParts';
import { comparisonWords as words } from '../../words/comparison';
import { mainViewWords, pageWords } from '../../words/page';
import { RequestComparison } from './RequestComparison';

/** The value of the choice of the request before. */
const beforeValue = 'before';

/** The request in view beside any other request of the session, the earlier one at the left. */
export function ComparisonView({ columns, summary, view }: RequestParts) {
  const other = useAppState(state => comparedWith(columns, state.view, view.request));
  const [earlier, later] = [Math.min(other ?? 0, view.request), Math.max(other ?? 0, view.request)];
  const finding = useAppState(({ cache }) => findingOf(cache, later));
  const picker = <RequestPicker columns={columns} request={view.request} />;
  return (
    <div {...contentFocus} className="compaction comparison-view stack gap-10" data-testid="comparison">
      <h2 className="visually-hidden">{mainViewWords.comparison}</h2>
      {other === undefined ? (
        <>
          {picker}
          <p className="muted">{words.noneBefore}</p>
        </>
      ) : (
        <RequestComparison
          columns={columns}
          summary={summary}
          earlier={earlier}
          later={later}
          finding={finding?.previous === earlier ? finding : undefined}
          picker={{ request: view.request, control: picker }}
        />
      )}
    </div>
  );
}

/** Chooses the request to compare with: the one before, or any other of the session. */
function RequestPicker({ columns, request }: { readonly columns: SessionColumns; readonly request: number }) {
  const inspector = useInspector();
  const isChosen = useViewState('compared') !== undefined;
  const { thread, timestamp } = columns.requests;
  return (
    <div className="comparison__picker">
      <SearchList
        name={words.compareWith}
        value=""
        options={() => [
          ...(isChosen ? [{ value: beforeValue, label: words.theOneBefore, detail: '' }] : []),
          ...[...thread.keys()]
            .filter(each => each !== request)
            .map(each => ({
              value: String(each),
              label: pageWords.request(requestLabelOf(columns, each)),
              detail: formatTime(at(timestamp, each)),
            })),
        ]}
        empty={words.none}
        more={words.more}
        onChange={chosen => openComparison(inspector, chosen === beforeValue ? undefined : Number(chosen))}
      />
    </div>
  );
}
