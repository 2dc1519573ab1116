import type { StabilityAnswer } from '../../src/core/questions/answers';
import type { BreakpointPlan } from '../../src/core/stability/breakpointPlan';
import type { StabilityReport } from '../../src/core/stability/stabilityReport';
import { formatMoney } from '../../src/core/tokens/formatMoney';
import { Link } from '../controls/Link';
import { formatNumber, visibleText } from '../format';
import { goToRequest } from '../state/cacheReport';
import { requestView } from '../state/derived';
import { useInspector } from '../state/inspector';
import { useAnswer } from '../state/useAnswer';
import { stabilityStrings as words } from '../stabilityStrings';
import { Failure } from './Answered';
import { Fact, Facts } from './Facts';
import { LayoutAdvice } from './LayoutAdvice';
import { Quality } from './Quality';
import type { RequestParts } from './SessionBody';
import { ShareBar } from './ShareBar';
import { Fold } from './Fold';

/** How stable the context is, which breakpoints would pay, and what another order of the blocks would keep cached. */
export function StabilitySection({ columns, view }: Pick<RequestParts, 'columns' | 'view'>) {
  const inspector = useInspector();
  const { answer } = useAnswer({ name: 'stability', params: { request: view.request } }, { since: columns });
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
  // What was opened stays open while the next answer is waited for.
  return (
    <div className="folds" data-testid="stability" aria-busy={known === undefined}>
      <Fold title={words.stability} head={known && stableHead(known.report)}>
        {known && <Spans answer={known} />}
      </Fold>
      <Fold title={words.breakpoints} head={known && planHead(known.report.plan)}>
        {known && <Breakpoints report={known.report} onGo={goToPlace} />}
      </Fold>
      <Fold title={words.layout} head={known && words.layoutHead(known.layout.early.length)}>
        {known && <LayoutAdvice columns={columns} view={view} layout={known.layout} onGo={goTo} />}
      </Fold>
    </div>
  );
}

function Spans({ answer: { report, fingerprint } }: { readonly answer: StabilityAnswer }) {
  const { observed, spans, stablePrefixBlocks, stablePrefixTokens, notRecordedTokens } = report;
  const classes = (['stable', 'semi_stable', 'variable'] as const).map(id => ({
    id,
    name: words.classes[id],
    value: spans.filter(span => span.class === id).length,
  }));
  return (
    <>
      <Facts>
        <Fact name={words.observed}>{words.observedText(observed.length)}</Fact>
        <Fact name={words.prefix}>
          {words.prefixText(stablePrefixBlocks, stablePrefixTokens)}
          {stablePrefixBlocks > 0 && (
            <>
              {notRecordedTokens > 0 && (
                <span className="muted">{words.withNotRecorded(notRecordedTokens)}</span>
              )}{' '}
              <Quality quality="calibrated" />
            </>
          )}
        </Fact>
        {fingerprint !== undefined && (
          <Fact name={words.fingerprint}>
            <code className="code">{visibleText(fingerprint)}</code>
          </Fact>
        )}
      </Facts>
      <section className="fold__part" aria-label={words.spans}>
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
          <table className="figures" aria-label={words.plan}>
            <thead>
              <tr>
                <th scope="col">{words.after}</th>
                <th scope="col">{words.holds}</th>
                <th scope="col">{words.reads}</th>
                <th scope="col">{words.worth}</th>
              </tr>
            </thead>
            <tbody>
              {plan.breakpoints.map(({ position, prefixTokens, expectedReads, worth }) => (
                <tr key={position}>
                  <th scope="row">{link(position)}</th>
                  <td>{formatNumber(prefixTokens)}</td>
                  <td>{formatNumber(expectedReads)}</td>
                  <td>{formatNumber(worth)}</td>
                </tr>
              ))}
            </tbody>
          </table>
          <p className="muted">{words.worthHint}</p>
        </>
      ) : (
        <p className="prose">{words.noPlan[plan.reason]}</p>
      )}
      {(plan.ok || usedBreakpoints !== undefined) && (
        <Facts>
          <Fact name={words.used}>
            {usedBreakpoints === undefined ? (
              words.usedUnknown
            ) : usedBreakpoints.length === 0 ? (
              words.usedNone
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

/** What the requests would have read and paid with each choice of breakpoints. */
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
      <table className="figures" aria-label={words.comparison}>
        <thead>
          <tr>
            <th scope="col">{words.comparison}</th>
            <th scope="col">{words.read}</th>
            <th scope="col">{words.written}</th>
            <th scope="col">{words.fresh}</th>
            {hasMoney && <th scope="col">{words.cost}</th>}
          </tr>
        </thead>
        <tbody>
          {rows.map(({ name, cacheRead, cacheWrite, fresh, dollars }) => (
            <tr key={name}>
              <th scope="row">{words[name]}</th>
              <td>{formatNumber(cacheRead)}</td>
              <td>{formatNumber(cacheWrite)}</td>
              <td>{formatNumber(fresh)}</td>
              {hasMoney && <td>{dollars === undefined ? '' : formatMoney(dollars)}</td>}
            </tr>
          ))}
        </tbody>
      </table>
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
