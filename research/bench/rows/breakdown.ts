import { breakdownTree } from '../../../src/core/breakdown/breakdownTree';
import { requestTokens } from '../../../src/core/breakdown/requestValues';
import type { Bench } from '../context';
import { manyCalls } from '../manyCalls';
import { median, type Row } from '../measure';

const stepsInRound = 25;
const frameMilliseconds = 1000 / 60;
/** The time limit for the first drawing once the figures are there. */
const firstMilliseconds = 50;

/** The tree of a session of 200,000 blocks in one context, and what another request and another measure cost. */
export const breakdown: Bench = {
  name: 'breakdown',
  measure: ({ size, rounds }) => {
    const blocks = size === 'small' ? 10_000 : 200_000;
    const requests = blocks / 10;
    const { columns, summary } = manyCalls(blocks, requests);
    const inRounds = (work: (step: number) => void): number[][] =>
      Array.from({ length: rounds }, (_, round) =>
        Array.from({ length: stepsInRound }, (_, step) => {
          const start = performance.now();
          work(round * stepsInRound + step);
          return performance.now() - start;
        }),
      );
    // A tree is kept with its columns; these are others each time.
    const built = inRounds(() => {
      const others = { ...columns };
      requestTokens(breakdownTree({ columns: others, summary }), others, requests - 1);
    });
    const tree = breakdownTree({ columns, summary });
    const chosen = inRounds(step => {
      requestTokens(tree, columns, requests - 1 - step);
    });
    const measured = inRounds(() => {
      tree.cached.map((tokens, node) => tokens + (tree.fresh[node] ?? 0));
    });
    const row = (
      work: string,
      budget: number,
      against: string,
      times: readonly (readonly number[])[],
    ): Row => {
      const sorted = times.flat().sort((first, second) => first - second);
      const late = sorted[Math.floor(sorted.length * 0.95)] ?? Number.NaN;
      return {
        work,
        against,
        unit: 'ms',
        ours: times.map(median),
        theirs: times.map(() => budget),
        target: { kind: 'share', most: 1 },
        note: `95th percentile ${late.toFixed(1)} ms; without the drawing`,
      };
    };
    const frame = 'a frame of 60 in a second';
    return Promise.resolve([
      row(
        `the breakdown of ${blocks} blocks over ${requests} requests, and of one of them`,
        firstMilliseconds,
        'the budget of a first picture',
        built,
      ),
      row('the breakdown of another request', frameMilliseconds, frame, chosen),
      row('another measure', frameMilliseconds, frame, measured),
    ]);
  },
};
