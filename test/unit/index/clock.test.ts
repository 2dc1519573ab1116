import assert from 'node:assert/strict';
import { utimesSync } from 'node:fs';
import { afterEach, beforeEach, describe, it, mock } from 'node:test';
import type { UsageOverview } from '../../../src/core/index/usageTypes';
import type { Index } from '../../../src/node/index/indexTypes';
import { ClaudeCodeSession } from '../../fixtures/claudeCodeSession';
import { IndexedHome } from '../../fixtures/indexedHome';

const name = (number: number): string =>
  `.claude/projects/zoo/0000000${number}-1111-4111-8111-111111111111.jsonl`;

const year = (number: number): Date => new Date(Date.UTC(number, 5, 1));

describe('the index, when the clock jumps', () => {
  let home: IndexedHome;
  let paths: readonly string[];
  const session = (number: number): ClaudeCodeSession =>
    new ClaudeCodeSession().prompt(`Feed the seal ${number}`).reply({ text: 'It is fed.' });
  beforeEach(() => {
    home = new IndexedHome();
    paths = [0, 1, 2, 3].map(number => home.write(name(number), session(number).toString()));
  });
  afterEach(() => {
    mock.timers.reset();
    home.remove();
  });

  const setClock = (to: Date): void => {
    mock.timers.reset();
    mock.timers.enable({ apis: ['Date'], now: to });
  };
  const usage = async (index: Index): Promise<UsageOverview> => {
    await home.update(index, true);
    return home.usage(index, { by: 'day' });
  };

  it('gives the same sums forward, back and again, whatever times the files have', async () => {
    const right = await usage(home.open());
    assert.equal(right.total.requests, paths.length);
    const times = [year(1971), year(2026), year(2037), year(2100)];
    for (const clock of [year(2040), year(1999), year(2026)]) {
      setClock(clock);
      for (const [number, path] of paths.entries()) {
        const time = times[number] ?? clock;
        utimesSync(path, time, time);
      }
      // The same index, and one that another program opens at this time.
      const index = home.open();
      assert.deepEqual(await usage(index), right, clock.toISOString());
      assert.equal((await home.update(index, true)).read, 0);
    }
  });

  it('reads a file that grew though its time went back', async () => {
    setClock(year(2040));
    const index = home.open();
    const before = await usage(index);
    setClock(year(2026));
    const longer = session(0).prompt('And again').reply({ text: 'Again.' });
    home.write(name(0), longer.toString());
    const past = year(1999);
    utimesSync(paths[0] ?? '', past, past);
    assert.equal((await usage(index)).total.requests, before.total.requests + 1);
  });
});
