import { requests as requestCount } from '../../src/core/base/countWords';
import { costNotes } from '../../src/core/tokens/costNotes';
import { sumText } from '../../src/core/tokens/usageFigures';
import type { PageWeek } from '../../src/protocol/sessionsPage';
import { Link } from '../controls/Link';
import { sessionsWords as words } from '../words/sessions';
import { notKnown, shortDay } from '../words/usageSums';

interface FootProps {
  /** Undefined if unknown. */
  readonly week: PageWeek | undefined;
  readonly onUsage: () => void;
}

/** The usage of all sessions this week, with a link to the Usage page. */
export function Foot({ week, onUsage }: FootProps) {
  return (
    <footer className="foot fine" title={week && tooltipOf(week)}>
      {week === undefined ? (
        <span className="ellipsis muted">{words.allSessions}</span>
      ) : (
        <>
          <span className="foot__week ellipsis muted">{words.week}</span>
          <span className="foot__money strong numeric">{sumText(week, week.unread > 0) ?? notKnown}</span>
          <span className="ellipsis muted tabular">
            {words.sessions(week.sessions)} · {requestCount(week.requests)}
          </span>
        </>
      )}
      <Link onPress={onUsage}>{words.usage}</Link>
    </footer>
  );
}

function tooltipOf(week: PageWeek): string {
  const { first, last, unread } = week;
  return [
    `${shortDay(first)} – ${shortDay(last)}`,
    ...costNotes(week),
    ...(unread > 0 ? [words.unread(unread)] : []),
  ].join('\n');
}
