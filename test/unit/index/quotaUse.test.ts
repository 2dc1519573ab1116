import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { QuotaSums } from '../../../src/core/index/quotaUse';
import { quotaWindowText } from '../../../src/core/tokens/quotaWords';
import type { UsageWish } from '../../../src/core/index/usageTypes';
import { lookUpModel } from '../../../src/core/tokens/modelTable';
import type { Index } from '../../../src/node/index/indexTypes';
import { limitedSession } from '../../fixtures/codexQuota';
import { IndexedHome } from '../../fixtures/indexedHome';

const at = (day: number, hour: number): Date => new Date(Date.UTC(2026, 2, day, hour));
const after1 = (date: Date): Date => new Date(date.getTime() + 1000);
const [morning, evening, week] = [at(2, 12), at(2, 20), at(8, 6)];
const ids = ['a', 'b', 'c', 'd'].map(letter => `0${letter}000000-0000-7000-8000-000000000000`);

describe('the windows of limits', () => {
  const home = new IndexedHome();
  let index: Index;
  const report = async (period: Pick<UsageWish, 'since' | 'until'> = {}) => {
    const sums = new QuotaSums(lookUpModel, period);
    await index.usage(file => sums.add(file.path, file));
    return sums.report();
  };

  before(async () => {
    const write = (place: number, requests: Parameters<typeof limitedSession>[2], parent?: string): void => {
      const id = ids[place] ?? '';
      home.write(
        `.codex/sessions/2026/03/02/rollout-2026-03-02T08-00-00-${id}.jsonl`,
        limitedSession(id, `Prompt ${place}`, requests, parent === undefined ? {} : { parent }),
      );
    };
    // Before noon in two windows, after it in the weekly one alone.
    write(0, [
      {
        at: at(2, 8),
        input: 10_000,
        output: 10,
        limits: [
          [300, 20, morning],
          [10_080, 5, week],
        ],
      },
      {
        at: at(2, 14),
        input: 30_000,
        output: 10,
        limits: [[10_080, 9, after1(week)]],
      },
    ]);
    write(1, [
      {
        at: at(2, 10),
        input: 20_000,
        output: 10,
        limits: [
          [300, 90, after1(morning)],
          [10_080, 7, week],
        ],
      },
    ]);
    write(2, [{ at: at(2, 11), input: 40_000, output: 10, limits: [[300, 100, morning]] }], ids[1]);
    // Another window that this request begins, and no limits at all.
    const before = new Date(at(2, 15).getTime() - 30_000);
    write(3, [{ at: before, input: 50_000, output: 10, limits: [[300, 2, evening]] }]);
    home.write(
      `.codex/sessions/2026/03/02/rollout-2026-03-02T08-00-00-0e000000-0000-7000-8000-000000000000.jsonl`,
      limitedSession('0e000000-0000-7000-8000-000000000000', 'By key', [
        { at: at(2, 9), input: 99_000, output: 10, limits: [] },
      ]),
    );
    index = home.open();
    await home.update(index);
  });
  after(() => home.remove());

  it('name the sessions that recorded them, with the requests in the window, the largest first', async () => {
    const found = await report();
    assert.deepEqual(
      found.map(({ minutes, used, at: recorded, total, sessions }) => ({
        minutes,
        used,
        recorded: new Date(recorded).toISOString().slice(8, 13),
        input: total.input,
        sessions: sessions.map(({ key, title, input, requests }) => [
          ids.indexOf(key),
          title,
          input,
          requests,
        ]),
      })),
      [
        {
          minutes: 10_080,
          used: 0.09,
          recorded: '02T14',
          input: 60_000,
          sessions: [
            [0, 'Prompt 0', 40_000, 2],
            [1, 'Prompt 1', 20_000, 1],
          ],
        },
        {
          minutes: 300,
          used: 0.02,
          recorded: '02T14',
          input: 50_000,
          sessions: [[3, 'Prompt 3', 50_000, 1]],
        },
        {
          minutes: 300,
          used: 1,
          recorded: '02T11',
          input: 70_000,
          sessions: [
            // With its subagent.
            [1, 'Prompt 1', 60_000, 2],
            [0, 'Prompt 0', 10_000, 1],
          ],
        },
      ],
    );
    assert.ok(found.every(({ total }) => total.money > 0 && total.unpriced === 0));
  });

  it('are whole if they overlap a period', async () => {
    const inputs = async (since: Date, until: Date): Promise<readonly number[]> =>
      (await report({ since: since.getTime(), until: until.getTime() })).map(({ total }) => total.input);
    assert.deepEqual(await inputs(at(2, 13), at(2, 14)), [60_000]);
    assert.deepEqual(await inputs(at(2, 11), at(2, 14)), [60_000, 70_000]);
    assert.deepEqual(await inputs(at(9, 0), at(10, 0)), []);
  });

  it('count a request once, also where a copied record names a window again', async () => {
    const sums = new QuotaSums(lookUpModel);
    await index.usage(file => {
      const { quotaWindows = [] } = file.session;
      sums.add(file.path, {
        ...file,
        session: { ...file.session, quotaWindows: [...quotaWindows, ...quotaWindows] },
      });
    });
    assert.deepEqual(sums.report(), await report());
  });

  it('are said with their end and the time of the record', () => {
    const text = quotaWindowText('Codex', {
      minutes: 300,
      used: 0.86,
      resetsAt: morning.getTime(),
      at: at(2, 11).getTime(),
    });
    assert.match(text, /^Codex, 5-hour limit until .*2 Mar.*: 86 % used, recorded .*2 Mar/);
  });
});
