import { countAt, numberAt, objectAt, type JsonObject, optionalCountAt } from '../json';
import type { RecordedUsage } from '../model/transcript';

/** Anthropic's usage object: the three input parts exclude each other. `undefined` when there is none. */
export function readUsage(usage: JsonObject | undefined): RecordedUsage | undefined {
  if (usage === undefined || numberAt(usage, 'input_tokens') === undefined) {
    return undefined;
  }
  const reasoning = optionalCountAt(objectAt(usage, 'output_tokens_details'), 'thinking_tokens');
  return {
    input: countAt(usage, 'input_tokens'),
    cacheRead: countAt(usage, 'cache_read_input_tokens'),
    cacheWrite: countAt(usage, 'cache_creation_input_tokens'),
    output: countAt(usage, 'output_tokens'),
    ...(reasoning === undefined ? {} : { reasoning }),
    ...cacheLifetime(objectAt(usage, 'cache_creation')),
  };
}

function cacheLifetime(
  written: JsonObject | undefined,
): Pick<RecordedUsage, 'cacheLifetime' | 'cacheWriteHour'> {
  const forHour = countAt(written, 'ephemeral_1h_input_tokens');
  const forMinutes = countAt(written, 'ephemeral_5m_input_tokens');
  if (forHour > 0) {
    return { cacheLifetime: 3600, ...(forMinutes === 0 ? {} : { cacheWriteHour: forHour }) };
  }
  return forMinutes > 0 ? { cacheLifetime: 300 } : {};
}
