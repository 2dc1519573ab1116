import { setTimeout as wait } from 'node:timers/promises';
import type { Bench } from '../context';
import { interleaved } from '../measure';

/** More rounds than others have: each takes a twentieth of a second, and the processes' start varies. */
const roundsPerRound = 5;
const longestReport = 60_000;

/** The status line of Claude Code on a large session, of which it says what fills the context. */
export const statusline: Bench = {
  name: 'statusline',
  measure: async context => {
    const file = context.claudeCode(context.takesBigFiles ? 500 : context.scaled(100));
    const input = JSON.stringify({
      transcript_path: file.path,
      context_window: { context_window_size: 200_000, total_input_tokens: 80_000 },
      cost: { total_cost_usd: 1.5 },
    });
    const environment = { XDG_CACHE_HOME: context.scratch('statusline') };
    const print = (): ReturnType<typeof context.statusline> => context.statusline(input, environment);
    const { output: before } = await print();
    const end = Date.now() + longestReport;
    while ((await print()).output === before) {
      if (Date.now() > end) {
        throw new Error('The status line does not say what fills the context.');
      }
      await wait(500);
    }
    const runs = await interleaved(context.rounds * roundsPerRound, print, () => context.bareNode());
    return [
      {
        work: `status line, ${Math.round(file.megabytes)} MB`,
        against: 'Node without a program',
        unit: 'ms',
        ours: runs.ours.map(({ milliseconds }) => milliseconds),
        theirs: runs.theirs.map(({ milliseconds }) => milliseconds),
        target: { kind: 'share', most: 1.5 },
      },
    ];
  },
};
