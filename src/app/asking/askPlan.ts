import type { ModelRow } from '../../core/model/modelRow';
import type { RecordedUsage } from '../../core/model/transcript';
import { requestCost } from '../../core/tokens/prices';
import type { AskForm, AskOrder, AskSide } from '../../protocol/askMessages';
import type { AskSettings } from '../settings/askSettings';

/** Maximum answer of a probe, in tokens. The answer does not matter, but some providers refuse a lower limit. */
const probeOutput = 16;

/** Known facts about the model that is asked. */
export interface ModelFacts {
  readonly prices?: ModelRow['prices'] | undefined;
  readonly cache?: ModelRow['cache'] | undefined;
}

/** The requests of an order: its sides, and how often they are sent in turn. */
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

/** Maximum answer in tokens; 0 if no answer is needed. */
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

/** Maximum cost of all calls in US dollars: nothing is read from a cache, and every answer has the maximum length. */
export function highestCost(
  { prices }: ModelFacts,
  calls: number,
  input: number,
  output: number,
): number | undefined {
  // Prices depend on the length of a single request.
  const cost = output === 0 ? undefined : costOf({ prices }, { input, cacheRead: 0, cacheWrite: 0, output });
  return cost === undefined ? undefined : cost * calls;
}

/** The cost of a usage at today's list prices, in US dollars. */
export function costOf({ prices }: ModelFacts, usage: RecordedUsage): number | undefined {
  return prices === undefined ? undefined : requestCost(prices, usage, Date.now());
}

/**
 * Tokens that sending the same request again should read from the cache. With explicit caching, these are the tokens
 * that the first request read and wrote. Otherwise it is the whole request, rounded down to the provider's step.
 * Undefined if the model's rules are unknown.
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
