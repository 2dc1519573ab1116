import { breakdownTree, requestTokens } from '../../../src/core/breakdown/breakdownTree';
import { openTranscript } from '../../../src/core/session/openTranscript';
import { secretScanner } from '../../../src/node/secretScannerOnDemand';
import type { Bench } from '../context';
import { claudeCodeFile } from '../generator/claudeCodeFile';
import { median, type Row } from '../measure';

const seed = 20_260_412;
const stepsInRound = 25;
const frameMilliseconds = 1000 / 60;
/** What the first picture may take once the figures are there. */
const firstMilliseconds = 50;

/** The tree of a session of 200,000 blocks in one context, and what another request and measure cost. */
export const breakdown: Bench = {
  name: 'breakdown',
  measure: async ({ size, rounds }) => {
    const wanted = size === 'small' ? 10_000 : 200_000;
    const file = claudeCodeFile({
      seed,
      contextTokens: Number.POSITIVE_INFINITY,
      resultSize: 200,
      progressLines: 0,
    });
    const parts: string[] = [];
    while (file.facts.blocks < wanted) {
      parts.push(file.steps.next().value);
    }
    const bytes = Buffer.from(parts.join(''));
    const source = {
      size: bytes.length,
      read: (offset: number, length: number) => Promise.resolve(bytes.subarray(offset, offset + length)),
    };
    const opened = await openTranscript(source, {
      fileName: 'session.jsonl',
      scanner: secretScanner,
      countWhileReading: true,
    });
    if (!opened.ok) {
      throw new Error(opened.sentence);
    }
    const { columns, summary } = opened.session.toSession();
    const blocks = columns.blocks.kind.length;
    const last = columns.requests.thread.lastIndexOf(0);
    const timed = (work: () => void): number => {
      const start = performance.now();
      work();
      return performance.now() - start;
    };
    const inRounds = (work: (step: number) => void): number[][] =>
      Array.from({ length: rounds }, (_, round) =>
        Array.from({ length: stepsInRound }, (_, step) =>
          timed(() => {
            work(round * stepsInRound + step);
          }),
        ),
      );
    // A tree is kept with its columns; these are others each time.
    const built = inRounds(() => {
      const fresh = { ...columns };
      requestTokens(breakdownTree({ columns: fresh, summary }), fresh, last);
    });
    const tree = breakdownTree({ columns, summary });
    const requests = inRounds(step => {
      requestTokens(tree, columns, last - step);
    });
    const row = (work: string, budget: number, times: readonly (readonly number[])[]): Row => {
      const sorted = times.flat().sort((first, second) => first - second);
      const late = sorted[Math.floor(sorted.length * 0.95)] ?? Number.NaN;
      return {
        work,
        against: `${budget === firstMilliseconds ? 'the first picture' : 'a frame of 60 in a second'}, drawing included`,
        unit: 'ms',
        ours: times.map(median),
        theirs: times.map(() => budget),
        target: { kind: 'share', most: 1 },
        note: `95th percentile ${late.toFixed(1)} ms`,
      };
    };
    return [
      row(
        `the breakdown of ${blocks} blocks over ${columns.requests.context.length} requests`,
        firstMilliseconds,
        built,
      ),
      row('the tokens of another of its requests', frameMilliseconds, requests),
    ];
  },
};
