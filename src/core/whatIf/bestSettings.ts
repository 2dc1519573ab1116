import { readSetting, type Setting } from './settings';

/** The values whose combinations a search tries; an empty text leaves the setting as recorded. */
const grid = {
  prune: ['', 'off', 'opencode', 'opencode,protect=20000,minimum=10000', 'microcompact'],
  lifetime: ['', '5m', '1h'],
  compaction: ['', '100k', '150k'],
} as const;

/** Every choice of settings that the search tries, the recorded one first. */
export function triedSettings(): readonly (readonly Setting[])[] {
  return grid.prune.flatMap(prune =>
    grid.lifetime.flatMap(lifetime =>
      grid.compaction.map(compaction =>
        Object.entries({ prune, lifetime, compaction }).flatMap(
          ([name, value]) => readSetting(`${name}=${value}`) ?? [],
        ),
      ),
    ),
  );
}
