import type { SessionColumns } from '../../../src/core/model/columns';
import { requestNumber } from '../../state/cacheReport';
import { openComparison } from '../../state/comparison';
import { changeSince } from '../../state/derived';
import { useInspector } from '../../state/inspector';
import { comparisonWords } from '../../words/comparison';
import { timelineWords as words } from '../../words/timeline';

/**
 * A line with what came and what went since the request before; a press compares the two. It is there for each request,
 * so that nothing moves.
 */
export function Since({
  columns,
  previous,
  request,
}: {
  readonly columns: SessionColumns;
  /** Absent for the first request of a conversation. */
  readonly previous: number | undefined;
  readonly request: number;
}) {
  const inspector = useInspector();
  if (previous === undefined) {
    return (
      <p className="timeline__since fine muted" data-testid="since">
        {words.firstRequest}
      </p>
    );
  }
  const number = requestNumber(columns, previous);
  const text = words.sinceRequest(changeSince(columns, previous, request), number);
  return (
    <button
      type="button"
      className="timeline__since bare fine muted tabular ellipsis"
      title={`${text}\n${comparisonWords.compareHint(number)}`}
      data-testid="since"
      onClick={() => openComparison(inspector)}
    >
      {text}
    </button>
  );
}
