import { arrayAt, countAt, member, objectAt, stringAt, timeAt } from '../../base/json';
import type { RecordedRequest, RecordedUsage } from '../../model/transcript';
import { readUsage } from '../../wire/usage';

/** The metrics in a conversation's statistics, by usage id: the agent's own, the condenser's. */
function metricsIn(stats: unknown): readonly (readonly [string, unknown])[] {
  return Object.entries(objectAt(stats, 'usage_to_metrics') ?? {});
}

/** Usage by response id, from the metrics of a run or from the latest statistics of a conversation's state. */
export function usagesById(
  events: readonly (readonly [event: unknown, ...unknown[]])[],
  state: unknown,
): ReadonlyMap<string, RecordedUsage> {
  const usages = new Map<string, RecordedUsage>();
  const add = (metrics: unknown): void => {
    for (const item of arrayAt(metrics, 'token_usages')) {
      const id = stringAt(item, 'response_id');
      const usage = readUsage(item, 'openaiChat');
      if (id !== undefined && usage !== undefined) {
        usages.set(id, usage);
      }
    }
  };
  const addStatistics = (stats: unknown): void => {
    metricsIn(stats).forEach(([, metrics]) => {
      add(metrics);
    });
  };
  for (const [event] of events) {
    addStatistics(member(event, 'value'));
    addStatistics(objectAt(objectAt(event, 'value'), 'stats'));
  }
  add(objectAt(state, 'metrics'));
  addStatistics(objectAt(state, 'stats'));
  return usages;
}

/** A call that is visible only in the running totals. */
export interface CountedCall {
  readonly usage: RecordedUsage;
  readonly model: string | undefined;
  readonly timestamp: number | undefined;
  readonly line: number;
  /** The content sent to the model when the totals changed. */
  readonly sent: Pick<RecordedRequest, 'context' | 'length'>;
}

const counts = [
  'prompt_tokens',
  'completion_tokens',
  'cache_read_tokens',
  'cache_write_tokens',
  'reasoning_tokens',
] as const;

/**
 * Derives the usage of single calls from the totals that the SDK notes after each call. Used if no usage has a response
 * id. The event with the new totals comes right before the reply's event.
 */
export class RunningTotals {
  private readonly totals = new Map<string, unknown>();

  /** The calls since the last event of this kind: the difference of the totals of each usage id. */
  callsIn(event: unknown, line: number, sent: () => CountedCall['sent']): readonly CountedCall[] {
    const value = objectAt(event, 'value');
    return metricsIn(objectAt(value, 'stats') ?? value).flatMap(([use, metrics]): CountedCall[] => {
      const total = objectAt(metrics, 'accumulated_token_usage');
      const last = this.totals.get(use);
      this.totals.set(use, total);
      if (last === undefined && countAt(total, 'per_turn_token') < countAt(total, 'prompt_tokens')) {
        // The calls before this file, which may continue an earlier session.
        return [];
      }
      const usage = Object.fromEntries(
        counts.map(name => [name, Math.max(0, countAt(total, name) - countAt(last, name))]),
      );
      const read = counts.some(name => usage[name] !== 0) ? readUsage(usage, 'openaiChat') : undefined;
      return read === undefined
        ? []
        : [
            {
              usage: read,
              model: stringAt(total, 'model') ?? stringAt(metrics, 'model_name'),
              timestamp: timeAt(event, 'timestamp'),
              line,
              sent: sent(),
            },
          ];
    });
  }
}
