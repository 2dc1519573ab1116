import {
  defaultPruneOptions,
  parsePruneOptions,
  pruneMemberNames,
  type PruneOptions,
} from '../../core/model/pruneConfig';

export interface PruneSettings {
  readonly options: PruneOptions;
  /** One sentence for each invalid setting. It counts as not set. */
  readonly problems: readonly string[];
}

/**
 * Options from the settings that are set explicitly. Other options have the defaults of the chosen rule set, because
 * the defaults differ between rule sets.
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
