import { clearedNotice } from '../content/pruneNotices';
import { resultFlags, toolsAmong } from './pruneInput';
import { noneUnconditional, outcomes, type PruneRules, quarterOfCharacters } from './ruleSet';

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

/** Number of newest results that always stay. */
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
  estimate: (history, number) =>
    quarterOfCharacters(history, number) + imageTokens * (history.results.imageCount[number] ?? 0),

  walk(history, options, sizes) {
    const { count, results, toolNames } = history;
    const isProtected = toolsAmong(history, options.protectedTools);
    const isClearable = toolNames.map((name, tool) => clearableTools.has(name) && isProtected[tool] !== 1);
    const found = new Uint8Array(count);
    const clearable: number[] = [];
    let scannedTokens = 0;
    for (let number = 0; number < count; number += 1) {
      if (((results.flags[number] ?? 0) & resultFlags.alreadyPruned) !== 0) {
        found[number] = outcomes.alreadyPruned;
      } else if (isClearable[results.tool[number] ?? 0] !== true) {
        found[number] = outcomes.protectedTool;
      } else {
        const size = sizes[number] ?? 0;
        clearable.push(number);
        scannedTokens += size;
        found[number] = outcomes.withinProtectedTokens;
      }
    }
    const queued: number[] = [];
    let candidateTokens = 0;
    clearable.forEach((number, place) => {
      if (place >= clearable.length - newestKept) {
        found[number] = outcomes.newestResults;
      } else if (scannedTokens - candidateTokens > options.protectTokens) {
        found[number] = outcomes.candidate;
        candidateTokens += sizes[number] ?? 0;
        queued.push(number);
      }
    });
    return { outcomes: found, queued, unconditional: noneUnconditional, scannedTokens, candidateTokens };
  },

  reachesMinimum: (candidateTokens, minimumTokens, { inputTokens, window }) =>
    candidateTokens >= minimumTokens &&
    (inputTokens === undefined || window === undefined || inputTokens >= window - warningDistance),

  notice: () => clearedNotice,
};
