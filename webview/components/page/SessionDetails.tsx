import { useEffect, useRef, useState } from 'react';
import { tokens } from '../../../src/core/base/countWords';
import { formatNumber } from '../../../src/core/base/format';
import { visibleLabel } from '../../../src/core/base/visibleText';
import { problemName } from '../../../src/core/model/problemWords';
import { Button } from '../../controls/Button';
import { type SessionInView, useInspector } from '../../state/inspector';
import { openSubagent } from '../../state/threads';
import { headerWords as words } from '../../words/header';
import { columnWords } from '../../words/views';
import { CompactionList } from '../compaction/CompactionList';
import { SecretList } from './SecretList';

/** A section with problems, left-out records, secrets, compactions and subagents. */
export function SessionDetails({ session }: { readonly session: SessionInView }) {
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
        className="details__button bare row gap-6 pressable"
        aria-label={words.detailsOf(words.problemCount(problemCount), words.leftOutCount(leftOutCount))}
        title={words.detailsOf(words.problemCount(problemCount), words.leftOutCount(leftOutCount))}
        aria-expanded={isOpen}
        aria-controls="session-details"
        onClick={() => setOpen(!isOpen)}
      >
        {problemCount > 0 && (
          <span className="warning tabular" aria-hidden="true">
            {formatNumber(problemCount)}
          </span>
        )}
        <span aria-hidden="true">⋯</span>
      </button>
      <section
        id="session-details"
        className="details__panel popup"
        aria-label={words.details}
        hidden={!isOpen}
      >
        {isOpen && <SecretList session={session} onChoose={() => setOpen(false)} />}
        <RecordList
          title={words.problems}
          rows={problems.map(problem => ({ ...problem, name: problemName(problem) }))}
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
            <ul>
              {subagents.map(subagent => {
                const { id, description, totalTokens } = subagent;
                return (
                  <li key={id} className="details__entry row gap-12">
                    <span className="grows breaks">{visibleLabel(description ?? id)}</span>
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
        <table className="figures figures--texts small">
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
