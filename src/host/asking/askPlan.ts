import type { ModelRow } from '../../core/model/modelRow';
import type { RecordedUsage } from '../../core/model/transcript';
import { requestCost } from '../../core/tokens/prices';
import type { AskForm, AskOrder, AskSide } from '../../protocol/askMessages';
import type { AskSettings } from './askSettings';

/** Longest answer of a probe, in tokens: its answer is of no interest, and less is refused by some providers. */
const probeOutput = 16;

/** What is known of the model that is asked. */
export interface ModelFacts {
  readonly prices?: ModelRow['prices'] | undefined;
  readonly cache?: ModelRow['cache'] | undefined;
}

/** The requests that an order sends: which sides there are, and how often each is sent in turn. */
export function sidesOf(order: AskOrder): { readonly sides: readonly AskSide[]; readonly rounds: number } {
  switch (order.form) {
    case 'replay':
    case 'question':
    case 'count':
      return { sides: [order.prune === undefined ? 'recorded' : 'pruned'], rounds: 1 };
    case 'compare':
      return { sides: ['recorded', 'pruned'], rounds: order.times };
    case 'probe':
      return { sides: ['first', 'second'], rounds: 1 };
  }
}

export function callsOf(order: AskOrder): number {
  const { sides, rounds } = sidesOf(order);
  return order.form === 'count' ? order.times : sides.length * rounds;
}

/** Longest answer in tokens; 0 where none is asked for. */
export function outputOf(form: AskForm, { maximumOutput }: AskSettings): number {
  switch (form) {
    case 'count':
      return 0;
    case 'probe':
      return Math.min(probeOutput, maximumOutput);
    case 'replay':
    case 'compare':
    case 'question':
      return maximumOutput;
  }
}

/** US dollars for all calls at most: nothing is read from a cache, and every answer is as long as allowed. */
export function highestCost(
  { prices }: ModelFacts,
  calls: number,
  input: number,
  output: number,
): number | undefined {
  // Prices depend on the length of one request.
  const cost = output === 0 ? undefined : costOf({ prices }, { input, cacheRead: 0, cacheWrite: 0, output });
  return cost === undefined ? undefined : cost * calls;
}

/** What a usage costs at list prices today. */
export function costOf({ prices }: ModelFacts, usage: RecordedUsage): number | undefined {
  return prices === undefined ? undefined : requestCost(prices, usage, Date.now());
}

/**
 * What a second send of the same request should read from the cache: with marks what the first one read and wrote, else
 * all of it in the provider's steps. Undefined where the model's rules are not known.
 */
export function repeatedRead(
  { cache }: ModelFacts,
  { input, cacheRead, cacheWrite }: RecordedUsage,
): number | undefined {
  if (cache === undefined) {
    return undefined;
  }
  if (cache.explicit) {
    return cacheRead + cacheWrite;
  }
  const whole = input + cacheRead + cacheWrite;
  const step = cache.granularityTokens ?? 1;
  return whole < (cache.minimumTokens ?? 0) ? 0 : whole - (whole % step);
}
