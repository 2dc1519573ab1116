import { useEffect, useRef, useState } from 'react';
import { requests as requestCount, tokens } from '../../src/core/base/countWords';
import { formatExactShare, formatMoney, formatNumber, formatShare } from '../../src/core/base/format';
import { visibleLabel } from '../../src/core/base/visibleText';
import { partitionWords } from '../../src/core/drawing/drawingWords';
import { partitionNames } from '../../src/core/model/labels';
import { problemWords } from '../../src/core/model/problemWords';
import { figureText } from '../../src/core/tokens/qualityWords';
import { doubtfulOutput } from '../../src/core/view/requestOutput';
import type { RequestView } from '../../src/core/view/requestView';
import { Button } from '../controls/Button';
import { usePalette } from '../drawing/theme';
import { cacheShareOf, costOf, requestsByThread, requestView } from '../state/derived';
import { type RequestOfSession, type SessionInView, useAppState, useInspector } from '../state/inspector';
import { openSubagent } from '../state/threads';
import { headerWords as words } from '../words/header';
import { pageWords } from '../words/page';
import { columnWords } from '../words/views';
import { CompactionList } from './CompactionList';
import { Quality } from './Quality';

/** The session, how full the context window is, cache hits, cost, and the problems of the file. */
export function Header({
  session,
  request,
}: {
  readonly session: SessionInView;
  readonly request: number | undefined;
}) {
  const { summary, columns, fileName } = session;
  const parent = useAppState(state => state.parent);
  const { act } = useInspector();
  const several = summary.conversations.length > 1;
  const requests = several ? columns.requests.thread.length : (requestsByThread(columns).get(0)?.length ?? 0);
  const facts = [
    visibleLabel([summary.agent.name, summary.agent.versions.at(-1) ?? ''].join(' ').trim()),
    visibleLabel(summary.model),
    ...(several ? [words.conversations(summary.conversations.length)] : []),
    requestCount(requests),
    words.compactions(summary.compactions.filter(({ kind }) => kind === 'compaction').length),
    words.subagentCount(summary.subagents.length),
  ].filter(fact => fact !== '');
  const view = request === undefined ? undefined : requestView(columns, request);
  return (
    <header className="header">
      <div className="header__identity">
        <h1 className="title ellipsis" title={fileName}>
          {visibleLabel(summary.title) || fileName || pageWords.untitled}
        </h1>
        <p className="header__facts muted ellipsis" title={facts.join(' · ')}>
          {facts.join(' · ')}
        </p>
        {parent !== undefined && (
          <Button
            name={words.openParentHint(visibleLabel(parent))}
            onPress={() => act({ kind: 'openParent' })}
          >
            {words.openParent}
          </Button>
        )}
      </div>
      {view !== undefined && <WindowGauge view={view} />}
      {view !== undefined && <CacheShare session={session} view={view} />}
      {request !== undefined && <Cost session={session} request={request} />}
      <Details session={session} />
    </header>
  );
}

function WindowGauge({ view }: { readonly view: RequestView }) {
  const palette = usePalette(useInspector().theme);
  const whole = Math.max(view.window ?? 0, view.total.value, 1);
  const unknown = view.notRecorded.value;
  const parts = partitionNames.map((name, index) => ({
    name,
    tokens: view.partitions[name] - (name === 'system' ? unknown : 0),
    colour: palette.partitions[index],
  }));
  const description = [
    figureText(view.total),
    ...parts.map(({ name, tokens }) => `${partitionWords[name]} ${formatNumber(tokens)}`),
    `${pageWords.notRecorded} ${formatNumber(unknown)}`,
  ].join(', ');
  return (
    <div className="gauge">
      <p className="gauge__figures tabular">
        <span className="gauge__name muted fine">{words.window}</span>
        <strong className="gauge__total" data-testid="total">
          {formatNumber(view.total.value)}
        </strong>
        {view.window !== undefined && (
          <span className="muted">
            / {formatNumber(view.window)} · {formatShare(view.total.value / view.window)}
          </span>
        )}
        <Quality {...view.total} />
      </p>
      <div className="gauge__bar" role="img" aria-label={description}>
        {unknown > 0 && <span className="gauge__unknown" style={{ width: `${(unknown / whole) * 100}%` }} />}
        {parts.map(({ name, tokens, colour }) => (
          <span
            key={name}
            className="gauge__part"
            style={{ width: `${(tokens / whole) * 100}%`, background: colour }}
          />
        ))}
      </div>
    </div>
  );
}

function CacheShare({ session, view }: { readonly session: SessionInView; readonly view: RequestView }) {
  const { recorded, total } = view;
  const whole = cacheShareOf(session.columns).share;
  return (
    <div className="stat tabular">
      <span className="muted fine">{words.cache}</span>
      <span className="stat__value stat__value--ice">
        {recorded === undefined || total.value === 0
          ? pageWords.notRecorded
          : formatExactShare(recorded.tokens / total.value)}
      </span>
      {whole !== undefined && (
        <span className="stat__more muted fine">{words.cacheOfAll(formatExactShare(whole))}</span>
      )}
    </div>
  );
}

