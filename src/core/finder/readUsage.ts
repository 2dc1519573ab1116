import type { Transcript } from '../model/transcript';
import { contextWindowFor } from '../tokens/contextWindow';
import type { ModelLookUp } from '../tokens/modelTable';
import { requestCost } from '../tokens/prices';
import type { SessionUsage } from './sessionDescription';

/** Fill and cost of a transcript, from its recorded usage alone. */
export function usageOf({ requests }: Transcript, lookUp: ModelLookUp): SessionUsage {
  let [cost, priced, isLeast] = [0, 0, false];
  let newest: { readonly tokens: number; readonly model: string } | undefined;
  let largest = 0;
  for (const { thread, usage, model = '', timestamp, outputDoubtful } of requests) {
    if (usage === undefined) {
      continue;
    }
    const tokens = usage.input + usage.cacheRead + usage.cacheWrite;
    const prices = lookUp(model)?.prices;
    if (prices === undefined) {
      isLeast = true;
    } else {
      cost += requestCost(prices, usage, timestamp);
      priced += 1;
      isLeast ||= outputDoubtful === true;
    }
    if (thread === 0 && tokens > 0) {
      newest = { tokens, model };
      largest = Math.max(largest, tokens);
    }
  }
  const window = newest === undefined ? undefined : contextWindowFor(newest.model, largest, lookUp);
  return {
    ...(newest === undefined || window === undefined ? {} : { fill: newest.tokens / window }),
    ...(priced === 0 ? {} : { cost, ...(isLeast ? { isLeast } : {}) }),
  };
}
