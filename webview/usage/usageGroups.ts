import type { UsageResult } from '../../src/protocol/indexService';
import { lastName } from '../../src/core/finder/pathPattern';
import { usageWords as words } from '../words/usage';
import type { UsageViewState } from './usageState';

export type UsagePeriod = UsageResult<'usage'>;
type Group = UsagePeriod['groups'][number];
export type Measure = UsageViewState['measure'];

/** So many groups have a colour of their own; the others share one. */
export const mostColours = 4;

/** A part of the bars. */
export interface Part {
  readonly id: string;
  /** The key of its group; undefined for what is left. */
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

/** How a part of a bar grows: factors that add up to less than 1 would not fill it. */
export const growth = (value: number, sum: number): number => (sum === 0 ? 0 : (value / sum) * 100);

/** The share of the input that was read from the cache; undefined without input. */
export function cachedShare({
  input,
  cacheRead,
  cacheWrite,
}: Pick<Group, 'input' | 'cacheRead' | 'cacheWrite'>): number | undefined {
  const whole = input + cacheRead + cacheWrite;
  return whole === 0 ? undefined : cacheRead / whole;
}

export function nameOf(group: Pick<Group, 'key' | 'subagents'>, stack: UsageViewState['stack']): string {
  const name =
    group.key === '' ? words.notRecorded : stack === 'project' ? lastName(group.key) || group.key : group.key;
  return group.subagents === true ? words.ofSubagents(name) : name;
}

/** The groups in the order of their measure: those with a colour of their own, and all others. */
export function partsOf({ groups, days }: UsagePeriod, stack: UsageViewState['stack'], measure: Measure) {
  const sorted = [...groups].sort((first, second) => measured(second, measure) - measured(first, measure));
  const main = sorted.slice(0, mostColours);
  const others = sorted.slice(mostColours);
  const parts: Part[] = main.map((group, index) => ({
    id: String(index),
    key: group.key,
    name: nameOf(group, stack),
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
  return { sorted, parts };
}

/** Round values for the lines behind the bars, from 0 on; the last one is above all bars. */
export function axisOf(highest: number): readonly number[] {
  const rough = Math.max(highest, Number.MIN_VALUE) / 4;
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = ([1, 2, 5, 10].find(factor => factor * power >= rough) ?? 10) * power;
  return Array.from({ length: Math.ceil(highest / step) + 1 }, (_, line) => line * step);
}
