import { useState } from 'react';
import { formatExactShare, formatNumber, formatShare } from '../../src/core/base/format';
import { visibleText } from '../../src/core/base/visibleText';
import { folderNames } from '../../src/core/finder/projectNames';
import { worktreeName } from '../../src/core/finder/worktrees';
import { costNotes } from '../../src/core/tokens/costNotes';
import { cacheShare } from '../../src/core/tokens/usageFigures';
import { FigureTable } from '../components/common/FigureTable';
import { Link } from '../controls/Link';
import { useSelected } from '../state/store';
import { useAnswerOf } from '../state/useAnswer';
import { formatMeasure, stackWords, usageWords as words } from '../words/usage';
import { dayName, shortDay } from '../words/usageSums';
import { Days } from './Days';
import { DaySession } from './DaySession';
import { CacheCauses, lostText, Secrets, WasteKinds, wasteText } from './Losses';
import {
  daysOf,
  growth,
  type Measure,
  measured,
  mostColours,
  partsOf,
  type UsagePeriod,
  worthOf,
} from './usageGroups';
import { Quotas } from './Quotas';
import type { Usage } from './usageState';
import { Versions } from './Versions';

/** Everything about a period: sums, days, cost breakdown, groups, and the sessions of a day. */
export function Figures({
  usage,
  period,
  revision,
}: {
  readonly usage: Usage;
  readonly period: UsagePeriod;
  readonly revision: number;
}) {
  const { stack, measure, day, daysAsTable, period: name } = useSelected(usage.store, state => state.view);
  const { sorted, parts, nameOf } = partsOf(period, stack, measure);
  // The newest day with a session, until the user chooses one.
  const newest = period.days.findLastIndex((_, index) => parts.some(({ byDay }) => (byDay[index] ?? 0) > 0));
  const chosen = period.days.includes(day) ? day : (period.days[newest] ?? period.days.at(-1) ?? '');
  return (
    <>
      <Sums period={period} measure={measure} />
      {period.total.requests === 0 ? (
        <p className="prose">{words.nothingIn(name)}</p>
      ) : (
        <>
          <Days
            period={period}
            parts={parts}
            measure={measure}
            chosen={chosen}
            isTable={daysAsTable}
            onChoose={choice => usage.changeView({ day: choice })}
            onSwitch={() => usage.changeView({ daysAsTable: !daysAsTable })}
          />
          <Whither period={period} measure={measure} />
          <Groups sorted={sorted} nameOf={nameOf} period={period} stack={stack} measure={measure} />
          <div className="usage__pair">
            <DaySessions usage={usage} day={chosen} measure={measure} revision={revision} />
            <CacheCauses losses={period.total.losses} measure={measure} />
            <WasteKinds losses={period.total.losses} measure={measure} />
          </div>
          <Quotas usage={usage} measure={measure} revision={revision} />
          <Versions usage={usage} revision={revision} />
        </>
      )}
    </>
  );
}

function Sums({ period, measure }: { readonly period: UsagePeriod; readonly measure: Measure }) {
  const { total, before, days } = period;
  const now = measured(total, measure);
  const earlier = measured(before, measure);
  const change = earlier === 0 ? 0 : now / earlier - 1;
  const share = cacheShare(total);
  const span = `${shortDay(days[0] ?? '')} – ${shortDay(days.at(-1) ?? '')}`;
  const compared =
    change === 0
      ? ''
      : `, ${change > 0 ? words.more(formatShare(change)) : words.less(formatShare(-change))}`;
  const notes = measure === 'money' ? costNotes(total).join(' ') : '';
  return (
    <>
      <dl className="sums tabular">
        <Sum value={worthOf(total, measure)} name={`${span}${compared}`} />
        <Sum value={formatNumber(total.sessions)} name={words.sessionsOf(total.sessions)} />
        <Sum value={formatNumber(total.requests)} name={words.requestsOf(total.requests)} />
        {share !== undefined && <Sum value={formatExactShare(share)} name={words.fromCache} />}
        {total.losses !== undefined && (
          <>
            <Sum value={lostText(total.losses, measure)} name={words.lost(total.losses.cache.requests)} />
            <Sum value={wasteText(total.losses, measure)} name={words.waste} />
          </>
        )}
      </dl>
      {notes !== '' && <p className="prose small">{notes}</p>}
    </>
  );
}

export function Sum({ value, name }: { readonly value: string; readonly name: string }) {
  return (
    <div className="sums__sum">
      <dt className="fine muted">{name}</dt>
      <dd className="sums__value strong">{value}</dd>
    </div>
  );
}

const tokenKinds = ['cacheRead', 'cacheWrite', 'output', 'lost', 'input'] as const;

function Whither({ period, measure }: { readonly period: UsagePeriod; readonly measure: Measure }) {
  const values = period.parts[measure];
  const kinds = values.tools > 0 ? ([...tokenKinds, 'tools'] as const) : tokenKinds;
  const whole = kinds.reduce((sum, kind) => sum + values[kind], 0);
  return (
    <section className="stack">
      <h2 className="small strong">{measure === 'money' ? words.where : words.whereTokens}</h2>
      <div className="whither" aria-hidden="true">
        {kinds.map(kind => (
          <span
            key={kind}
            className={`whither__part kind--${kind}`}
            style={{ flexGrow: growth(values[kind], whole) }}
          />
        ))}
      </div>
      <dl className="whither__legend row wraps small tabular">
        {kinds.map(kind => (
          <div key={kind} className="whither__entry row unbroken">
            <dt>
              <span className={`whither__sample kind--${kind}`} />
              {words.parts[kind]}
            </dt>
            <dd className="strong">{formatMeasure(values[kind], measure)}</dd>
          </div>
        ))}
      </dl>
    </section>
  );
}

