import { visibleText } from '../../src/core/base/visibleText';
import { agentSign } from '../../src/core/finder/agentLocations';
import { withNamedMarks } from '../../src/core/sensitivity/redactionMark';
import type { UsageResult } from '../../src/protocol/indexService';
import { usageWords as words } from '../words/usage';
import { type Measure, worthOf } from './usageGroups';
import type { Usage } from './usageState';

/** A session with what it used on a day or in another span, which opens it. */
export function DaySession({
  usage,
  session,
  project,
  measure,
}: {
  readonly usage: Usage;
  readonly session: UsageResult<'bar'>['sessions'][number];
  /** The name of its project among those of the day. */
  readonly project: string;
  readonly measure: Measure;
}) {
  const { title, agent, file, conversation } = session;
  const shownTitle = title === '' ? words.untitled : visibleText(withNamedMarks(title));
  const content = (
    <>
      <span className="agent-sign" aria-hidden="true">
        {agentSign(agent)}
      </span>
      <span className="day-session__name row gap-6 shrinks">
        <span className="ellipsis" title={shownTitle}>
          {shownTitle}
        </span>{' '}
        <span className="day-session__project ellipsis muted">{visibleText(project)}</span>
        <span className="visually-hidden"> {visibleText(agent)}</span>
      </span>
      <span className="strong tabular">{worthOf(session, measure)}</span>
    </>
  );
  return (
    <li>
      {file === undefined ? (
        <span className="day-session ruled">{content}</span>
      ) : (
        <button
          type="button"
          className="day-session bare ruled"
          onClick={() => usage.open(file, conversation === 0 ? {} : { conversation })}
        >
          {content}
        </button>
      )}
    </li>
  );
}
