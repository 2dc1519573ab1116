import { formatMoney, formatNumber } from '../../../src/core/base/format';
import type { CacheFinding, CacheReport } from '../../../src/core/cache/cacheFinding';
import { causeWords } from '../../../src/core/cache/causeWords';
import type { SessionColumns } from '../../../src/core/model/columns';
import { goToRequest, lossesByWorth, meantByWorth, requestNumber } from '../../state/cacheReport';
import { useInspector } from '../../state/inspector';
import { cacheWords as words } from '../../words/cache';
import { columnWords } from '../../words/views';
import { ChoiceList } from '../common/ChoiceList';
import { FigureTable } from '../common/FigureTable';

/** Losses in a list before it is extended. */
const shownAtFirst = 10;

/** The causes of a break in words. */
export const namesOf = ({ causes }: CacheFinding): string =>
  causes.map(cause => causeWords[cause]).join(', ');

/** The losses of the session and its compactions and prunes, the dearest first, and their cost by cause. */
export function BreakList({
  columns,
  report,
  request,
}: {
  readonly columns: SessionColumns;
  readonly report: CacheReport;
  readonly request: number;
}) {
  const { findings, causes } = report;
  if (findings.length === 0) {
    return null;
  }
  const losses = lossesByWorth(report);
  const hasMoney = causes.some(({ moneyLost }) => moneyLost !== undefined);
  return (
    <>
      <Losses columns={columns} title={words.allBreaks(losses.length)} findings={losses} request={request} />
      <Losses columns={columns} title={words.meant} findings={meantByWorth(report)} request={request} />
      <FigureTable
        label={words.causes}
        heads={[words.cause, words.breaks, columnWords.tokens, ...(hasMoney ? [words.moneyColumn] : [])]}
        rows={causes.map(({ cause, requests, tokensLost, moneyLost }) => ({
          key: cause,
          cells: [
            causeWords[cause],
            formatNumber(requests),
            formatNumber(tokensLost),
            ...(hasMoney ? [moneyLost === undefined ? '' : formatMoney(moneyLost)] : []),
          ],
        }))}
      />
    </>
  );
}

/** Losses with tokens and money. A press goes to the request. */
function Losses({
  columns,
  title,
  findings,
  request,
}: {
  readonly columns: SessionColumns;
  readonly title: string;
  readonly findings: readonly CacheFinding[];
  readonly request: number;
}) {
  const inspector = useInspector();
  return (
    findings.length > 0 && (
      <section aria-label={title}>
        <h3 className="panel-title">{title}</h3>
        <ChoiceList
          entries={findings}
          pageLength={shownAtFirst}
          choiceOf={finding => ({
            key: finding.request,
            place: requestNumber(columns, finding.request),
            name: namesOf(finding),
            figure: [
              formatNumber(finding.tokensLost),
              ...(finding.moneyLost === undefined ? [] : [formatMoney(finding.moneyLost)]),
            ].join(' · '),
            isChosen: finding.request === request,
            choose: () => goToRequest(inspector, columns, finding.request),
          })}
        />
      </section>
    )
  );
}
