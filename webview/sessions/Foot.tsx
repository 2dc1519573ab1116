import { requests as requestCount } from '../../src/core/base/countWords';
import { formatMoney } from '../../src/core/base/format';
import type { PageWeek } from '../../src/protocol/sessionsPage';
import { Link } from '../controls/Link';
import { sessionsWords as words } from '../words/sessions';
import { moneyText, shortDay, unpricedRequests } from '../words/usageSums';

interface FootProps {
  /** Undefined where it is not known. */
  readonly week: PageWeek | undefined;
  readonly onUsage: () => void;
}

/** What all sessions used this week, with the way to the page Usage. */
export function Foot({ week, onUsage }: FootProps) {
  return (
    <footer className="foot fine" title={week && tooltipOf(week)}>
      {week === undefined ? (
        <span className="ellipsis muted">{words.allSessions}</span>
      ) : (
        <>
          <span className="foot__week ellipsis muted">{words.week}</span>
          <span className="foot__money strong tabular">
            {moneyText(formatMoney(week.money), week, week.unpriced + week.unread > 0)}
          </span>
          <span className="ellipsis muted tabular">
            {words.sessions(week.sessions)} · {requestCount(week.requests)}
          </span>
        </>
      )}
      <Link onPress={onUsage}>{words.usage}</Link>
    </footer>
  );
}

function tooltipOf({ first, last, unpriced, unread }: PageWeek): string {
  return [
    `${shortDay(first)} – ${shortDay(last)}`,
    ...(unpriced > 0 ? [unpricedRequests(unpriced)] : []),
    ...(unread > 0 ? [words.unread(unread)] : []),
  ].join('\n');
}
