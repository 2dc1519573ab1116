import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, it } from 'node:test';
import { UsagePeriodSums } from '../../../src/core/index/usagePeriod';
import { type IndexedUsage, UsageSums } from '../../../src/core/index/usageSums';
import type { UsageGroup } from '../../../src/core/index/usageTypes';
import { lookUpModel } from '../../../src/core/tokens/modelTable';
import { IndexedHome } from '../../fixtures/indexedHome';

interface Reply {
  readonly id: string;
  readonly time: string;
  readonly model?: string;
  readonly input: number;
  readonly output: number;
}

/** A session of Claude Code with one request for each reply. */
function session(
  id: string,
  replies: readonly Reply[],
  folder = '/home/ada/bookshop',
  branch = 'main',
): string {
  const line = (type: string, number: number, time: string, message: object): string =>
    `${JSON.stringify({
      parentUuid: number === 0 ? null : `${id}-${number - 1}`,
      uuid: `${id}-${number}`,
      sessionId: id,
      version: '2.1.62',
      cwd: folder,
      gitBranch: branch,
      type,
      timestamp: time,
      message,
    })}\n`;
  return replies
    .flatMap(({ id: reply, time, model = 'claude-sonnet-4-5-20250929', input, output }, number) => [
      line('user', 2 * number, time, { role: 'user', content: 'Sort the books.' }),
      line('assistant', 2 * number + 1, time, {
        id: reply,
        role: 'assistant',
        model,
        content: [{ type: 'text', text: 'Sorted.' }],
        usage: {
          input_tokens: input,
          cache_read_input_tokens: 1000,
          cache_creation_input_tokens: 100,
          output_tokens: output,
        },
      }),
    ])
    .join('');
}

const [first, second, child] = [
  '11111111-1111-4111-8111-111111111111',
  '22222222-2222-4222-8222-222222222222',
  'agent-a1b2c3d4e5f60718',
];
const shared: Reply = { id: 'msg_01SharedBetweenBoth', time: '2026-01-05T10:00:00Z', input: 10, output: 5 };