interface GroupsProps extends Pick<ReturnType<typeof partsOf>, 'sorted' | 'nameOf'> {
  readonly period: UsagePeriod;
  readonly stack: keyof typeof stackWords;
  readonly measure: Measure;
}

/** Number of rows shown at first. */
const firstRows = 8;

function Groups({ sorted, nameOf, period: { total }, stack, measure }: GroupsProps) {
  const [isWhole, setWhole] = useState(false);
  const whole = measured(total, measure);
  const shown = isWhole ? sorted : sorted.slice(0, firstRows);
  const figures = (sum: typeof total) => {
    const cached = cacheShare(sum);
    return [
      formatNumber(sum.sessions),
      cached === undefined ? '–' : formatExactShare(cached),
      lostText(sum.losses, measure),
      <Secrets key="secrets" losses={sum.losses} />,
    ];
  };
  return (
    <section className="groups stack">
      <FigureTable
        label={stackWords[stack]}
        heads={[
          stackWords[stack],
          words.byDay,
          words.sessions,
          words.cacheShare,
          words.lostColumn,
          words.secrets,
          words[measure],
          words.share,
        ]}
        rows={[
          ...shown.flatMap((group, index) => {
            const id = index < mostColours ? String(index) : 'others';
            const value = measured(group, measure);
            const worktrees = (group.worktrees ?? []).map(worktree => ({
              key: `${group.key} ${worktree.key} ${String(group.subagents)}`,
              cells: [
                <span
                  key="name"
                  className="groups__worktree ellipsis muted"
                  title={visibleText(worktree.key)}
                >
                  {visibleText(worktreeName(worktree.key, group.key))}
                </span>,
                '',
                ...figures(worktree),
                worthOf(worktree, measure),
                '',
              ],
            }));
            const row = {
              key: `${group.key} ${String(group.subagents)}`,
              cells: [
                <span key="name" className="row gap-0">
                  <span className={`groups__sample step step--${id}`} />
                  <span className="ellipsis" title={visibleText(group.key)}>
                    {visibleText(nameOf(group))}
                  </span>
                </span>,
                <Spark key="days" values={daysOf(group, measure)} />,
                ...figures(group),
                <span key="value" className="strong">
                  {worthOf(group, measure)}
                </span>,
                <span key="share" className="groups__share row">
                  <span className="groups__track" aria-hidden="true">
                    <span
                      className={`groups__done step step--${id}`}
                      style={{ width: `${whole === 0 ? 0 : (value / whole) * 100}%` }}
                    />
                  </span>
                  <span className="groups__percent">{formatShare(whole === 0 ? 0 : value / whole)}</span>
                </span>,
              ],
            };
            return [row, ...worktrees];
          }),
          {
            key: 'sum',
            role: 'sum' as const,
            cells: [words.sum, '', ...figures(total), worthOf(total, measure), ''],
          },
        ]}
      />
      {sorted.length > shown.length && (
        <Link onPress={() => setWhole(true)}>{words.showAll(sorted.length)}</Link>
      )}
    </section>
  );
}

/** Number of columns in a small chart. */
const sparkColumns = 7;

function Spark({ values }: { readonly values: readonly number[] }) {
  const width = Math.max(1, Math.ceil(values.length / sparkColumns));
  const columns = Array.from({ length: Math.ceil(values.length / width) }, (_, column) =>
    values.slice(column * width, (column + 1) * width).reduce((sum, value) => sum + value, 0),
  );
  const highest = Math.max(...columns, Number.MIN_VALUE);
  return (
    <span className="spark" aria-hidden="true">
      {columns.map((value, column) => (
        <span key={column} className="spark__bar" style={{ height: `${(value / highest) * 100}%` }} />
      ))}
    </span>
  );
}

interface DaySessionsProps {
  readonly usage: Usage;
  readonly day: string;
  readonly measure: Measure;
  readonly revision: number;
}

/** The sessions of a day, each with a link that opens it. */
function DaySessions({ usage, day, measure, revision }: DaySessionsProps) {
  const stack = useSelected(usage.store, state => state.view.stack);
  const {
    answer,
    last: found,
    isPending,
  } = useAnswerOf(usage.ask, { name: 'bar', params: { day, stack } }, { since: revision, pause: 0 });
  const [isWhole, setWhole] = useState(false);
  if (found === undefined) {
    return (
      <p className="prose" aria-busy={isPending}>
        {answer.kind === 'failed' ? visibleText(answer.sentence) : words.loading}
      </p>
    );
  }
  const sessions = [...found.sessions].sort(
    (first, second) => measured(second, measure) - measured(first, measure),
  );
  const shown = isWhole ? sessions : sessions.slice(0, firstRows);
  const folders = folderNames(sessions.map(({ project }) => project));
  const name = dayName(day);
  return (
    <section className="stack gap-4" aria-busy={isPending}>
      <h2 className="small strong" aria-live="polite">
        {sessions.length === 0 ? words.nothingOn(name) : words.daySessions(name, sessions.length)}
      </h2>
      <ul className="day-sessions">
        {shown.map(session => (
          <DaySession
            key={`${session.agent} ${session.key}`}
            usage={usage}
            session={session}
            project={folders.get(session.project) ?? session.project}
            measure={measure}
          />
        ))}
      </ul>
      {sessions.length > shown.length && (
        <Link onPress={() => setWhole(true)}>{words.showAll(sessions.length)}</Link>
      )}
    </section>
  );
}
