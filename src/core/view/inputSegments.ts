import type { TokenPrices } from '../model/modelRow';
import type { RecordedUsage } from '../model/transcript';
import { costParts } from '../tokens/prices';

/** A part of a request's input that is billed alike. */
export interface InputSegment {
  readonly part: 'cacheRead' | 'cacheWrite' | 'input';
  /** Offsets of its first token and of the one after its last. */
  readonly from: number;
  readonly to: number;
  /** US dollars for a token; 0 if no price is known. */
  readonly price: number;
}

/** The parts of a request's input that are not empty. It is read from the cache first, then written to it, then fresh. */
export function inputSegments(
  usage: RecordedUsage,
  prices: TokenPrices | undefined,
): readonly InputSegment[] {
  const cost = prices === undefined ? undefined : costParts(prices, usage);
  const segments: InputSegment[] = [];
  let from = 0;
  for (const part of ['cacheRead', 'cacheWrite', 'input'] as const) {
    const to = from + usage[part];
    if (to > from) {
      segments.push({ part, from, to, price: cost === undefined ? 0 : cost[part] / usage[part] });
    }
    from = to;
  }
  return segments;
}
