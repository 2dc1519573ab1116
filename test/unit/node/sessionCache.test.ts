import assert from 'node:assert/strict';
import { mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import type { SessionDescription } from '../../../src/core/finder/sessionDescription';
import { SessionCache } from '../../../src/node/sessionCache';

const description: SessionDescription = {
  title: 'Sort the shelves',
  agent: 'Codex',
  facts: '1 request',
  tooltip: 'Sort the shelves\nCodex',
  branch: 'main',
};

describe('the cache of sessions', () => {
  let path = '';
  before(async () => {
    path = join(await mkdtemp(join(tmpdir(), 'sessions-')), 'not there yet', 'sessions.json');
  });
  after(() => rm(dirname(dirname(path)), { recursive: true, force: true }));

  const opened = async (madeWith = '1.0.0', most?: number): Promise<SessionCache> => {
    const cache = new SessionCache(path, madeWith, most);
    await cache.load();
    return cache;
  };

  it('gives back what was kept, to the same version, and says whether the file has changed since', async () => {
    const cache = await opened();
    cache.setDescription('/home/ada/a.jsonl', '5 7', description);
    cache.setUsage('/home/ada/a.jsonl', '5 7', { fill: 0.5, cost: 1.25, isLeast: true });
    await cache.save();
    const again = await opened();
    assert.deepStrictEqual(again.description('/home/ada/a.jsonl', '5 7'), {
      value: description,
      isCurrent: true,
    });
    assert.deepStrictEqual(again.usage('/home/ada/a.jsonl', '6 8'), {
      value: { fill: 0.5, cost: 1.25, isLeast: true },
      isCurrent: false,
    });
    assert.equal(again.usage('/home/ada/b.jsonl', '5 7'), undefined);
    assert.equal((await opened('1.0.1')).usage('/home/ada/a.jsonl', '5 7'), undefined);
  });

  it('is one file, for the user alone, without paths', async () => {
    assert.deepStrictEqual(await readdir(dirname(path)), ['sessions.json']);
    if (process.platform !== 'win32') {
      assert.equal((await stat(path)).mode & 0o777, 0o600);
    }
    assert.doesNotMatch(await readFile(path, 'utf8'), /ada|jsonl/);
  });

  it('makes a damaged file anew, and one that holds something else', async () => {
    const sound = await readFile(path, 'utf8');
    for (const damaged of [
      sound.slice(0, -9),
      sound.replace('"fill":0.5', '"fill":"half"'),
      sound.replace('"title":', '"heading":'),
      '[]',
      '',
    ]) {
      await writeFile(path, damaged);
      const cache = await opened();
      assert.equal(cache.description('/home/ada/a.jsonl', '5 7'), undefined, damaged);
      cache.setDescription('/home/ada/a.jsonl', '5 7', description);
      await cache.save();
      assert.equal((await opened()).description('/home/ada/a.jsonl', '5 7')?.isCurrent, true);
    }
  });

  it('keeps the sessions that were read last', async () => {
    const cache = await opened('1.0.0', 3);
    for (const name of ['b', 'c', 'a', 'd', 'a']) {
      cache.setUsage(`/home/ada/${name}.jsonl`, '1', { cost: 1 });
    }
    await cache.save();
    const kept = await opened('1.0.0', 3);
    assert.deepStrictEqual(
      ['a', 'b', 'c', 'd'].map(name => kept.usage(`/home/ada/${name}.jsonl`, '1') !== undefined),
      [true, false, true, true],
    );
  });

  it('keeps everything in memory where there is no folder', async () => {
    const cache = new SessionCache(undefined, '1.0.0');
    await cache.load();
    cache.setUsage('/a', '1', {});
    await cache.save();
    assert.deepStrictEqual(cache.usage('/a', '1'), { value: {}, isCurrent: true });
  });
});
