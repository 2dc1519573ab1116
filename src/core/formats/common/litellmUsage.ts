import { countAt, numberAt, objectAt } from '../../base/json';
import type { RecordedUsage } from '../../model/transcript';
import { usageWithCacheInside } from './requestTimeline';

/** Usage as LiteLLM brings it to one form: prompt tokens include what was read from the cache and written to it. */
export function readLitellmUsage(usage: unknown): RecordedUsage | undefined {
  if (numberAt(usage, 'prompt_tokens') === undefined) {
    return undefined;
  }
  const reasoning = numberAt(objectAt(usage, 'completion_tokens_details'), 'reasoning_tokens');
  return usageWithCacheInside(countAt(usage, 'prompt_tokens'), {
    cacheRead: Math.max(
      countAt(usage, 'cache_read_input_tokens'),
      countAt(usage, 'cache_read_tokens'),
      countAt(objectAt(usage, 'prompt_tokens_details'), 'cached_tokens'),
      countAt(usage, 'prompt_cache_hit_tokens'),
    ),
    cacheWrite: Math.max(
      countAt(usage, 'cache_creation_input_tokens'),
      countAt(usage, 'cache_write_tokens'),
      countAt(objectAt(usage, 'prompt_tokens_details'), 'cache_write_tokens'),
    ),
    output: countAt(usage, 'completion_tokens'),
    ...(reasoning === undefined ? {} : { reasoning: Math.max(0, Math.round(reasoning)) }),
  });
}
