import { countAt, numberAt, objectAt } from '../json';
import type { RecordedUsage } from '../model/transcript';
import { usageWithCacheInside } from './requestTimeline';

/** Usage as the Responses API reports it: its input includes what was read from the cache. */
export function readResponsesUsage(usage: unknown): RecordedUsage | undefined {
  if (numberAt(usage, 'input_tokens') === undefined) {
    return undefined;
  }
  const reasoning = numberAt(objectAt(usage, 'output_tokens_details'), 'reasoning_tokens');
  return usageWithCacheInside(countAt(usage, 'input_tokens'), {
    cacheRead: countAt(objectAt(usage, 'input_tokens_details'), 'cached_tokens'),
    cacheWrite: 0,
    output: countAt(usage, 'output_tokens'),
    ...(reasoning === undefined ? {} : { reasoning: Math.max(0, Math.round(reasoning)) }),
  });
}
