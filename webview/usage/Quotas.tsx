import { useState } from 'react';
import { visibleText } from '../../src/core/base/visibleText';
import { folderNames } from '../../src/core/finder/projectNames';
import { quotaWindowText } from '../../src/core/tokens/quotaWords';
import type { UsageResult } from '../../src/protocol/indexService';
import { Link } from '../controls/Link';
import { useSelected } from '../state/store';
import { useAnswerOf } from '../state/useAnswer';
import { usageWords as words } from '../words/usage';
import { DaySession } from './DaySession';
import { type Measure, measured, worthOf } from './usageGroups';
import type { Usage } from './usageState';

/** Number of windows shown at first, the last ones. */
const firstWindows = 4;
/** Number of sessions of a window. */
const mostSessions = 3;

interface QuotasProps {
  readonly usage: Usage;
  readonly measure: Measure;
  readonly revision: number;
}

/** The recorded limits of subscriptions in the period, with the sessions that used most of each. */
export function Quotas({ usage, measure, revision }: QuotasProps) {
  const period = useSelected(usage.store, state => state.view.period);
  const { last: found } = useAnswerOf(
    usage.ask,
    { name: 'quotas', params: { period } },
    { since: revision, pause: 0 },
  );
  const [isWhole, setWhole] = useState(false);
  if (found === undefined || found.windows.length === 0) {
    return null;
  }
  const { windows } = found;
  const shown = isWhole ? windows : windows.slice(0, firstWindows);
  return (
    <section className="stack" aria-label={words.quotas}>
      <h2 className="small strong">{words.quotas}</h2>
      {shown.map(window => (
        <QuotaWindow
          key={`${window.agent} ${window.minutes} ${window.resetsAt}`}
          usage={usage}
          window={window}
          measure={measure}
        />
      ))}
      {windows.length > shown.length && (
        <Link onPress={() => setWhole(true)}>{words.showAll(windows.length)}</Link>
      )}
    </section>
  );
}

function QuotaWindow({
  usage,
  window,
  measure,
}: Omit<QuotasProps, 'revision'> & { readonly window: UsageResult<'quotas'>['windows'][number] }) {
  const sessions = window.sessions.toSorted(
    (first, second) => measured(second, measure) - measured(first, measure),
  );
  const folders = folderNames(sessions.map(({ project }) => project));
  const name = visibleText(quotaWindowText(window.agent, window));
  return (
    <section className="stack gap-4" aria-label={name}>
      <h3 className="small">
        {name}{' '}
        <span className="muted">{words.quotaTotal(sessions.length, worthOf(window.total, measure))}</span>
      </h3>
      <ul className="day-sessions">
        {sessions.slice(0, mostSessions).map(session => (
          <DaySession
            key={session.key}
            usage={usage}
            session={session}
            project={folders.get(session.project) ?? session.project}
            measure={measure}
          />
        ))}
      </ul>
    </section>
  );
}
