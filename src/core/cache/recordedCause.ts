import type { CacheDiagnosisType } from '../model/cacheDiagnosis';
import { type CacheBreakCause, type RecordedDiagnosis, toolCauses, type ToldCauses } from './cacheFinding';

const historyCauses = [
  'historyRewritten',
  'volatileValue',
  'compaction',
  'cleared',
  'reasoningDropped',
] as const;

/**
 * The causes that a report of a provider can mean, the most common first. Absent if the provider compared nothing or
 * names no cause.
 */
const meant: Readonly<Partial<Record<CacheDiagnosisType, readonly [CacheBreakCause, ...CacheBreakCause[]]>>> =
  {
    model_changed: ['modelChanged'],
    system_changed: ['systemChanged', 'volatileValue'],
    tools_changed: ['toolsChanged', ...toolCauses],
    messages_changed: historyCauses,
    prompt_cache_key_changed: ['settingsChanged'],
    text_format_changed: ['settingsChanged'],
    reasoning_effort_changed: ['settingsChanged'],
    verbosity_changed: ['settingsChanged'],
    service_tier_changed: ['settingsChanged'],
    context_compacted: ['compaction', 'cleared'],
    input_changed: [...historyCauses, 'systemChanged'],
  };

/** True if the report of the provider can mean this cause; `undefined` if it names no cause. */
export function agreesWith(diagnosis: RecordedDiagnosis, cause: CacheBreakCause): boolean | undefined {
  const names = meant[diagnosis.type];
  // Tools and system text are the unrecorded parts of an incomplete request.
  return cause === 'unrecordedChanged'
    ? names?.some(name => name === 'toolsChanged' || name === 'systemChanged')
    : names?.includes(cause);
}

/**
 * The inferred causes, narrowed by the report of the provider. If the report fits none of the causes shown by the
 * transcript, both are kept.
 */
export function narrowedBy(diagnosis: RecordedDiagnosis | undefined, told: ToldCauses): ToldCauses {
  const names = diagnosis === undefined ? undefined : meant[diagnosis.type];
  if (names === undefined) {
    return told;
  }
  const [shown, ...others] = told.causes.filter(cause => names.includes(cause));
  if (shown !== undefined) {
    return { causes: [shown, ...others], certainty: 'recorded', possible: [] };
  }
  if (told.certainty === 'shown') {
    return told;
  }
  const possible = told.possible.filter(cause => names.includes(cause));
  return {
    causes: [names.find(cause => possible.includes(cause)) ?? names[0]],
    certainty: 'recorded',
    possible: possible.length > 1 ? possible : [],
  };
}
