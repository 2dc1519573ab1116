import * as v from 'valibot';
import type { Described } from '../../src/core/base/schema';
import { promptRoles } from '../../src/core/model/labels';
import { sources } from '../../src/core/model/source';
import type { IndexParams, UsageResult } from '../../src/protocol/indexService';

/** The fields that accept a part of a name. */
export const nameFilters = ['agent', 'project', 'tool', 'model', 'file'] as const;

const name = v.exactOptional(v.string());

/** The filters of a search. Days are written `2026-01-31`. */
export const searchFilters = v.object({
  source: v.exactOptional(v.picklist(sources)),
  role: v.exactOptional(v.picklist(promptRoles)),
  agent: name,
  project: name,
  tool: name,
  model: name,
  file: name,
  isError: v.exactOptional(v.boolean()),
  from: name,
  to: name,
});
export type SearchFilters = Described<typeof searchFilters>;

/** The filters without those that are empty. */
export function setFilters(filters: {
  readonly [Name in keyof SearchFilters]?: SearchFilters[Name] | undefined;
}): SearchFilters {
  const set = Object.entries(filters).filter(
    ([, value]) => value !== undefined && value !== '' && value !== false,
  );
  const parsed = v.safeParse(searchFilters, Object.fromEntries(set));
  return parsed.success ? parsed.output : {};
}

export type FoundHits = UsageResult<'search'>;
export type FoundHit = FoundHits['hits'][number];

/** Number of filters besides the source, which has its chips. */
export function countFilters({ source: _, ...filters }: SearchFilters): number {
  return Object.keys(filters).length;
}

/** True if the filters alone are enough for a search. */
export function hasFilters(filters: SearchFilters): boolean {
  return Object.keys(filters).length > 0;
}

/** The question for the index. Days are those of this machine's time zone. */
export function questionOf(
  text: string,
  { from, to, ...filters }: SearchFilters,
  most: number,
): IndexParams<'search'> {
  const since = startOfDay(from, 0);
  const until = startOfDay(to, 1);
  return {
    text,
    ...filters,
    ...(since === undefined ? {} : { since }),
    ...(until === undefined ? {} : { until }),
    most,
  };
}

/** Milliseconds since 1970 at the beginning of a day, or of the day this many days later. */
function startOfDay(day: string | undefined, later: number): number | undefined {
  const [year = Number.NaN, month = 0, date = 0] = (day ?? '').split('-').map(Number);
  const start = new Date(year, month - 1, date + later).getTime();
  return day === undefined || Number.isNaN(start) ? undefined : start;
}
