import { FirstOccurrences } from '../base/firstOccurrences';
import { isFileReader, isFileWriter } from '../content/fileTools';
import { duplicateNotice } from '../content/pruneNotices';
import { resultFlags, toolsAmong } from './pruneInput';
import { noneUnconditional, outcomes, type PruneRules, quarterOfCharacters } from './ruleSet';

/**
 * Results that a later one repeats or replaces; the newest of each always stays:
 * - the same tool called again with the same arguments and the same output;
 * - a file read again with the same arguments, whatever the output;
 * - a file read, and written or edited later.
 *
 * Only completed calls count, on both sides. The newest results, `protectTokens` in total, are left alone.
 */
export const duplicatesRules: PruneRules = {
  moment: 'afterTurn',
  estimate: quarterOfCharacters,

  walk(history, options, sizes) {
    const { count, toolNames, results } = history;
    const isProtected = toolsAmong(history, options.protectedTools);
    const isReader = toolNames.map(isFileReader);
    const isWriter = toolNames.map(isFileWriter);
    const found = new Uint8Array(count).fill(outcomes.notRepeated);
    const queued: number[] = [];
    // Collects later calls with their outputs, reads by tool and arguments, and changed files, from the newest result
    // to the oldest.
    const { tool: tools, callHash: calls, contentHash: contents } = results;
    const newest = count - 1;
    const callAt = (step: number): number =>
      Math.imul(calls[newest - step] ?? 0, 0x9e3779b1) ^ (tools[newest - step] ?? 0);
    const isSameCall = (one: number, other: number): boolean =>
      calls[newest - one] === calls[newest - other] && tools[newest - one] === tools[newest - other];
    const reads = new FirstOccurrences(callAt, isSameCall);
    const outputs = new FirstOccurrences(
      step => Math.imul(callAt(step), 0x85ebca6b) ^ (contents[newest - step] ?? 0),
      (one, other) => contents[newest - one] === contents[newest - other] && isSameCall(one, other),
    );
    const changed = new Set<number>();
    let scannedTokens = 0;
    let candidateTokens = 0;
    for (let step = 0; step < count; step += 1) {
      const number = newest - step;
      const size = sizes[number] ?? 0;
      scannedTokens += size;
      const state = results.flags[number] ?? 0;
      if ((state & resultFlags.alreadyPruned) !== 0) {
        found[number] = outcomes.alreadyPruned;
      } else if ((state & (resultFlags.pending | resultFlags.error)) !== 0) {
        found[number] = outcomes.notCompleted;
      } else {
        const tool = tools[number] ?? 0;
        const path = results.path[number] ?? 0;
        const reader = isReader[tool] === true;
        const hasCall = (calls[number] ?? 0) !== 0;
        const isRepeated = hasCall && outputs.find(step) !== step;
        const isReadAgain = hasCall && reader && reads.find(step) !== step;
        const isReplaced = isRepeated || isReadAgain || (reader && path !== 0 && changed.has(path));
        if (isReplaced) {
          if (isProtected[tool] === 1) {
            found[number] = outcomes.protectedTool;
          } else if (scannedTokens <= options.protectTokens) {
            found[number] = outcomes.withinProtectedTokens;
          } else {
            found[number] = outcomes.candidate;
            candidateTokens += size;
            queued.push(number);
          }
        }
        if (isWriter[tool] === true && path !== 0) {
          changed.add(path);
        }
      }
    }
    return { outcomes: found, queued, unconditional: noneUnconditional, scannedTokens, candidateTokens };
  },

  reachesMinimum: (candidateTokens, minimumTokens) => candidateTokens >= minimumTokens,

  notice: () => duplicateNotice,
};
