import assert from 'node:assert/strict';
import { mkdtemp, readdir, readFile, rm, stat, truncate, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import type { KnownMeasure } from '../../../src/core/session/knownMeasure';
import { MeasureCache } from '../../../src/node/threads/measureCache';

const known = new Map<string, KnownMeasure>([
  ['00000000000000ff', { tokens: 4_000_000_000, isClean: true }],
  ['f0e1d2c3b4a59687', { tokens: 0, isClean: false }],
  ['8000000000000000', { tokens: undefined, isClean: true }],
]);
const nothing = new Map();

describe('the cache of measures', () => {
  let folder = '';
  before(async () => {
    folder = join(await mkdtemp(join(tmpdir(), 'measures-')), 'not there yet');
  });
  after(() => rm(folder, { recursive: true, force: true }));

  it('gives back what was kept of a file with an encoding, to the same version', async () => {
    const cache = new MeasureCache(folder, '1.0.0');
    assert.deepStrictEqual(await cache.read('/a.jsonl', 'o200k_base'), nothing);
    assert.equal(await cache.write('/a.jsonl', 'o200k_base', known), true);
    assert.deepStrictEqual(await new MeasureCache(folder, '1.0.0').read('/a.jsonl', 'o200k_base'), known);
    assert.deepStrictEqual(await cache.read('/b.jsonl', 'o200k_base'), nothing);
    assert.deepStrictEqual(await cache.read('/a.jsonl', 'cl100k_base'), nothing);
    assert.deepStrictEqual(await new MeasureCache(folder, '1.0.1').read('/a.jsonl', 'o200k_base'), nothing);
    // One file, no unfinished one: 32 bytes of checksum, 16 of header, 16 per row.
    const [name = '', ...others] = await readdir(folder);
    assert.deepStrictEqual(others, []);
    assert.equal((await readFile(join(folder, name))).length, 32 + 16 + 3 * 16);
  });

  it('is for the user alone', { skip: process.platform === 'win32' }, async () => {
    const mask = process.umask(0);
    try {
      const cache = new MeasureCache(join(folder, 'private'), '1.0.0');
      assert.equal(await cache.write('/a.jsonl', 'o200k_base', known), true);
      assert.equal(await cache.write('/a.jsonl', 'o200k_base', known), true);
    } finally {
      process.umask(mask);
    }
    const [name = ''] = await readdir(join(folder, 'private'));
    assert.equal((await stat(join(folder, 'private'))).mode & 0o777, 0o700);
    assert.equal((await stat(join(folder, 'private', name))).mode & 0o777, 0o600);
    await rm(join(folder, 'private'), { recursive: true });
  });

  it('rejects a damaged file, and writes it again', async () => {
    const cache = new MeasureCache(folder, '1.0.0');
    const [name = ''] = await readdir(folder);
    const path = join(folder, name);
    const whole = await readFile(path);
    for (let at = 0; at < whole.length; at++) {
      const damaged = Buffer.from(whole);
      damaged[at] = (damaged[at] ?? 0) ^ (1 << (at % 8));
      await writeFile(path, damaged);
      assert.deepStrictEqual(await cache.read('/a.jsonl', 'o200k_base'), nothing, `byte ${at}`);
    }
    for (const length of [0, 1, 31, 32, 47, 48, 50, whole.length - 1]) {
      await writeFile(path, whole);
      await truncate(path, length);
      assert.deepStrictEqual(await cache.read('/a.jsonl', 'o200k_base'), nothing, `${length} bytes`);
    }
    await writeFile(path, Buffer.concat([whole, whole]));
    assert.deepStrictEqual(await cache.read('/a.jsonl', 'o200k_base'), nothing);
    assert.equal(await cache.write('/a.jsonl', 'o200k_base', known), true);
    assert.deepStrictEqual(await cache.read('/a.jsonl', 'o200k_base'), known);
  });

  it('drops what was used longest ago when it becomes too large', async () => {
    await rm(folder, { recursive: true });
    // An entry of three rows is 96 bytes: two fit.
    const cache = new MeasureCache(folder, '1.0.0', 200);
    for (const [path, second] of [
      ['/1.jsonl', 1],
      ['/2.jsonl', 2],
    ] as const) {
      await cache.write(path, 'o200k_base', known);
      for (const name of await readdir(folder)) {
        await utimes(join(folder, name), second, second);
      }
    }
    assert.equal((await cache.read('/1.jsonl', 'o200k_base')).size, 3);
    await cache.write('/3.jsonl', 'o200k_base', known);
    const sizes: number[] = [];
    for (const path of ['/1.jsonl', '/2.jsonl', '/3.jsonl']) {
      sizes.push((await cache.read(path, 'o200k_base')).size);
    }
    assert.deepStrictEqual(sizes, [3, 0, 3]);
  });

  it('does without where nothing can be written', async () => {
    const file = join(folder, 'a file');
    await writeFile(file, '');
    const cache = new MeasureCache(join(file, 'below'), '1.0.0');
    assert.equal(await cache.write('/a.jsonl', 'o200k_base', known), false);
    assert.deepStrictEqual(await cache.read('/a.jsonl', 'o200k_base'), nothing);
  });
});
