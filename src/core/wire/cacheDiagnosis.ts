import { isObject, member, objectAt, optionalCountAt, stringAt } from '../base/json';
import { type CacheDiagnosis, isDiagnosisType } from '../model/cacheDiagnosis';

/** Counts from here on are invalid: the columns have 31 bits. */
const largestCount = 2_000_000_000;

/**
 * The provider's verdict on the cache in a response: Anthropic's `diagnostics`, which is null for a first turn and if
 * nothing differs, or OpenAI's `prompt_cache_diagnostics`. `undefined` if there is none.
 */
export function readDiagnosis(response: unknown): CacheDiagnosis | undefined {
  const diagnostics = objectAt(response, 'diagnostics');
  if (diagnostics !== undefined) {
    const reason = member(diagnostics, 'cache_miss_reason');
    return reason === null
      ? { type: 'not_yet_compared' }
      : diagnosis(stringAt(reason, 'type'), reason, 'cache_missed_input_tokens');
  }
  const compared = objectAt(response, 'prompt_cache_diagnostics');
  return diagnosis(
    stringAt(compared, 'reason') ?? stringAt(compared, 'type'),
    compared,
    'cache_missed_tokens',
  );
}

function diagnosis(name: string | undefined, holder: unknown, count: string): CacheDiagnosis | undefined {
  if (name === undefined || !isObject(holder)) {
    return undefined;
  }
  const tokens = optionalCountAt(holder, count) ?? largestCount;
  const type = isDiagnosisType(name) ? name : 'other';
  return tokens < largestCount ? { type, tokens } : { type };
}
