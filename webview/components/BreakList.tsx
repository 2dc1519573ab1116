import { causeWords } from '../../src/core/cache/causeWords';
import type { CacheFinding, CacheReport } from '../../src/core/cache/cacheFinding';
import type { SessionColumns } from '../../src/core/model/columns';
import { formatMoney, formatNumber } from '../../src/core/base/format';
import { cacheStrings as words } from '../cacheStrings';
import { goToRequest, requestNumber } from '../state/cacheReport';
import { useInspector } from '../state/inspector';
import { ShowMore, useShown } from './ShowMore';

/** The causes of a break in words. */
export const namesOf = ({ causes }: CacheFinding): string =>
  causes.map(cause => causeWords[cause]).join(', ');

/** What breaks cost by cause, and every break to go to. */
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
  const { shown, left, showMore } = useShown(findings);
  if (findings.length === 0) {
    return null;
  }
  const hasMoney = causes.some(({ moneyLost }) => moneyLost !== undefined);
  return (
    <>
      <table className="figures" aria-label={words.causes}>
        <thead>
          <tr>
            <th scope="col">{words.causes}</th>
            <th scope="col">{words.breaks}</th>
            <th scope="col">{words.tokensColumn}</th>
            {hasMoney && <th scope="col">{words.moneyColumn}</th>}
          </tr>
        </thead>
        <tbody>
          {causes.map(({ cause, requests, tokensLost, moneyLost }) => (
            <tr key={cause}>
              <th scope="row">{causeWords[cause]}</th>
              <td>{formatNumber(requests)}</td>
              <td>{formatNumber(tokensLost)}</td>
              {hasMoney && <td>{moneyLost === undefined ? '' : formatMoney(moneyLost)}</td>}
            </tr>
          ))}
        </tbody>
      </table>
      <section aria-label={words.allBreaks(findings.length)}>
        <h3 className="panel-title">{words.allBreaks(findings.length)}</h3>
        <ul className="block-list">
          {shown.map(finding => (
            <li key={finding.request}>
              <button
                type="button"
                className="block-list__entry"
                aria-pressed={finding.request === request}
                onClick={() => goToRequest(inspector, columns, finding.request)}
              >
                <span className="block-list__place">{requestNumber(columns, finding.request)}</span>
                <span className="block-list__name">{namesOf(finding)}</span>
                <span className="block-list__tokens">{formatNumber(finding.tokensLost)}</span>
              </button>
            </li>
          ))}
        </ul>
        <ShowMore left={left} onPress={showMore} />
      </section>
    </>
  );
}
