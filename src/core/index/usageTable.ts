import { csvCell } from '../base/csvCell';
import { usageFigures, type UsageOverview, type UsageSumRow } from './usageTypes';

/** The rows of an overview as comma-separated values, after a line of names. */
export function usageCsv({ rows }: Pick<UsageOverview, 'rows'>): readonly string[] {
  const [first] = rows;
  const names = [
    'key',
    ...(first?.title === undefined ? [] : ['title']),
    ...(first?.part === undefined ? [] : ['part', 'calls']),
    ...(first?.subagents === undefined ? [] : ['subagents']),
  ];
  const cells = (row: UsageSumRow): readonly (string | number)[] => [
    row.key,
    ...(row.title === undefined ? [] : [row.title]),
    ...(row.part === undefined ? [] : [row.part, row.calls ?? '']),
    ...(row.subagents === undefined ? [] : [String(row.subagents)]),
    ...usageFigures.map(figure => row[figure]),
  ];
  return [[...names, ...usageFigures].join(','), ...rows.map(row => cells(row).map(csvCell).join(','))];
}
