import { isObject, objectAt, optionalCountAt } from '../../base/json';
import type { TranscriptBuilder } from '../../content/transcriptBuilder';
import type { RecordedUsage } from '../../model/transcript';
import { inputOf } from '../../tokens/prices';
import { readUsage } from '../../wire/usage';

/**
 * Reads the totals that Copilot writes at the end of a session: calls and usage since its beginning, by model. If the
 * log has all calls of a model and exactly one lacks its input, that call gets the remainder. If several calls lack
 * input, the remainder belongs to no single request.
 */
export function placeTotals({ requests }: TranscriptBuilder, shutdown: unknown): void {
  const metrics =
    objectAt(shutdown, 'modelMetrics') ?? objectAt(objectAt(shutdown, 'accountingSnapshot'), 'modelMetrics');
  for (const [model, found] of Object.entries(isObject(metrics) ? metrics : {})) {
    const total = readUsage(objectAt(found, 'usage'), 'camelCase');
    const own = requests.flatMap((request, index) => (request.model === model ? [{ request, index }] : []));
    const [open, ...others] = own.filter(
      ({ request }) => request.usage === undefined || inputOf(request.usage) === 0,
    );
    if (
      total === undefined ||
      open === undefined ||
      others.length > 0 ||
      optionalCountAt(objectAt(found, 'requests'), 'count') !== own.length
    ) {
      continue;
    }
    const usage = own.reduce(
      (rest, { request }) => (request === open.request ? rest : without(rest, request.usage)),
      total,
    );
    if (Math.min(usage.input, usage.cacheRead, usage.cacheWrite, usage.output) >= 0 && inputOf(usage) > 0) {
      requests[open.index] = { ...open.request, usage };
    }
  }
}

function without(total: RecordedUsage, part: RecordedUsage | undefined): RecordedUsage {
  const less = (name: 'input' | 'cacheRead' | 'cacheWrite' | 'output'): number =>
    total[name] - (part?.[name] ?? 0);
  return {
    input: less('input'),
    cacheRead: less('cacheRead'),
    cacheWrite: less('cacheWrite'),
    output: less('output'),
  };
}
