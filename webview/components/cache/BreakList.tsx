import { formatMoney, formatNumber } from '../../../src/core/base/format';
import type { CacheFinding, CacheReport } from '../../../src/core/cache/cacheFinding';
import { causeWords } from '../../../src/core/cache/causeWords';
import type { SessionColumns } from '../../../src/core/model/columns';
import { goToRequest, requestNumber } from '../../state/cacheReport';
import { useInspector } from '../../state/inspector';
import { cacheWords as words } from '../../words/cache';
import { columnWords } from '../../words/views';
import { ChoiceList } from '../common/ChoiceList';
import { FigureTable } from '../common/FigureTable';

/** The causes of a break in words. */
export const namesOf = ({ causes }: CacheFinding): string =>
  causes.map(cause => causeWords[cause]).join(', ');

/** The cost of cache losses by cause, and a list of all losses. */
export function BreakList({
  columns,
  report,
  request,
}: {
  readonly columns: SessionColumns;
  readonly report: CacheReport;
  readonly request: number;
}) {
  const inspector = useInspector();
  const { findings, causes } = report;
  if (findings.length === 0) {
    return null;
  }
  const hasMoney = causes.some(({ moneyLost }) => moneyLost !== undefined);
  return (
    <>
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
      <section aria-label={words.allBreaks(findings.length)}>
        <h3 className="panel-title">{words.allBreaks(findings.length)}</h3>
        <ChoiceList
          entries={findings}
          choiceOf={finding => ({
            key: finding.request,
            place: requestNumber(columns, finding.request),
            name: namesOf(finding),
            figure: formatNumber(finding.tokensLost),
            isChosen: finding.request === request,
            choose: () => goToRequest(inspector, columns, finding.request),
          })}
        />
      </section>
    </>
  );
}
