import { parsePruneOptions, type PruneOptions } from '../core/model/pruneConfig';
import { pruneSettingKeys } from './manifest';

export interface PruneSettings {
  readonly options: PruneOptions;
  /** One sentence for each setting that was not usable and counts as not set. */
  readonly problems: readonly string[];
}

/**
 * Options from the settings that the user has set. Those not set take the default of the chosen rule set, which for the
 * protected tools differs from rule set to rule set.
 */
export function pruneOptionsFrom(settings: Readonly<Record<string, unknown>>): PruneSettings {
  const usable: Record<string, unknown> = {};
  const problems: string[] = [];
  for (const key of pruneSettingKeys) {
    const value = settings[key];
    if (value === undefined) {
      continue;
    }
    const parsed = parsePruneOptions({ [key]: value });
    if (parsed.ok) {
      usable[key] = value;
    } else {
      problems.push(parsed.problem);
    }
  }
  const parsed = parsePruneOptions(usable);
  if (!parsed.ok) {
    throw new Error(parsed.problem);
  }
  return { options: parsed.value, problems };
}
