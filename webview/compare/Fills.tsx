import { comparedFigure } from '../../src/core/compare/compareWords';
import type { ComparedSide, Fill } from '../../src/core/compare/comparison';
import { formatNumber } from '../../src/core/base/format';
import { compareWords as words, sideNames } from '../words/compare';
import type { SideIndex } from './compareState';

/** Maximum number of bars. With more requests, neighbours share a bar, which shows the largest. */
const mostBars = 120;

/** The sizes of both sessions' requests, on one scale. */
export function Fills({ sides }: { readonly sides: readonly [ComparedSide, ComparedSide] }) {
  const top = Math.max(1, ...sides.flatMap(({ fills }) => fills.map(({ tokens }) => tokens.value)));
  const longest = Math.max(1, ...sides.map(({ fills }) => fills.length));
  return (
    <section className="stack" aria-labelledby="fills">
      <h2 id="fills">{words.fills}</h2>
      <div className="compare__charts">
        <Chart side={0} fills={sides[0].fills} top={top} longest={longest} />
        <Chart side={1} fills={sides[1].fills} top={top} longest={longest} />
      </div>
    </section>
  );
}

interface ChartProps {
  readonly side: SideIndex;
  readonly fills: readonly Fill[];
  /** Tokens at the upper edge, and requests along the lower edge. */
  readonly top: number;
  readonly longest: number;
}

function Chart({ side, fills, top, longest }: ChartProps) {
  const share = Math.ceil(longest / mostBars);
  const bars = Array.from({ length: Math.ceil(longest / share) }, (_, bar) =>
    Math.max(0, ...fills.slice(bar * share, (bar + 1) * share).map(({ tokens }) => tokens.value)),
  );
  const largest = fills.toSorted((one, other) => other.tokens.value - one.tokens.value)[0];
  const figure = largest === undefined ? formatNumber(0) : comparedFigure(largest.tokens);
  const text = words.fillsOf(side, fills.length, figure);
  return (
    <figure className="stack gap-4">
      <div className="compare__plot" role="img" aria-label={text}>
        {bars.map((value, bar) => (
          <span
            key={bar}
            className={`grows compare__fill--${sideNames[side]}`}
            style={{ height: `${(value / top) * 100}%` }}
          />
        ))}
      </div>
      <figcaption className="small muted tabular">{text}</figcaption>
    </figure>
  );
}
