import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { nextRequest } from '../../../src/core/contextTools/nextRequest';
import { requestUsage } from '../../../src/core/view/sessionCost';
import { openedSamples } from '../../fixtures/openedSamples';
import { skipWithout } from '../../fixtures/sharedFiles';

// Compares the forecast after each recorded request with the usage of the next one.

interface Forecast {
  /** Relative error of the input tokens. */
  readonly tokens: number;
  /** Relative error of the tokens that can be read, where the cache was warm and nothing was dropped. */
  readonly readable: number | undefined;
  /** The cache was called cold, and most of it was read. */
  readonly isFalseAlarm: boolean;
}

const share = (values: readonly number[], part: number): number =>
  values.toSorted((one, other) => one - other)[Math.floor(part * values.length)] ?? Number.NaN;
const percent = (value: number): string => `${(100 * value).toFixed(1)} %`;

describe('forecasts of the next request', { skip: skipWithout('samples') }, () => {
  it('agree with the usage of the next recorded request', async test => {
    const found: Forecast[] = [];
    for await (const { session } of openedSamples()) {
      const { columns, summary } = session;
      const compacted = new Set(summary.compactions.map(({ request }) => request));
      const last = new Map<number, number>();
      columns.requests.thread.forEach((thread, request) => {
        const before = last.get(thread);
        last.set(thread, request);
        const usage = requestUsage(columns, request);
        if (before === undefined || usage === undefined || compacted.has(request)) {
          return;
        }
        const next = nextRequest(session, thread, before);
        const sent = usage.input + usage.cacheRead + usage.cacheWrite;
        const time = columns.requests.timestamp[request] ?? Number.NaN;
        if (next === undefined || sent === 0 || next.tokens === 0) {
          return;
        }
        const isCold = next.coldAt !== undefined && next.coldAt <= time;
        const isRead = usage.cacheRead >= 0.5 * next.readable;
        found.push({
          tokens: Math.abs(next.tokens - sent) / sent,
          readable:
            isCold || !isRead || next.readable === 0
              ? undefined
              : Math.abs(next.readable - usage.cacheRead) / next.readable,
          isFalseAlarm: isCold && isRead && next.readable > 0,
        });
      });
    }
    const tokens = found.map(each => each.tokens);
    const readable = found.flatMap(each => each.readable ?? []);
    const alarms = (100 * found.filter(each => each.isFalseAlarm).length) / found.length;
    test.diagnostic(
      [
        `${found.length} requests`,
        `input: median error ${percent(share(tokens, 0.5))}, 90th percentile ${percent(share(tokens, 0.9))}`,
        `readable: median ${percent(share(readable, 0.5))}, 90th percentile ${percent(share(readable, 0.9))}`,
        `false alarms per 100 requests: ${alarms.toFixed(2)}`,
      ].join('; '),
    );
    assert.ok(found.length > 100);
    assert.ok(share(tokens, 0.5) <= 0.05 && share(readable, 0.5) <= 0.05 && alarms <= 1);
  });
});
