import { requestCost } from '../core/tokens/prices';
import type { TranscriptSession } from '../core/session/openTranscript';

/** What a request cost at list prices, in US dollars; undefined where the usage or the model's prices are unknown. */
export function requestMoney(session: TranscriptSession, request: number): number | undefined {
  const { usage, model, timestamp } = session.transcript.requests[request] ?? {};
  const prices = session.toSession().summary.models.find(({ id }) => id === model)?.row.prices;
  return usage === undefined || prices === undefined ? undefined : requestCost(prices, usage, timestamp);
}
