import { clamp } from '../../../src/core/base/numbers';
import { endWords } from '../../../src/core/prune/verdict';
import { hindsightOf } from '../../../src/core/prune/hindsight';
import type { SessionColumns } from '../../../src/core/model/columns';
import type { NetWorth, PruneNet } from '../../../src/core/prune/net';
import { requestNumber } from '../../state/cacheReport';
import { signedMoney } from '../../state/pruneNet';
import { worthWords as words } from '../../words/prune';

type Curve = NetWorth['curve'];

/** More points than pixels are not drawn. */
const mostPoints = 300;

/** The saving in all, request by request. It starts below zero, and the ring is where it has paid back. */
export function SavingCurve({
  columns,
  net,
  isBusy,
}: {
  readonly columns: SessionColumns;
  readonly net: PruneNet;
  /** True while another curve is being computed. */
  readonly isBusy: boolean;
}) {
  const { worth, later } = net;
  const [first, last] = [worth?.curve[0], worth?.curve.at(-1)];
  if (worth === undefined || first === undefined || last === undefined || worth.curve.length < 2) {
    return undefined;
  }
  const { curve } = worth;
  const label = (request: number): string => requestNumber(columns, request);
  const even = curve.findIndex(({ saved }) => saved >= 0);
  const restsOn = hindsightOf(worth);
  const loss = curve.findIndex(({ request }) => request === restsOn);
  const place = (index: number): number => (100 * index) / (curve.length - 1);
  const [from, to] = [signedMoney(first.saved), signedMoney(last.saved)];
  const title = words.curve(endWords[later.end]);
  const evenText = even > 0 ? words.even(label(curve[even]?.request ?? 0)) : '';
  const zero = zeroOf(curve);
  return (
    <figure className="curve settling stack gap-2" data-testid="saving-curve" aria-busy={isBusy}>
      <figcaption className="muted">{title}</figcaption>
      <div className="curve__plot">
        <svg
          className="curve__drawing"
          viewBox="0 0 100 100"
          preserveAspectRatio="none"
          role="img"
          aria-label={[title, `${label(first.request)}: ${from}`, evenText, `${label(last.request)}: ${to}`]
            .filter(part => part !== '')
            .join(', ')}
        >
          <Lines curve={curve} />
          {loss >= 0 && <line className="curve__loss" x1={place(loss)} x2={place(loss)} y1={0} y2={100} />}
        </svg>
        {even > 0 && (
          <>
            <span className="curve__ring" style={{ left: `${place(even)}%`, top: `${zero}%` }} />
            <span
              className="curve__even fine"
              aria-hidden="true"
              style={{ left: `clamp(32px, ${place(even)}%, 100% - 32px)`, bottom: `${100 - zero}%` }}
            >
              {evenText}
            </span>
          </>
        )}
      </div>
      <div className="row apart fine tabular" aria-hidden="true">
        <span>
          <span className="muted">{label(first.request)}</span> {from}
        </span>
        {loss >= 0 && restsOn !== undefined && (
          <span className="curve__cause">{words.lossAt(label(restsOn))}</span>
        )}
        <span>
          <span className="muted">{label(last.request)}</span> <strong>{to}</strong>
        </span>
      </div>
    </figure>
  );
}

/** The highest and the lowest amount of the drawing, zero included. */
function boundsOf(curve: Curve): readonly [high: number, low: number] {
  let [high, low] = [0, 0];
  for (const { saved } of curve) {
    high = Math.max(high, saved);
    low = Math.min(low, saved);
  }
  return [high, low];
}

/** The height of the line of zero, in percent from above. */
function zeroOf(curve: Curve): number {
  const [high, low] = boundsOf(curve);
  return high === low ? 50 : (100 * high) / (high - low);
}

function Lines({ curve }: { readonly curve: Curve }) {
  const [high, low] = boundsOf(curve);
  const zero = zeroOf(curve);
  const span = Math.max(high - low, Number.MIN_VALUE);
  const step = Math.max(1, Math.ceil(curve.length / mostPoints));
  const points: (readonly [x: number, y: number])[] = [];
  curve.forEach(({ saved }, index) => {
    if (index % step !== 0 && index !== curve.length - 1) {
      return;
    }
    const [x, y] = [(100 * index) / (curve.length - 1), (100 * (high - saved)) / span];
    const before = points.at(-1);
    if (before !== undefined && (before[1] - zero) * (y - zero) < 0) {
      points.push([before[0] + ((x - before[0]) * (zero - before[1])) / (y - before[1]), zero]);
    }
    points.push([x, y]);
  });
  const line = (limit: (y: number) => number): string =>
    points.map(([x, y]) => `${x.toFixed(2)},${limit(y).toFixed(2)}`).join(' ');
  return (
    <>
      <polygon
        className="curve__area curve__area--lost"
        points={`0,${zero} ${line(y => clamp(y, zero, 100))} 100,${zero}`}
      />
      <polygon
        className="curve__area curve__area--saved"
        points={`0,${zero} ${line(y => clamp(y, 0, zero))} 100,${zero}`}
      />
      <line className="curve__zero" x1={0} x2={100} y1={zero} y2={zero} />
      <polyline className="curve__line" points={line(y => y)} />
    </>
  );
}
