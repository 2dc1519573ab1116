import type { RecordedRequest, Transcript } from '../model/transcript';
import { ContextWindows } from '../tokens/contextWindow';
import type { ModelLookUp } from '../tokens/modelTable';
import { circumstances, pricesFor } from '../tokens/prices';
import { FiguresSum, inputOf, knownCost, recordsUsage, usedRequest } from '../tokens/usageFigures';
import type { SessionUsage } from './sessionDescription';

/** Fill and cost of a transcript, from its recorded usage alone. */
export function usageOf(transcript: Transcript, lookUp: ModelLookUp): SessionUsage {
  const { requests } = transcript;
  const sum = new FiguresSum();
  let newest: { readonly tokens: number; readonly request: RecordedRequest } | undefined;
  for (const request of requests) {
    const { thread, usage, model = '', timestamp, outputDoubtful } = request;
    if (!recordsUsage(usage)) {
      continue;
    }
    const tokens = inputOf(usage);
    const prices = lookUp(model)?.prices;
    const list = prices && pricesFor(prices, circumstances(usage, timestamp));
    sum.add(usedRequest(usage, list, outputDoubtful === true));
    if (thread === 0 && tokens > 0) {
      newest = { tokens, request };
    }
  }
  const window =
    newest === undefined ? undefined : new ContextWindows(transcript, lookUp).of(newest.request)?.tokens;
  const { money, isLeast } = knownCost(sum.figures());
  return {
    ...(newest === undefined || window === undefined ? {} : { fill: newest.tokens / window }),
    ...(money === undefined ? {} : { cost: money, ...(isLeast ? { isLeast } : {}) }),
  };
}