describe('usage over all sessions', () => {
  let home: IndexedHome;
  beforeEach(() => {
    home = new IndexedHome();
    home.write(`.claude/projects/-home-ada-bookshop/${first}.jsonl`, session(first, [shared]));
    home.write(
      `.claude/projects/-home-ada-bookshop/${second}.jsonl`,
      session(
        second,
        [
          shared,
          { id: 'msg_01OnlyInTheSecondOne', time: '2026-01-12T10:00:00Z', input: 20, output: 6 },
          {
            id: 'msg_01OfAModelWithoutPrice',
            time: '2026-02-01T10:00:00Z',
            model: 'unheard-of-1',
            input: 40,
            output: 7,
          },
        ],
        '/home/ada/bookshop',
        'prices',
      ),
    );
    home.write(
      `.claude/projects/-home-ada-bookshop/${first}/subagents/${child}.jsonl`,
      session(first, [{ id: 'msg_01MadeByTheSubagent', time: '2026-01-05T10:05:00Z', input: 80, output: 9 }]),
    );
  });
  afterEach(() => home.remove());

  async function rows(by: UsageGroup, rest: object = {}) {
    const index = home.open();
    await home.update(index);
    const { rows: found, total } = await home.usage(index, { by, ...rest });
    return { found, total, keys: found.map(({ key, input }) => [key, input]) };
  }

  it('counts a request once that a resumed session has again', async () => {
    const { total } = await rows('day');
    assert.deepEqual(
      [total.requests, total.input, total.cacheRead, total.cacheWrite, total.output],
      [4, 150, 4000, 400, 27],
    );
    assert.equal(total.sessions, 2);
    assert.equal(total.unpriced, 1);
    // Input at 3, read at 0.3, written at 3.75 and output at 15 dollars for a million, of the three with a price.
    assert.ok(Math.abs(total.money - (110 * 3 + 3000 * 0.3 + 300 * 3.75 + 20 * 15) / 1e6) < 1e-12);
  });

  it('counts the sessions of the page as the list does: each copy, and no subagent', async () => {
    // Two files hold one session, under two names.
    const copy = session(first, [shared]);
    home.write(`.claude/projects/-home-ada-bookshop-copy/${first}.jsonl`, copy);
    const index = home.open();
    await home.update(index);
    const wish = { period: 'fourWeeks', stack: 'project', subagents: 'together' } as const;
    const period = new UsagePeriodSums(wish, lookUpModel, Date.parse('2026-02-02T10:00:00Z'));
    await index.usage(file => period.add(file));
    assert.equal(period.period().known.sessions, 3);
  });

  it('makes the same sums of money in any order of the files', async () => {
    const time = '2026-01-05T10:00:00Z';
    for (const number of [3, 4, 5, 6, 7]) {
      const id = second.replaceAll('2', String(number));
      const reply = { id: `msg_01OfSession${number}`, time, input: 7 ** number, output: 11 * number };
      home.write(`.claude/projects/-home-ada-bookshop/${id}.jsonl`, session(id, [reply]));
    }
    const index = home.open();
    await home.update(index);
    const files: IndexedUsage[] = [];
    await index.usage(file => files.push(file));
    // The copies of a request are in the first two.
    const others = files.slice(2);
    const wish = { period: 'fourWeeks', stack: 'project', subagents: 'together' } as const;
    const [inOrder, backwards] = [others, others.toReversed()].map(order => {
      const sums = new UsageSums({ by: 'project' }, lookUpModel);
      const period = new UsagePeriodSums(wish, lookUpModel, Date.parse(time));
      for (const file of [...files.slice(0, 2), ...order]) {
        sums.add(file);
        period.add(file);
      }
      return [sums.overview(), period.period()];
    });
    assert.deepEqual(backwards, inOrder);
  });

  it('sums by each group', async () => {
    assert.deepEqual((await rows('day')).keys, [
      ['2026-01-05', 90],
      ['2026-01-12', 20],
      ['2026-02-01', 40],
    ]);
    assert.deepEqual((await rows('week')).keys, [
      ['2026-01-05', 90],
      ['2026-01-12', 20],
      ['2026-01-26', 40],
    ]);
    assert.deepEqual((await rows('month')).keys, [
      ['2026-01', 110],
      ['2026-02', 40],
    ]);
    assert.deepEqual((await rows('project')).keys, [['/home/ada/bookshop', 150]]);
    assert.deepEqual((await rows('agent')).keys, [['Claude Code', 150]]);
    assert.deepEqual((await rows('model')).keys, [
      ['claude-sonnet-4-5-20250929', 110],
      ['unheard-of-1', 40],
    ]);
    assert.deepEqual((await rows('session')).keys, [
      [first, 90],
      [second, 60],
    ]);
    assert.deepEqual((await rows('branch')).keys, [
      ['main', 90],
      ['prices', 60],
    ]);
    assert.equal((await rows('session')).found[0]?.title, 'Sort the books.');
  });

  it('has subagents in rows of their own where they are apart', async () => {
    const { found } = await rows('session', { subagents: 'apart' });
    assert.deepEqual(
      found.map(({ key, subagents, input }) => [key, subagents, input]),
      [
        [first, true, 80],
        [second, false, 60],
        [first, false, 10],
      ],
    );
  });

  it('counts from a time on and before another', async () => {
    const since = Date.parse('2026-01-12T00:00:00Z');
    const until = Date.parse('2026-01-13T00:00:00Z');
    assert.equal((await rows('day', { since })).total.input, 60);
    assert.equal((await rows('day', { until })).total.input, 110);
    assert.equal((await rows('day', { since, until })).total.input, 20);
  });

  it('reads only what has changed', async () => {
    const index = home.open();
    assert.equal((await home.update(index)).read, 3);
    assert.equal((await home.update(home.open())).read, 0);
    home.write(
      `.claude/projects/-home-ada-bookshop/${first}.jsonl`,
      session(first, [
        shared,
        { id: 'msg_01TheNewestOfThemAll', time: '2026-01-06T10:00:00Z', input: 5, output: 1 },
      ]),
    );
    assert.equal((await home.update(index)).read, 1);
    assert.equal((await home.usage(home.open(), { by: 'day' })).total.input, 155);
  });
});
