import { clearedNotice } from './notices';
import { allResults } from './pruneInput';
import { noneUnconditional, type PruneRules, type WalkOutcome } from './ruleSet';

/** The tools whose results Claude Code clears. */
const clearableTools: ReadonlySet<string> = new Set([
  'Read',
  'Bash',
  'Grep',
  'Glob',
  'WebSearch',
  'WebFetch',
  'Edit',
  'Write',
]);

/** The newest results of those tools that always stay. */
const newestKept = 3;
const imageTokens = 2000;

/**
 * Below this many tokens before the end of the window nothing is cleared: 32,000 for the output, 13,000 until the
 * automatic compaction, and 20,000 ahead of that.
 */
const warningDistance = 65_000;

/**
 * Claude Code's microcompact (2.1.14, cli.js; recorded by 2.1.12 to about 2.1.20): oldest first, results of eight tools
 * are cleared until those that are left hold no more than `protectTokens`; the newest three stay. At least
 * `minimumTokens` must go, and the context must have come within 65,000 tokens of the window's end. It runs before every
 * request. Where the agent could save an output to a file, it put the file's name in the output's place.
 */
export const microcompactRules: PruneRules = {
  moment: 'beforeRequest',
  estimate: ({ characters, imageCount }) => Math.round(characters / 4) + imageTokens * imageCount,

  walk(messages, options, sizeOf) {
    const results = allResults(messages);
    const sizes = new Float64Array(results.length);
    const clearable: number[] = [];
    let scannedTokens = 0;
    const outcomes = results.map((result, number): WalkOutcome => {
      if (result.alreadyPruned) {
        return 'alreadyPruned';
      }
      if (!clearableTools.has(result.tool) || options.protectedTools.includes(result.tool)) {
        return 'protectedTool';
      }
      clearable.push(number);
      sizes[number] = sizeOf(result);
      scannedTokens += sizes[number] ?? 0;
      return 'withinProtectedTokens';
    });
    const queued: number[] = [];
    let candidateTokens = 0;
    clearable.forEach((number, place) => {
      if (place >= clearable.length - newestKept) {
        outcomes[number] = 'newestResults';
      } else if (scannedTokens - candidateTokens > options.protectTokens) {
        outcomes[number] = 'candidate';
        candidateTokens += sizes[number] ?? 0;
        queued.push(number);
      }
    });
    return { outcomes, queued, unconditional: noneUnconditional, scannedTokens, candidateTokens };
  },

  reachesMinimum: (candidateTokens, minimumTokens, { inputTokens, window }) =>
    candidateTokens >= minimumTokens &&
    (inputTokens === undefined || window === undefined || inputTokens >= window - warningDistance),

  notice: () => clearedNotice,
};
