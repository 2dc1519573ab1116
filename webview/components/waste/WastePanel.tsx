import { useMemo, useState } from 'react';
import { formatShare } from '../../../src/core/base/format';
import { visibleText } from '../../../src/core/base/visibleText';
import type { Session, SessionColumns } from '../../../src/core/model/columns';
import { type WasteKind, wasteKinds } from '../../../src/core/waste/wasteKinds';
import { type WasteFinding, type WasteReport, withoutKinds } from '../../../src/core/waste/wasteReport';
import { wasteKindWords } from '../../../src/core/waste/wasteKindWords';
import { WasteWords, savingText, wasteHeadline } from '../../../src/core/waste/wasteWords';
import { Checkbox } from '../../controls/Checkbox';
import { Link } from '../../controls/Link';
import { Menu } from '../../controls/Menu';
import { controlIcons } from '../../controls/icons';
import { type AnswerState, settle } from '../../state/answerState';
import { goToRequest } from '../../state/cacheReport';
import { useAppState, useInspector, useViewState } from '../../state/inspector';
import type { RequestParts } from '../../state/requestParts';
import { useAnswer } from '../../state/useAnswer';
import { wasteWords as words } from '../../words/waste';
import { Answered, Failure } from '../common/Answered';
import { Icon } from '../common/Icon';
import { ShowMore, useShown } from '../common/ShowMore';
import { SightList } from './SightList';
import { iconOfWaste } from './wasteIcons';

/** The avoidable context of the session, its cost and fixes, the most expensive first. */
export function WastePanel({ columns, summary }: RequestParts) {
  const isFinal = useAppState(({ page }) => page.kind === 'session' && page.session.pending === undefined);
  const session = useMemo(() => ({ columns, summary }), [columns, summary]);
  const { answer } = useAnswer(
    // Figures change constantly while texts are counted.
    isFinal ? { name: 'waste', params: {} } : undefined,
    { since: columns, pause: 0 },
  );
  return (
    <div className="panel stack gap-10" data-testid="waste-panel">
      <Answered answer={answer} waiting={words.loading}>
        {report => <Findings report={report} session={session} />}
      </Answered>
      <SightList columns={columns} />
    </div>
  );
}

function Findings({ report, session }: { readonly report: WasteReport; readonly session: Session }) {
  const hidden = useAppState(state => state.hiddenWaste);
  const shownReport = useMemo(() => withoutKinds(report, hidden), [report, hidden]);
  const named = useMemo(() => new WasteWords(session), [session]);
  const { shown, left, showMore } = useShown(shownReport.findings);
  return (
    <>
      {/* The tab has the same name, and the first finding with its fix needs the space. */}
      <h2 className="visually-hidden">{words.title}</h2>
      <div className="waste__head row apart">
        {shownReport.findings.length === 0 ? (
          <p className="muted">{words.nothing}</p>
        ) : (
          <p data-testid="waste-headline">
            <strong>{wasteHeadline(shownReport)}</strong> <span className="muted">{words.breaksApart}</span>
          </p>
        )}
        <Kinds report={report} hidden={hidden} />
      </div>
      {shownReport.findings.length > 0 && (
        <>
          <ul className="waste__list">
            {shown.map(finding => (
              <Finding
                key={`${finding.kind} ${finding.detail} ${finding.blocks[0]?.block ?? 0}`}
                finding={finding}
                named={named}
                columns={session.columns}
              />
            ))}
          </ul>
          <ShowMore left={left} onPress={showMore} />
        </>
      )}
      <Foot hidden={hidden} isEmpty={shownReport.findings.length === 0} />
    </>
  );
}

