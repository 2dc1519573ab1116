import { countAt, numberAt, objectAt } from '../../base/json';
import type { RecordedUsage } from '../../model/transcript';
import { usageWithCacheInside } from './requestTimeline';

/**
 * Usage as the Responses API reports it: its input includes what was read from the cache and, from GPT-5.6 on, what was
 * written to it (openai 6.49.0 types and OpenAI prompt caching guide, 2026-09).
 */
export function readResponsesUsage(usage: unknown): RecordedUsage | undefined {
  if (numberAt(usage, 'input_tokens') === undefined) {
    return undefined;
  }
  const reasoning = numberAt(objectAt(usage, 'output_tokens_details'), 'reasoning_tokens');
  const cached = objectAt(usage, 'input_tokens_details');
  return usageWithCacheInside(countAt(usage, 'input_tokens'), {
    cacheRead: countAt(cached, 'cached_tokens'),
    cacheWrite: countAt(cached, 'cache_write_tokens'),
    output: countAt(usage, 'output_tokens'),
    ...(reasoning === undefined ? {} : { reasoning: Math.max(0, Math.round(reasoning)) }),
  });
}
