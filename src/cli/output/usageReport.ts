import { entryOf } from '../../core/base/entryOf';
import { translate } from '../../core/base/translate';
import type { RecordedRequest, Transcript } from '../../core/model/transcript';
import type { UsageSum } from '../../core/export/inspectReport';
import { tableLines } from './tableLines';
import { inLines, number } from './words';

/** The output of `inspect --usage-only --json`: recorded tokens of all requests of the file, including subagents. */
export interface UsageReport {
  readonly format: string;
  readonly agent: Transcript['agent'];
  /** By day, then by model. */
  readonly rows: readonly UsageRow[];
  readonly total: UsageCount;
}

export interface UsageCount extends UsageSum {
  readonly requests: number;
  /** Number of requests without recorded usage. */
  readonly withoutUsage: number;
}

export interface UsageRow extends UsageCount {
  /** `2026-01-31` in UTC; null if the request has no time. */
  readonly day: string | null;
  /** Null if no model is recorded. */
  readonly model: string | null;
}

export function usageReport({ format, agent, requests }: Transcript): UsageReport {
  const groups = new Map<string, { day: string | null; model: string | null; requests: RecordedRequest[] }>();
  for (const request of requests) {
    const { timestamp, model = null } = request;
    const day = timestamp === undefined ? null : new Date(timestamp).toISOString().slice(0, 10);
    entryOf(groups, `${day ?? ''} ${model ?? ''}`, () => ({ day, model, requests: [] })).requests.push(
      request,
    );
  }
  return {
    format,
    agent,
    rows: [...groups.entries()]
      .sort(([first], [second]) => (first < second ? -1 : 1))
      .map(([, { day, model, requests: ofGroup }]) => ({ day, model, ...countUsage(ofGroup) })),
    total: countUsage(requests),
  };
}

function countUsage(requests: readonly RecordedRequest[]): UsageCount {
  const sum = {
    requests: requests.length,
    withoutUsage: 0,
    input: 0,
    cacheRead: 0,
    cacheWrite: 0,
    output: 0,
  };
  for (const { usage } of requests) {
    if (usage === undefined) {
      sum.withoutUsage += 1;
    } else {
      sum.input += usage.input;
      sum.cacheRead += usage.cacheRead;
      sum.cacheWrite += usage.cacheWrite;
      sum.output += usage.output;
    }
  }
  return sum;
}

/** The report as a table for the terminal. */
export function describeUsage({ agent, rows, total }: UsageReport): string {
  const figures = (count: UsageCount): readonly string[] =>
    [count.requests, count.input, count.cacheRead, count.cacheWrite, count.output].map(number);
  const lines = [
    [
      translate('day (UTC)'),
      translate('model'),
      translate('requests'),
      translate('uncached input'),
      translate('cache reads'),
      translate('cache writes'),
      translate('output'),
    ],
    ...rows.map(row => [
      row.day ?? translate('no time'),
      row.model ?? translate('not recorded'),
      ...figures(row),
    ]),
    [translate('total'), '', ...figures(total)],
  ];
  const table = tableLines(lines, 2);
  const missing =
    total.withoutUsage === 0
      ? []
      : [
          translate(
            '{0, plural, one {# request has} other {# requests have}} no recorded usage.',
            total.withoutUsage,
          ),
        ];
  return inLines([agent.name, ...table, ...missing]);
}
