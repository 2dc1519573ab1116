import type { UsageResult } from '../../src/protocol/indexService';
import { sumText } from '../../src/core/tokens/usageFigures';
import type { UsageFigures } from '../../src/core/model/usageFigures';
import { folderNames } from '../../src/core/finder/projectNames';
import { formatMeasure, usageWords as words } from '../words/usage';
import { notKnown } from '../words/usageSums';
import type { UsageViewState } from './usageState';

export type UsagePeriod = UsageResult<'usage'>;
type Group = UsagePeriod['groups'][number];
export type Measure = UsageViewState['measure'];

/** Number of groups with a colour of their own; the others share one. */
export const mostColours = 4;

/** A part of the bars. */
export interface Part {
  readonly id: string;
  /** The key of its group; undefined for all other groups together. */
  readonly key: string | undefined;
  readonly name: string;
  readonly byDay: readonly number[];
}

const sumOf = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0);

/** All tokens of a sum, or its money. */
export const measured = (
  sum: Pick<Group, 'input' | 'cacheRead' | 'cacheWrite' | 'output' | 'money'>,
  measure: Measure,
): number => (measure === 'money' ? sum.money : sum.input + sum.cacheRead + sum.cacheWrite + sum.output);

export const daysOf = (group: Group, measure: Measure): readonly number[] =>
  measure === 'money' ? group.moneyByDay : group.tokensByDay;

/** The growth factor of a part of a bar. Factors with a sum below 1 would not fill it. */
export const growth = (value: number, sum: number): number => (sum === 0 ? 0 : (value / sum) * 100);

/** A sum in a measure. */
export function worthOf(sum: Parameters<typeof measured>[0] & UsageFigures, measure: Measure): string {
  return measure === 'tokens' ? formatMeasure(measured(sum, measure), measure) : (sumText(sum) ?? notKnown);
}

type Named = Pick<Group, 'key' | 'subagents'>;

/** The names of groups. Projects have as much of their path as needed to distinguish them. */
function namesOf(groups: readonly Named[], stack: UsageViewState['stack']): (group: Named) => string {
  const folders = folderNames(stack === 'project' ? groups.map(({ key }) => key) : []);
  return ({ key, subagents }) => {
    const name = key === '' ? words.notRecorded : (folders.get(key) ?? key);
    return subagents === true ? words.ofSubagents(name) : name;
  };
}

/** The groups in order of size: those with a colour of their own, and all others together. */
export function partsOf({ groups, days }: UsagePeriod, stack: UsageViewState['stack'], measure: Measure) {
  const sorted = [...groups].sort((first, second) => measured(second, measure) - measured(first, measure));
  const main = sorted.slice(0, mostColours);
  const others = sorted.slice(mostColours);
  const nameOf = namesOf(sorted, stack);
  const parts: Part[] = main.map((group, index) => ({
    id: String(index),
    key: group.key,
    name: nameOf(group),
    byDay: daysOf(group, measure),
  }));
  if (others.length > 0) {
    parts.push({
      id: 'others',
      key: undefined,
      name: words.others(others.length),
      byDay: days.map((_, day) => sumOf(others.map(group => daysOf(group, measure)[day] ?? 0))),
    });
  }
  return { sorted, parts, nameOf };
}

/** Round values for the lines behind the bars, from 0 on. The last one is above all bars. */
export function axisOf(highest: number): readonly number[] {
  const rough = Math.max(highest, Number.MIN_VALUE) / 4;
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = ([1, 2, 5, 10].find(factor => factor * power >= rough) ?? 10) * power;
  return Array.from({ length: Math.ceil(highest / step) + 1 }, (_, line) => line * step);
}
