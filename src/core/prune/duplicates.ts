import { duplicateNotice } from './notices';
import { allResults, type PruneResult } from './pruneInput';
import { noneUnconditional, type PruneRules, type WalkOutcome } from './ruleSet';

/** Names of tools that show a file, and of tools that change one, in lower case without the server's prefix. */
const readers: ReadonlySet<string> = new Set([
  'read',
  'read_file',
  'readfile',
  'read_text_file',
  'view',
  'view_file',
  'open_file',
  'cat',
]);
const writers: ReadonlySet<string> = new Set([
  'write',
  'write_file',
  'writefile',
  'write_to_file',
  'create',
  'create_file',
  'edit',
  'edit_file',
  'multiedit',
  'multi_edit',
  'replace',
  'replace_in_file',
  'apply_diff',
  'str_replace',
  'insert_content',
  'insert_edit_into_file',
  'search_and_replace',
  'patch',
]);

/** `mcp__filesystem__read_text_file` is `read_text_file`. */
function plainName(tool: string): string {
  return (tool.split('__').at(-1) ?? tool).toLowerCase();
}

/** What was seen behind a result, on the way from the newest to the oldest. */
interface Later {
  /** Calls with their outputs. */
  readonly outcomes: Set<string>;
  /** Reads, by call: tool and arguments. */
  readonly reads: Set<string>;
  /** Files that were written or edited. */
  readonly changed: Set<string>;
}

function isReplaced(result: PruneResult, name: string, later: Later): boolean {
  const call = `${result.tool} ${result.callHash}`;
  return (
    (result.callHash !== '' && later.outcomes.has(`${call} ${result.contentHash}`)) ||
    (readers.has(name) &&
      ((result.callHash !== '' && later.reads.has(call)) ||
        (result.path !== '' && later.changed.has(result.path))))
  );
}

function remember(result: PruneResult, name: string, { outcomes, reads, changed }: Later): void {
  const call = `${result.tool} ${result.callHash}`;
  outcomes.add(`${call} ${result.contentHash}`);
  if (readers.has(name)) {
    reads.add(call);
  }
  if (writers.has(name) && result.path !== '') {
    changed.add(result.path);
  }
}

/**
 * Results that a later one repeats or replaces; the newest of each always stays:
 * - the same tool called again with the same arguments and the same output;
 * - a file read again with the same arguments, whatever the output;
 * - a file read, and written or edited later.
 *
 * Only completed calls count, on both sides. The newest results of `protectTokens` in all are left alone.
 */
export const duplicatesRules: PruneRules = {
  moment: 'afterTurn',
  estimate: ({ characters }) => Math.round(characters / 4),

  walk(messages, options, sizeOf) {
    const results = allResults(messages);
    const outcomes = results.map((): WalkOutcome => 'notRepeated');
    const queued: number[] = [];
    const later: Later = { outcomes: new Set(), reads: new Set(), changed: new Set() };
    let scannedTokens = 0;
    let candidateTokens = 0;
    for (let number = results.length - 1; number >= 0; number--) {
      const result = results[number];
      if (result === undefined) {
        continue;
      }
      const size = sizeOf(result);
      scannedTokens += size;
      if (result.alreadyPruned) {
        outcomes[number] = 'alreadyPruned';
      } else if (result.status !== 'completed') {
        outcomes[number] = 'notCompleted';
      } else {
        const name = plainName(result.tool);
        if (isReplaced(result, name, later)) {
          if (options.protectedTools.includes(result.tool)) {
            outcomes[number] = 'protectedTool';
          } else if (scannedTokens <= options.protectTokens) {
            outcomes[number] = 'withinProtectedTokens';
          } else {
            outcomes[number] = 'candidate';
            candidateTokens += size;
            queued.push(number);
          }
        }
        remember(result, name, later);
      }
    }
    return { outcomes, queued, unconditional: noneUnconditional, scannedTokens, candidateTokens };
  },

  reachesMinimum: (candidateTokens, minimumTokens) => candidateTokens >= minimumTokens,

  notice: () => duplicateNotice,
};
