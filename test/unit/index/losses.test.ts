import assert from 'node:assert/strict';
import { basename, join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { isArray, isObject, parseJson } from '../../../src/core/base/json';
import { IndexedHome } from '../../fixtures/indexedHome';
import { filesBelow, readUnpacked, shared, skipWithout } from '../../fixtures/sharedFiles';
import { someOf } from '../../fixtures/variants';

const id = '33333333-3333-4333-8333-333333333333';

/** Three requests: the third reads nothing from the cache, two hours after the second. */
function planted(): string {
  const line = (type: string, number: number, time: string, message: object): string =>
    `${JSON.stringify({
      parentUuid: number === 0 ? null : `u-${number - 1}`,
      uuid: `u-${number}`,
      sessionId: id,
      version: '2.1.62',
      cwd: '/home/ada/bookshop',
      type,
      timestamp: time,
      message,
    })}\n`;
  const reply = (number: number, time: string, content: object, usage: readonly [number, number, number]) =>
    line('assistant', number, time, {
      id: `msg_01PlantedReplyNumber${number}`,
      role: 'assistant',
      model: 'claude-sonnet-4-5-20250929',
      content: [content],
      usage: {
        input_tokens: usage[0],
        cache_read_input_tokens: usage[1],
        cache_creation_input_tokens: usage[2],
        output_tokens: 20,
      },
    });
  const call = (name: string, number: number) => ({
    type: 'tool_use',
    id: `call-${number}`,
    name,
    input: { at: 'x' },
  });
  const result = (number: number, time: string) =>
    line('user', number, time, {
      role: 'user',
      content: [
        {
          type: 'tool_result',
          tool_use_id: `call-${number - 1}`,
          content: 'The shelf has forty books. '.repeat(200),
        },
      ],
    });
  return [
    line('user', 0, '2026-01-05T10:00:00Z', { role: 'user', content: 'Sort the books.' }),
    reply(1, '2026-01-05T10:00:01Z', call('mcp__library__shelf', 1), [10, 0, 12_000]),
    result(2, '2026-01-05T10:00:02Z'),
    reply(3, '2026-01-05T10:00:03Z', call('Read', 3), [10, 12_000, 1200]),
    result(4, '2026-01-06T12:00:00Z'),
    reply(5, '2026-01-06T12:00:01Z', { type: 'text', text: 'Sorted.' }, [10, 0, 14_400]),
  ].join('');
}

describe('losses in the index', () => {
  const home = new IndexedHome();
  before(() => {
    for (const name of [id, id.replaceAll('3', '4')]) {
      // The second one is a copy, like that of a resumed session.
      home.write(`.claude/projects/-home-ada-bookshop/${name}.jsonl`, planted());
    }
  });
  after(() => home.remove());

  it('are absent until texts were read, and fall into their day, once for all copies', async () => {
    const index = home.open();
    await home.update(index);
    const without = await home.usage(index, { by: 'day' });
    assert.equal(without.total.losses, undefined);
    assert.equal((await home.usage(index, { by: 'tool' })).unread, 3);
    await home.update(index, true);
    const { rows, total } = await home.usage(index, { by: 'day' });
    assert.deepEqual(
      rows.map(({ losses }) => losses?.cache.requests),
      [0, 1],
    );
    const { cache, unread } = total.losses ?? assert.fail();
    assert.deepEqual([cache.requests, cache.tokens, unread], [1, 13_200, 0]);
    assert.deepEqual(
      cache.causes.map(({ cause }) => cause),
      ['lifetimeExpired'],
    );
    // Written again at 3.75 instead of read at 0.3 dollars for a million.
    assert.ok(Math.abs(cache.money - (13_200 * (3.75 - 0.3)) / 1e6) < 1e-9);
  });

  it('divides all input between tools and the rest', async () => {
    const index = home.open();
    await home.update(index, true);
    for (const by of ['tool', 'server'] as const) {
      const { rows, total } = await home.usage(index, { by });
      for (const figure of ['input', 'cacheRead', 'cacheWrite', 'output'] as const) {
        assert.equal(
          rows.reduce((sum, row) => sum + row[figure], 0),
          total[figure],
          `${by} ${figure}`,
        );
      }
      assert.ok(Math.abs(rows.reduce((sum, { money }) => sum + money, 0) - total.money) < 1e-9);
      const named = new Map(rows.filter(({ key }) => key !== '').map(row => [row.key, row]));
      assert.deepEqual(
        [...named.keys()].sort(),
        by === 'tool' ? ['Read', 'mcp__library__shelf'] : ['library'],
      );
      const shelf = named.get(by === 'tool' ? 'mcp__library__shelf' : 'library') ?? assert.fail();
      // The first request's input lacks it; the second and third request carry the call and its result.
      assert.deepEqual([shelf.calls, shelf.requests], [1, 3]);
      assert.ok(shelf.cacheWrite > 1000 && shelf.cacheRead === 0);
    }
  });
});

describe('losses in the index of samples', { skip: skipWithout('samples') }, () => {
  const home = new IndexedHome();
  const paths = someOf(filesBelow(join(shared, 'samples', 'claude-code'), '.jsonl'), 8);
  const calls = new Map<string, number>();
  before(() => {
    for (const path of paths) {
      const bytes = readUnpacked(path);
      home.write(`.claude/projects/samples/${basename(path)}`, bytes);
    }
  });
  after(() => home.remove());

  it('adds up to the total, and has every call once', async () => {
    const index = home.open();
    await home.update(index, true);
    const { rows, total, unread } = await home.usage(index, { by: 'tool' });
    assert.equal(unread, 0);
    assert.ok(total.requests > 100);
    for (const figure of ['input', 'cacheRead', 'cacheWrite', 'output'] as const) {
      assert.equal(
        rows.reduce((sum, row) => sum + row[figure], 0),
        total[figure],
        figure,
      );
    }
    // Every call once by its id, in the lines of the files themselves.
    const seen = new Set<unknown>();
    for (const path of paths) {
      for (const line of new TextDecoder().decode(readUnpacked(path)).split('\n')) {
        const record = parseJson(line);
        // Older versions write a subagent's messages as progress.
        const data = isObject(record) ? record['data'] : undefined;
        const inner = isObject(data) ? data['message'] : record;
        const message = isObject(inner) && inner['type'] === 'assistant' ? inner['message'] : undefined;
        const content = isObject(message) ? message['content'] : undefined;
        for (const part of isArray(content) ? content : []) {
          if (isObject(part) && part['type'] === 'tool_use' && !seen.has(part['id'])) {
            seen.add(part['id']);
            const name = String(part['name']);
            calls.set(name, (calls.get(name) ?? 0) + 1);
          }
        }
      }
    }
    const counted = new Map(
      rows.flatMap(({ key, calls: own = 0 }) => (key === '' || own === 0 ? [] : [[key, own] as const])),
    );
    assert.deepEqual([...counted].sort(), [...calls].sort());
  });
});
