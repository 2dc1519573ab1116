import { countAt, numberAt, objectAt } from '../../base/json';
import type { RecordedUsage } from '../../model/transcript';

/**
 * Whether a message's output leaves out its reasoning: some versions count it inside, others beside. Told by the total;
 * `undefined` where nothing tells.
 */
export function outputExcludesReasoning(tokens: unknown): boolean | undefined {
  const reasoning = countAt(tokens, 'reasoning');
  if (reasoning === 0) {
    return undefined;
  }
  const cache = objectAt(tokens, 'cache');
  const output = countAt(tokens, 'output');
  const total = numberAt(tokens, 'total');
  const inside = countAt(tokens, 'input') + output + countAt(cache, 'read') + countAt(cache, 'write');
  if (total === inside + reasoning) {
    return true;
  }
  if (total === inside) {
    return false;
  }
  return reasoning > output ? true : undefined;
}

/** opencode's token counts: input without the cache; reasoning goes into the output where it was counted beside it. */
export function readOpencodeUsage(tokens: unknown, excludesReasoning: boolean): RecordedUsage | undefined {
  const cache = objectAt(tokens, 'cache');
  const usage = {
    input: countAt(tokens, 'input'),
    cacheRead: countAt(cache, 'read'),
    cacheWrite: countAt(cache, 'write'),
  };
  const reasoning = countAt(tokens, 'reasoning');
  const output = countAt(tokens, 'output');
  if (usage.input + usage.cacheRead + usage.cacheWrite + output + reasoning === 0) {
    return undefined;
  }
  const isBeside = outputExcludesReasoning(tokens) ?? excludesReasoning;
  return { ...usage, output: output + (isBeside ? reasoning : 0), reasoning };
}