/** The cost of the whole session and of the selected request. */
function Cost({ session, request }: RequestOfSession) {
  const { total, byRequest } = costOf(session.columns, session.summary);
  if (total.requests + total.unpriced === 0) {
    return null;
  }
  const money = byRequest[request] ?? Number.NaN;
  const isLeast = total.unpriced > 0 || total.doubtful > 0;
  const isEstimated = total.estimated > 0;
  const requestIsEstimated = doubtfulOutput(session.columns, request)?.estimate !== undefined;
  const about = (amount: string, estimated: boolean): string =>
    estimated ? words.costAbout(amount) : amount;
  const sum = about(formatMoney(total.total), isEstimated);
  const notes = [
    ...(total.unpriced > 0 ? [words.costWithout(total.unpriced)] : []),
    ...(isEstimated ? [words.costEstimated(total.estimated)] : []),
    ...(total.doubtful > 0 ? [words.costTooLow] : []),
  ].join(' ');
  return (
    <div className="stat tabular" title={notes} data-testid="cost">
      <span className="muted fine">{words.cost}</span>
      <span className="stat__value">
        {total.requests === 0 ? pageWords.priceUnknown : isLeast ? words.costAtLeast(sum) : sum}
        {isEstimated && (
          <>
            {' '}
            <Quality quality="estimated" />
          </>
        )}
      </span>
      {isEstimated && (
        <span className="stat__more muted fine">{words.costRecorded(formatMoney(total.recordedTotal))}</span>
      )}
      {total.requests > 0 && (
        <span className="stat__more muted fine">
          {words.costOfRequest(
            Number.isNaN(money) ? pageWords.unknown : about(formatMoney(money), requestIsEstimated),
          )}
        </span>
      )}
      {notes !== '' && <span className="visually-hidden">{notes}</span>}
    </div>
  );
}

/** A disclosure with problems, records that were left out, compactions and subagents. */
function Details({ session }: { readonly session: SessionInView }) {
  const { problems, leftOut, subagents } = session.summary;
  const inspector = useInspector();
  const [isOpen, setOpen] = useState(false);
  const area = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (!isOpen) {
      return undefined;
    }
    const onKey = (event: KeyboardEvent): void => {
      if (event.key === 'Escape') {
        setOpen(false);
        area.current?.querySelector('button')?.focus();
      }
    };
    const onPointer = ({ target }: PointerEvent): void => {
      if (target instanceof Node && area.current?.contains(target) === false) {
        setOpen(false);
      }
    };
    document.addEventListener('keydown', onKey);
    document.addEventListener('pointerdown', onPointer);
    return () => {
      document.removeEventListener('keydown', onKey);
      document.removeEventListener('pointerdown', onPointer);
    };
  }, [isOpen]);
  const problemCount = problems.reduce((sum, { count }) => sum + count, 0);
  const leftOutCount = leftOut.reduce((sum, { count }) => sum + count, 0);
  return (
    <div className="details" ref={area}>
      <button
        type="button"
        className="details__button bare"
        aria-expanded={isOpen}
        aria-controls="session-details"
        onClick={() => setOpen(!isOpen)}
      >
        <span className={problemCount > 0 ? 'warning' : undefined}>{words.problemCount(problemCount)}</span>
        <span className="details__rest muted fine">{words.leftOutCount(leftOutCount)}</span>
        <span className="details__arrow" aria-hidden="true" />
      </button>
      <section
        id="session-details"
        className="details__panel popup"
        aria-label={words.details}
        hidden={!isOpen}
      >
        <RecordList
          title={words.problems}
          rows={problems.map(({ kind, line, count }) => ({ name: problemWords[kind], line, count }))}
          empty={words.problemCount(0)}
        />
        {leftOut.length > 0 && (
          <RecordList
            title={words.leftOut}
            rows={leftOut.map(({ reason, line, count }) => ({ name: visibleLabel(reason), line, count }))}
            empty=""
          />
        )}
        <CompactionList session={session} onChoose={() => setOpen(false)} />
        {subagents.length > 0 && (
          <>
            <h2 className="panel-title">{words.subagents}</h2>
            <ul className="details__list">
              {subagents.map(subagent => {
                const { id, description, totalTokens } = subagent;
                return (
                  <li key={id} className="details__entry">
                    <span className="details__entry-name">{visibleLabel(description ?? id)}</span>
                    {totalTokens !== undefined && <span className="muted">{tokens(totalTokens)}</span>}
                    <Button
                      name={words.openSubagentOf(visibleLabel(description ?? id))}
                      onPress={() => openSubagent(inspector, session.columns, subagent)}
                    >
                      {words.openSubagent}
                    </Button>
                  </li>
                );
              })}
            </ul>
          </>
        )}
      </section>
    </div>
  );
}

function RecordList({
  title,
  rows,
  empty,
}: {
  readonly title: string;
  readonly rows: readonly { readonly name: string; readonly line: number; readonly count: number }[];
  readonly empty: string;
}) {
  return (
    <>
      <h2 className="panel-title">{title}</h2>
      {rows.length === 0 ? (
        <p className="muted">{empty}</p>
      ) : (
        <table className="record-list small">
          <thead>
            <tr>
              <th scope="col">{columnWords.kind}</th>
              <th scope="col" className="numeric">
                {columnWords.line}
              </th>
              <th scope="col" className="numeric">
                {words.count}
              </th>
            </tr>
          </thead>
          <tbody>
            {rows.map(({ name, line, count }) => (
              <tr key={`${name} ${line}`}>
                <td>{name}</td>
                <td className="numeric">{formatNumber(line)}</td>
                <td className="numeric">{formatNumber(count)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
    </>
  );
}
