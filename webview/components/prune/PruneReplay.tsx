import { formatMoney } from '../../../src/core/base/format';
import type { ReplaySummary } from '../../../src/core/prune/replaySummary';
import type { PruneOfRequest } from '../../state/requestParts';
import { useAnswer } from '../../state/useAnswer';
import { worthWords as words } from '../../words/prune';
import { LatestAnswer } from '../common/Answered';

/** The cost of the rest of this session with the prune. */
export function PruneReplay({ columns, request, options }: PruneOfRequest) {
  const inView = useAnswer({ name: 'pruneReplay', params: { request, options } }, { since: columns });
  return (
    <section className="stack" aria-label={words.replay} data-testid="prune-replay">
      <h2 className="panel-title">{words.replay}</h2>
      <LatestAnswer inView={inView} waiting={words.replaying}>
        {replay => <Outcome replay={replay} />}
      </LatestAnswer>
    </section>
  );
}

function Outcome({ replay }: { readonly replay: ReplaySummary }) {
  const { unit, asSent, pruned, prunes, requests, check } = replay;
  const [without, instead] = [asSent.at(-1) ?? 0, pruned.at(-1) ?? 0];
  const text =
    unit === 'dollars'
      ? words.replayText(formatMoney(without), formatMoney(instead))
      : words.replayTokens(without, instead);
  return (
    <>
      <p className="prose">{text}</p>
      {prunes > 0 && asSent.length > 1 && <Chart replay={replay} text={text} />}
      <p className="muted">
        {words.replayMore(prunes, requests)}
        {check !== undefined &&
          ` ${words.replayCheck(formatMoney(check.modelled), formatMoney(check.recorded))}`}
      </p>
    </>
  );
}

const width = 320;
const height = 72;

function Chart({ replay, text }: { readonly replay: ReplaySummary; readonly text: string }) {
  const { asSent, pruned } = replay;
  const most = Math.max(asSent.at(-1) ?? 0, pruned.at(-1) ?? 0, Number.MIN_VALUE);
  const points = (sums: readonly number[]): string =>
    sums
      .map((sum, index) => {
        const x = (index / Math.max(1, sums.length - 1)) * width;
        return `${x.toFixed(1)},${(height - 2 - (sum / most) * (height - 4)).toFixed(1)}`;
      })
      .join(' ');
  return (
    <figure className="stack gap-6">
      <svg
        className="replay__chart"
        viewBox={`0 0 ${width} ${height}`}
        preserveAspectRatio="none"
        role="img"
        aria-label={words.chart(text)}
      >
        <polyline className="replay__line" points={points(asSent)} />
        <polyline className="replay__line replay__line--pruned" points={points(pruned)} />
      </svg>
      <figcaption className="replay__key row muted fine" aria-hidden="true">
        <span className="replay__sample" /> {words.asSent}
        <span className="replay__sample replay__sample--pruned" /> {words.pruned}
      </figcaption>
    </figure>
  );
}
