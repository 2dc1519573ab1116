import { countAt, numberAt, objectAt, type JsonObject, optionalCountAt } from '../../base/json';
import type { RecordedUsage } from '../../model/transcript';

/** Anthropic's usage object: the three input parts exclude each other. `undefined` when there is none. */
export function readUsage(usage: JsonObject | undefined): RecordedUsage | undefined {
  if (usage === undefined || numberAt(usage, 'input_tokens') === undefined) {
    return undefined;
  }
  const input = countAt(usage, 'input_tokens');
  const cacheRead = countAt(usage, 'cache_read_input_tokens');
  const cacheWrite = countAt(usage, 'cache_creation_input_tokens');
  const output = countAt(usage, 'output_tokens');
  const reasoning = optionalCountAt(objectAt(usage, 'output_tokens_details'), 'thinking_tokens');
  const written = objectAt(usage, 'cache_creation');
  const forHour = countAt(written, 'ephemeral_1h_input_tokens');
  const forMinutes = countAt(written, 'ephemeral_5m_input_tokens');
  if (reasoning === undefined && forHour === 0) {
    // Nearly always, and an object that is written down in one piece is made fastest.
    return forMinutes === 0
      ? { input, cacheRead, cacheWrite, output }
      : { input, cacheRead, cacheWrite, output, cacheLifetime: 300 };
  }
  return {
    input,
    cacheRead,
    cacheWrite,
    output,
    ...(reasoning === undefined ? {} : { reasoning }),
    ...(forHour > 0 || forMinutes > 0 ? { cacheLifetime: forHour > 0 ? 3600 : 300 } : {}),
    ...(forHour > 0 && forMinutes > 0 ? { cacheWriteHour: forHour } : {}),
  };
}
