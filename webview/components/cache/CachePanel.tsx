import { tokens as tokenCount } from '../../../src/core/base/countWords';
import { formatMoney, formatNumber } from '../../../src/core/base/format';
import type { CacheFinding, CacheReport, RequestBoundary } from '../../../src/core/cache/cacheFinding';
import { certaintyText, diagnosisText, possibleText } from '../../../src/core/cache/causeWords';
import { remedyOf } from '../../../src/core/cache/remedy';
import { Button } from '../../controls/Button';
import { findingOf, requestNumber } from '../../state/cacheReport';
import { openComparison } from '../../state/comparison';
import { useAppState, useInspector, useViewState } from '../../state/inspector';
import type { RequestParts } from '../../state/requestParts';
import { cacheWords as words } from '../../words/cache';
import { comparisonWords } from '../../words/comparison';
import { pageWords, panelWords, reasonWords } from '../../words/page';
import { RequestComparison } from '../comparison/RequestComparison';
import { Answered } from '../common/Answered';
import { BreakList, namesOf } from './BreakList';
import { Fact, Facts } from '../common/Facts';
import { Quality } from '../common/Quality';
import { ShareBar } from '../common/ShareBar';
import { StabilitySection } from './StabilitySection';

/**
 * The cache loss of the selected request, the losses of the session, the dearest first, and the frozen part of the
 * request.
 */
export function CachePanel({ columns, summary, view }: RequestParts) {
  const cache = useAppState(state => state.cache);
  const finding = findingOf(cache, view.request);
  const title = pageWords.request(requestNumber(columns, view.request));
  return (
    <div className="panel stack gap-12" data-testid="cache-panel">
      {finding === undefined && <h2 className="visually-hidden">{panelWords.cache}</h2>}
      <Answered answer={cache} waiting={words.loading}>
        {report => (
          <>
            {finding !== undefined && (
              <>
                {/* The loss and its remedy have the space. The timeline shows the request. */}
                <h2 className="visually-hidden">{title}</h2>
                <Break columns={columns} summary={summary} finding={finding} />
              </>
            )}
            <BreakList columns={columns} report={report} request={view.request} />
            {finding === undefined && (
              <>
                <h2 className="panel-title">{title}</h2>
                <p className="muted">{emptyText(report)}</p>
              </>
            )}
            <Boundaries boundary={report.boundaries[view.request]} />
            <Totals report={report} />
            <StabilitySection columns={columns} view={view} />
          </>
        )}
      </Answered>
    </div>
  );
}

function emptyText({ input, findings }: CacheReport): string {
  if (input.read + input.written === 0) {
    return words.nothingRecorded;
  }
  return findings.length === 0 ? words.nothing : words.noBreak;
}

/** The frozen part of the request. Figures that agree with what was read are left out. */
function Boundaries({ boundary }: { readonly boundary: RequestBoundary | undefined }) {
  if (boundary === undefined) {
    return null;
  }
  const { recorded, readable, predicted, declared, conservation, agreement, diagnosis } = boundary;
  const verdict = words.conservationWords[conservation];
  return (
    <Facts>
      <Fact name={words.recorded} term={words.terms.recorded}>
        {recorded === undefined ? (
          pageWords.noCacheReads
        ) : (
          <>
            {formatNumber(recorded)} <Quality quality="exact" />
          </>
        )}
      </Fact>
      {readable !== undefined && conservation !== 'kept' && (
        <Fact name={words.readable} term={words.terms.readable}>
          {words.readableText(readable)}
          {verdict !== '' && <span className="muted"> · {verdict}</span>}
        </Fact>
      )}
      {(recorded === undefined || agreement !== 'agrees') && (
        <Fact name={words.predicted} term={words.terms.predicted}>
          {formatNumber(predicted.tokens)} <Quality quality={predicted.quality} />
          <span className="muted"> · {reasonWords[predicted.reason]}</span>
        </Fact>
      )}
      {declared !== undefined && (
        <Fact name={words.declared} term={words.terms.declared}>
          {formatNumber(declared.tokens)}
          <span className="muted"> · {words.position(declared.position + 1)}</span>
        </Fact>
      )}
      {recorded !== undefined && agreement !== 'agrees' && (
        <Fact name={words.agreement}>{words.agreementWords[agreement]}</Fact>
      )}
      {diagnosis !== undefined && (
        <Fact name={words.diagnosis} term={words.terms.diagnosis}>
          {diagnosisText(diagnosis)}
        </Fact>
      )}
    </Facts>
  );
}

function Break({
  columns,
  summary,
  finding,
}: Pick<RequestParts, 'columns' | 'summary'> & { readonly finding: CacheFinding }) {
  const inspector = useInspector();
  const { request, previous, tokensLost, moneyLost, certainty } = finding;
  const isBeside = useViewState('mainView') === 'comparison';
  const remedy = remedyOf(finding);
  const possible = possibleText(finding);
  const isSure = certainty === 'recorded' || certainty === 'shown';
  return (
    <section className="break box stack" aria-label={words.broke} data-testid="cache-break">
      <h3>
        <span className="break__sign" aria-hidden="true" />
        {words.brokeHere(namesOf(finding))}
      </h3>
      <div className="row wraps gap-6">
        <p>
          <strong>{words.paidAgain(tokensLost)}</strong>
          <span className="muted">
            {' · '}
            {moneyLost === undefined ? words.moneyUnknown : words.moneyLost(formatMoney(moneyLost))}
          </span>
        </p>
        <span className="end">
          <Button onPress={() => openComparison(inspector, previous)}>{comparisonWords.sideBySide}</Button>
        </span>
      </div>
      {!isSure && (
        <p className="muted" data-testid="break-certainty">
          {certaintyText(finding)}
          {possible !== undefined && ` · ${possible}`}
        </p>
      )}
      {remedy !== undefined && (
        <p className="row gap-6 baseline" data-testid="break-remedy">
          <span className="remedy-arrow" aria-hidden="true">
            →
          </span>
          <span>
            <span className="visually-hidden">{comparisonWords.remedy}: </span>
            {remedy}
          </span>
        </p>
      )}
      {!isBeside && (
        <RequestComparison
          columns={columns}
          summary={summary}
          earlier={previous}
          later={request}
          finding={finding}
          hasRemedy={false}
        />
      )}
    </section>
  );
}

/** The billing of the whole input, and the cost of all cache losses. */
function Totals({ report }: { readonly report: CacheReport }) {
  const { read, written, fresh } = report.input;
  const parts = [
    { id: 'read', name: words.parts.read, value: read },
    { id: 'written', name: words.parts.written, value: written },
    { id: 'fresh', name: words.parts.fresh, value: fresh },
  ];
  if (read + written === 0) {
    return null;
  }
  const { compared, agreeing } = report.agreement;
  const { tokens, money } = report.lost;
  return (
    <section className="stack gap-10" aria-label={words.session}>
      <h3 className="panel-title" title={words.terms.parts}>
        {words.session}
      </h3>
      <ShareBar parts={parts} />
      <Facts>
        <Fact name={words.lost} term={words.terms.lost}>
          {tokenCount(tokens)}
          {money !== undefined && <span className="muted"> · {formatMoney(money)}</span>}
        </Fact>
        {agreeing < compared && <Fact name={words.agreeing}>{words.share(agreeing, compared)}</Fact>}
      </Facts>
    </section>
  );
}
