import { countAt, numberAt, objectAt, optionalCountAt } from '../../base/json';
import type { RecordedUsage } from '../../model/transcript';
import { usageWithCacheInside } from './requestTimeline';

/**
 * Usage as the chat API reports it. Its prompt tokens include what was read from the cache and, from GPT-5.6 on, what was
 * written to it (`cache_write_tokens`; openai 6.49.0 types and OpenAI prompt caching guide, 2026-09). DeepSeek names its
 * cache hits differently.
 */
export function readOpenaiUsage(usage: unknown): RecordedUsage | undefined {
  if (numberAt(usage, 'prompt_tokens') === undefined) {
    return undefined;
  }
  const cached = objectAt(usage, 'prompt_tokens_details');
  const reasoning = optionalCountAt(objectAt(usage, 'completion_tokens_details'), 'reasoning_tokens');
  return usageWithCacheInside(countAt(usage, 'prompt_tokens'), {
    cacheRead:
      cached === undefined ? countAt(usage, 'prompt_cache_hit_tokens') : countAt(cached, 'cached_tokens'),
    cacheWrite: countAt(cached, 'cache_write_tokens'),
    output: countAt(usage, 'completion_tokens'),
    ...(reasoning === undefined ? {} : { reasoning }),
  });
}
