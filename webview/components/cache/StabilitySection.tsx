import { formatMoney, formatNumber } from '../../../src/core/base/format';
import { visibleText } from '../../../src/core/base/visibleText';
import type { StabilityAnswer } from '../../../src/core/questions/answers';
import type { BreakpointPlan } from '../../../src/core/stability/breakpointPlan';
import { planners } from '../../../src/core/stability/planWords';
import type { StabilityReport } from '../../../src/core/stability/stabilityReport';
import { Link } from '../../controls/Link';
import { Choices } from '../../controls/Choices';
import { goToRequest } from '../../state/cacheReport';
import { requestView } from '../../state/derived';
import { useInspector, useViewState } from '../../state/inspector';
import type { RequestInView } from '../../state/requestParts';
import { useAnswer } from '../../state/useAnswer';
import { pageWords } from '../../words/page';
import { stabilityWords as words } from '../../words/stability';
import { Failure } from '../common/Answered';
import { Fact, Facts } from '../common/Facts';
import { FigureTable } from '../common/FigureTable';
import { Fold } from '../common/Fold';
import { LayoutAdvice } from './LayoutAdvice';
import { Quality } from '../common/Quality';
import { ShareBar } from '../common/ShareBar';

/**
 * The stability of the context, the breakpoints that would pay off, and the part that another order of the blocks would
 * keep cached.
 */
export function StabilitySection({ columns, view }: RequestInView) {
  const inspector = useInspector();
  const planner = useViewState('planner');
  const { answer } = useAnswer(
    { name: 'stability', params: { request: view.request, planner } },
    { since: columns },
  );
  if (answer.kind === 'failed') {
    return <Failure {...answer} />;
  }
  const known = answer.kind === 'known' ? answer.value : undefined;
  const goTo = (block: number): void => goToRequest(inspector, columns, view.request, block);
  const goToPlace = (position: number): void => {
    const block = requestView(columns, view.request).blocks[position];
    if (block !== undefined) {
      goTo(block);
    }
  };
  const planHead = (plan: BreakpointPlan): string =>
    plan.ok ? words.planHead(plan.breakpoints.length) : words.noPlanHead;
  const stableHead = ({ stablePrefixBlocks, stablePrefixTokens }: StabilityReport): string =>
    words.stableHead(stablePrefixBlocks, stablePrefixTokens);
  // Sections stay open while the next answer is awaited.
  return (
    <div className="folds" data-testid="stability" aria-busy={known === undefined}>
      <Fold title={words.breakpoints} head={known && planHead(known.report.plan)}>
        <div className="stack gap-10" data-testid="planner">
          <Choices
            isRow
            name={words.planner}
            value={planner}
            options={planners.map(value => ({
              value,
              label: words.planners[value],
              hint: words.plannerHints[value],
            }))}
            onChange={value => inspector.changeView({ planner: value })}
          />
          <p className="muted">{words.plannerTexts[planner]}</p>
        </div>
        {known && <Breakpoints report={known.report} onGo={goToPlace} />}
      </Fold>
      <Fold title={words.stability} head={known && stableHead(known.report)}>
        {known && <Spans answer={known} />}
      </Fold>
      <Fold title={words.layout} head={known && words.layoutHead(known.layout.early.length)}>
        {known && <LayoutAdvice columns={columns} view={view} layout={known.layout} onGo={goTo} />}
      </Fold>
    </div>
  );
}

function Spans({ answer: { planner, report, fingerprint } }: { readonly answer: StabilityAnswer }) {
  const { observed, spans, stablePrefixBlocks, stablePrefixTokens, notRecordedTokens } = report;
  const classes = (['stable', 'semi_stable', 'variable'] as const).map(id => ({
    id,
    name: words.classes[id],
    value: spans.filter(span => span.class === id).length,
  }));
  return (
    <>
      <Facts>
        <Fact name={words.observed}>{words.observedTexts[planner](observed.length)}</Fact>
        <Fact name={words.prefix}>
          {words.prefixText(stablePrefixBlocks, stablePrefixTokens)}
          {stablePrefixBlocks > 0 && (
            <>
              {notRecordedTokens > 0 && (
                <span className="muted"> · {words.withNotRecorded(notRecordedTokens)}</span>
              )}{' '}
              <Quality quality={planner === 'own' ? 'calibrated' : 'estimated'} />
            </>
          )}
        </Fact>
        {fingerprint !== undefined && (
          <Fact name={words.fingerprint}>
            <code className="code">{visibleText(fingerprint)}</code>
          </Fact>
        )}
      </Facts>
      <section className="fold__part stack" aria-label={words.spans}>
        <ShareBar parts={classes} />
      </section>
    </>
  );
}

function Breakpoints({
  report,
  onGo,
}: {
  readonly report: StabilityReport;
  readonly onGo: (position: number) => void;
}) {
  const { plan, usedBreakpoints } = report;
  const link = (position: number) => (
    <Link key={position} onPress={() => onGo(position)}>
      {formatNumber(position + 1)}
    </Link>
  );
  return (
    <>
      {plan.ok ? (
        <>
          <FigureTable
            label={words.plan}
            heads={[words.after, words.holds, words.reads, words.worth]}
            rows={plan.breakpoints.map(({ position, prefixTokens, expectedReads, worth }) => ({
              key: position,
              cells: [link(position), ...[prefixTokens, expectedReads, worth].map(formatNumber)],
            }))}
          />
          <p className="muted">{words.worthHint}</p>
        </>
      ) : (
        <p className="prose">{words.noPlan[plan.reason]}</p>
      )}
      {(plan.ok || usedBreakpoints !== undefined) && (
        <Facts>
          <Fact name={words.used}>
            {usedBreakpoints === undefined ? (
              pageWords.notRecorded
            ) : usedBreakpoints.length === 0 ? (
              pageWords.none
            ) : (
              <span className="links">{usedBreakpoints.map(link)}</span>
            )}
          </Fact>
        </Facts>
      )}
      <Comparison report={report} />
    </>
  );
}

/** The tokens read and paid for with each choice of breakpoints. */
function Comparison({ report: { comparison } }: { readonly report: StabilityReport }) {
  if (comparison === undefined) {
    return null;
  }
  const { tokensSaved, dollarsSaved } = comparison;
  const rows = (['asSent', 'planned', 'plannedAndLast'] as const).map(name => ({
    name,
    ...(name === 'asSent' ? comparison.used : comparison[name]),
  }));
  const hasMoney = rows.some(({ dollars }) => dollars !== undefined);
  const isBetter = dollarsSaved === undefined ? tokensSaved > 0 : dollarsSaved > 0;
  const money = dollarsSaved === undefined ? undefined : formatMoney(dollarsSaved);
  return (
    <>
      <FigureTable
        label={words.comparison}
        heads={[
          words.comparison,
          words.read,
          words.written,
          words.fresh,
          ...(hasMoney ? [pageWords.cost] : []),
        ]}
        rows={rows.map(({ name, cacheRead, cacheWrite, fresh, dollars }) => ({
          key: name,
          cells: [
            words[name],
            ...[cacheRead, cacheWrite, fresh].map(formatNumber),
            ...(hasMoney ? [dollars === undefined ? '' : formatMoney(dollars)] : []),
          ],
        }))}
      />
      <p className="prose">
        {!isBetter
          ? words.notSaved
          : tokensSaved > 0
            ? words.saved(tokensSaved, money)
            : words.savedMoney(money ?? '')}
      </p>
    </>
  );
}
