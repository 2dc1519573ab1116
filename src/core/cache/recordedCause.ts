import type { CacheDiagnosisType } from '../model/cacheDiagnosis';
import { type CacheBreakCause, type CacheFinding, type RecordedDiagnosis, toolCauses } from './cacheFinding';

const historyCauses = [
  'historyRewritten',
  'volatileValue',
  'compaction',
  'cleared',
  'reasoningDropped',
] as const;

/**
 * The causes that can be meant by what a provider says, the plainest first. Absent where it compared nothing, or says
 * nothing about the cause.
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

/** Whether a cause can be what the provider says; `undefined` where the provider does not say a cause. */
export function agreesWith(diagnosis: RecordedDiagnosis, cause: CacheBreakCause): boolean | undefined {
  return meant[diagnosis.type]?.includes(cause);
}

type Told = Pick<CacheFinding, 'causes' | 'certainty' | 'possible'>;

/**
 * The inferred causes, narrowed by what the provider says. Causes that the transcript shows stay if none of them is what
 * the provider means: both stand side by side.
 */
export function narrowedBy(diagnosis: RecordedDiagnosis | undefined, told: Told): Told {
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