/** Chooses the shown kinds of waste among those that were found and those that are hidden. */
function Kinds({ report, hidden }: { readonly report: WasteReport; readonly hidden: readonly WasteKind[] }) {
  const { act } = useInspector();
  const found = new Set(report.findings.map(({ kind }) => kind));
  const offered = wasteKinds.filter(kind => found.has(kind) || hidden.includes(kind));
  return (
    <span className="row gap-6">
      {hidden.length > 0 && <span className="small muted">{words.hiddenKinds(hidden.length)}</span>}
      {offered.length > 0 && (
        <Menu isBare name={words.kinds} label={<Icon icon={controlIcons.filter} size={16} />}>
          {() => (
            <div className="stack gap-6">
              {offered.map(kind => (
                <Checkbox
                  key={kind}
                  label={wasteKindWords[kind]}
                  checked={!hidden.includes(kind)}
                  onChange={isShown =>
                    act({
                      kind: 'hideWaste',
                      kinds: isShown ? hidden.filter(other => other !== kind) : [...hidden, kind],
                    })
                  }
                />
              ))}
            </div>
          )}
        </Menu>
      )}
    </span>
  );
}

function Finding({
  finding,
  named,
  columns,
}: {
  readonly finding: WasteFinding;
  readonly named: WasteWords;
  readonly columns: SessionColumns;
}) {
  const inspector = useInspector();
  const lit = useViewState('filter').blocks;
  const { title, evidence, advice } = named.of(finding);
  const numbers = finding.blocks.map(({ block }) => block);
  const isLit = lit?.length === numbers.length && lit[0] === numbers[0];
  const choose = (): void => {
    const [first] = finding.blocks;
    if (isLit || first === undefined) {
      inspector.changeView({ filter: {} });
      return;
    }
    goToRequest(inspector, columns, first.since);
    inspector.changeView({ block: first.block, filter: { blocks: numbers } });
  };
  return (
    <li className="waste__finding stack gap-4 ruled" data-testid={`waste-${finding.kind}`}>
      <button
        type="button"
        className="waste__choice choice list-line bare"
        aria-pressed={isLit}
        title={words.show(visibleText(title))}
        onClick={choose}
      >
        <Icon icon={iconOfWaste(finding.kind, finding.detail)} />
        <span className="strong breaks">{visibleText(title)}</span>
        <span className="strong breaks tabular">{savingText(finding)}</span>
        <span className="waste__evidence small breaks muted tabular">
          {visibleText(evidence)}
          {finding.error > 0 && ` · ${words.error(formatShare(finding.error))}`}
        </span>
      </button>
      <div className="waste__advice row baseline">
        <span className="remedy-arrow" aria-hidden="true">
          →
        </span>
        <p className="waste__remedy row wraps baseline grows">
          <span>{visibleText(advice.text)}</span>
          {advice.code !== '' && <Code code={advice.code} />}
        </p>
      </div>
    </li>
  );
}

/** A command or note. A press copies it. */
function Code({ code }: { readonly code: string }) {
  const [outcome, setOutcome] = useState<AnswerState<void>>();
  const copy = (): void => settle(navigator.clipboard.writeText(code), copy, setOutcome);
  return (
    <>
      <button
        type="button"
        className="waste__code bare framed"
        title={words.copyCode(visibleText(code))}
        onClick={copy}
      >
        <code>{visibleText(code)}</code>
      </button>
      <Outcome outcome={outcome} />
    </>
  );
}

function Outcome({ outcome }: { readonly outcome: AnswerState<void> | undefined }) {
  return outcome?.kind === 'failed' ? (
    <Failure {...outcome} />
  ) : (
    <span className="small muted" role="status">
      {outcome?.kind === 'known' && words.copied}
    </span>
  );
}

function Foot({ hidden, isEmpty }: { readonly hidden: readonly WasteKind[]; readonly isEmpty: boolean }) {
  const { ask } = useInspector();
  const [outcome, setOutcome] = useState<AnswerState<void>>();
  const copy = (): void => {
    const copied = ask({ name: 'wasteText', params: { hidden: [...hidden] } }).then(({ text }) =>
      navigator.clipboard.writeText(text),
    );
    settle(copied, copy, setOutcome);
  };
  return (
    <div className="waste__foot row wraps apart small">
      <span className="muted">{words.note}</span>
      <span>
        <Outcome outcome={outcome} /> {!isEmpty && <Link onPress={copy}>{words.copyMarkdown}</Link>}
      </span>
    </div>
  );
}
