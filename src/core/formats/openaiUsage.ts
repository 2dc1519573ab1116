import { countAt, numberAt, objectAt, optionalCountAt } from '../json';
import type { RecordedUsage } from '../model/transcript';

/**
 * Usage as the chat API reports it. Its prompt tokens include what was read from the cache, which is taken out here;
 * writes to the cache are not reported. DeepSeek names its cache hits differently.
 */
export function readOpenaiUsage(usage: unknown): RecordedUsage | undefined {
  if (numberAt(usage, 'prompt_tokens') === undefined) {
    return undefined;
  }
  const prompt = countAt(usage, 'prompt_tokens');
  const cached = objectAt(usage, 'prompt_tokens_details');
  const cacheRead = Math.min(
    prompt,
    cached === undefined ? countAt(usage, 'prompt_cache_hit_tokens') : countAt(cached, 'cached_tokens'),
  );
  const reasoning = optionalCountAt(objectAt(usage, 'completion_tokens_details'), 'reasoning_tokens');
  return {
    input: prompt - cacheRead,
    cacheRead,
    cacheWrite: 0,
    output: countAt(usage, 'completion_tokens'),
    ...(reasoning === undefined ? {} : { reasoning }),
  };
}
