import type { SessionColumns } from '../../../src/core/model/columns';
import { requestNumber } from '../../state/cacheReport';
import { changeSince } from '../../state/derived';
import { timelineWords as words } from '../../words/timeline';

/** A line with what came and what went since the request before. It is there for each request, so that nothing moves. */
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
  const text =
    previous === undefined
      ? words.firstRequest
      : words.sinceRequest(changeSince(columns, previous, request), requestNumber(columns, previous));
  return (
    <p className="timeline__since fine muted tabular ellipsis" title={text} data-testid="since">
      {text}
    </p>
  );
}
