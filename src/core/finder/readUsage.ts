import type { RecordedRequest, Transcript } from '../model/transcript';
import { ContextWindows } from '../tokens/contextWindow';
import type { ModelLookUp } from '../tokens/modelTable';
import { requestCost } from '../tokens/prices';
import type { SessionUsage } from './sessionDescription';

/** Fill and cost of a transcript, from its recorded usage alone. */
export function usageOf(transcript: Transcript, lookUp: ModelLookUp): SessionUsage {
  const { requests } = transcript;
  let [cost, priced, isLeast] = [0, 0, false];
  let newest: { readonly tokens: number; readonly request: RecordedRequest } | undefined;
  for (const request of requests) {
    const { thread, usage, model = '', timestamp, outputDoubtful } = request;
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
      newest = { tokens, request };
    }
  }
  const window =
    newest === undefined ? undefined : new ContextWindows(transcript, lookUp).of(newest.request)?.tokens;
  return {
    ...(newest === undefined || window === undefined ? {} : { fill: newest.tokens / window }),
    ...(priced === 0 ? {} : { cost, ...(isLeast ? { isLeast } : {}) }),
  };
}
