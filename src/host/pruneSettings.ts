import {
  defaultPruneOptions,
  parsePruneOptions,
  pruneMemberNames,
  type PruneOptions,
} from '../core/model/pruneConfig';

export interface PruneSettings {
  readonly options: PruneOptions;
  /** One sentence for each setting that cannot be used and counts as not set. */
  readonly problems: readonly string[];
}

/**
 * Options from the settings that the user has set. Those not set take the default of the chosen rule set, which for the
 * protected tools differs from rule set to rule set.
 */
export function pruneOptionsFrom(settings: Readonly<Record<string, unknown>>): PruneSettings {
  const usable: Record<string, unknown> = {};
  const problems: string[] = [];
  for (const name of pruneMemberNames.filter(member => settings[member] !== undefined)) {
    const parsed = parsePruneOptions({ [name]: settings[name] });
    if (parsed.ok) {
      usable[name] = settings[name];
    } else {
      problems.push(parsed.problem);
    }
  }
  const parsed = parsePruneOptions(usable);
  return { options: parsed.ok ? parsed.value : defaultPruneOptions(), problems };
}
