import * as v from 'valibot';
import { type Described, numbers } from '../base/schema';
import type { PruneReplay } from './replay';

/** A replay in the form that the chart and its sentence need. */
export const replaySummary = v.object({
  /** Requests of the replay, and the prunes in it. */
  ...numbers('requests', 'prunes'),
  /** The unit of the points: US dollars, or uncached input tokens if a price is unknown. */
  unit: v.picklist(['dollars', 'tokens']),
  /** Sums from the first request up to each point, oldest first, without and with pruning. */
  asSent: v.array(v.number()),
  pruned: v.array(v.number()),
  /** US dollars for the recorded requests: as recorded, and according to the model of the cache; absent if not known. */
  check: v.exactOptional(v.object(numbers('recorded', 'modelled'))),
});
export type ReplaySummary = Described<typeof replaySummary>;

/** Sums up a replay in at most `points` points; the last one is the end of the session. */
export function summariseReplay(replay: PruneReplay, points: number): ReplaySummary {
  const { requests, prunes, asSent, pruned, saved, recorded } = replay;
  const unit = saved === undefined ? 'tokens' : 'dollars';
  const sums = ({ total, read, money }: PruneReplay['asSent']): readonly number[] => {
    const step = Math.max(1, Math.ceil(requests.length / points));
    const found: number[] = [];
    let sum = 0;
    for (let index = 0; index < requests.length; index += 1) {
      sum += unit === 'dollars' ? (money[index] ?? 0) : (total[index] ?? 0) - (read[index] ?? 0);
      if ((requests.length - 1 - index) % step === 0) {
        found.push(sum);
      }
    }
    return found;
  };
  return {
    requests: requests.length,
    prunes: prunes.length,
    unit,
    asSent: sums(asSent),
    pruned: sums(pruned),
    ...(recorded === undefined ? {} : { check: recorded }),
  };
}
