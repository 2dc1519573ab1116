/**
 * A provider's own report on a request's cache: the difference from the request that it was compared with. The names
 * are the providers' own (Anthropic cache diagnostics guide and OpenAI prompt caching diagnostics guide, 2026-11),
 * except for `not_yet_compared` (Anthropic writes null while it compares) and `other` (a name that is in neither
 * guide).
 */
export const cacheDiagnosisTypes = [
  'model_changed',
  'system_changed',
  'tools_changed',
  'messages_changed',
  'previous_message_not_found',
  'unavailable',
  'not_yet_compared',
  'cache_hit',
  'cache_miss',
  'comparison_response_not_found',
  'prompt_cache_key_changed',
  'text_format_changed',
  'reasoning_effort_changed',
  'verbosity_changed',
  'context_compacted',
  'input_changed',
  'service_tier_changed',
  'other',
] as const;
export type CacheDiagnosisType = (typeof cacheDiagnosisTypes)[number];

export interface CacheDiagnosis {
  readonly type: CacheDiagnosisType;
  /** Tokens after the first difference, estimated by the provider. */
  readonly tokens?: number;
}

export function isDiagnosisType(name: string): name is CacheDiagnosisType {
  return cacheDiagnosisTypes.some(type => type === name);
}
