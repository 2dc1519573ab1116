import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { getCompileCacheDir } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, it } from 'node:test';
import { isArray } from '../../../src/core/base/json';
import { threadOf } from '../../../src/node/threads/bundleThread';
import { cliPath } from '../../fixtures/commandLine';

describe('compiled code', () => {
  let folder = '';
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'compiled-'));
  });
  afterEach(() => rmSync(folder, { recursive: true }));

  const filesIn = (path: string): readonly string[] =>
    readdirSync(path, { recursive: true, withFileTypes: true })
      .filter(each => each.isFile())
      .map(({ parentPath, name }) => join(parentPath, name));

  const version = (caches: string): string => {
    const { stdout, stderr } = spawnSync(process.execPath, [cliPath, '--version'], {
      encoding: 'utf8',
      env: { ...process.env, XDG_CACHE_HOME: caches, LOCALAPPDATA: caches, HOME: caches },
    });
    assert.equal(stderr, '');
    return stdout;
  };

  it('of the command line is kept for the user alone, and used again', () => {
    const first = version(folder);
    const [kept = ''] = filesIn(folder);
    assert.equal(statSync(kept).mode & 0o777, 0o600);
    const { ino } = statSync(kept);
    assert.equal(version(folder), first);
    assert.equal(statSync(kept).ino, ino);
  });

  it('of the command line goes when it is old', () => {
    version(folder);
    const kept = filesIn(folder);
    const old = join(dirname(dirname(kept[0] ?? '')), 'v20-x64', 'old');
    mkdirSync(dirname(old));
    writeFileSync(old, '');
    const time = new Date(Date.now() - 100 * 86_400_000);
    utimesSync(old, time, time);
    version(folder);
    assert.deepEqual(filesIn(folder), kept);
  });

  it('is left out where it cannot be kept', () => {
    const file = join(folder, 'file');
    writeFileSync(file, '');
    assert.equal(version(file), version(folder));
  });

  it('of a thread is kept by that thread and those that it starts, and by no other of the process', async () => {
    const bundle = join(folder, 'bundle.js');
    writeFileSync(
      bundle,
      `const { Worker, parentPort, workerData } = require('node:worker_threads');
      const here = require('node:module').getCompileCacheDir();
      if (workerData === 'inner') {
        parentPort.postMessage(here);
      } else {
        new Worker(__filename, { workerData: 'inner' }).on('message', inner => parentPort.postMessage([here, inner]));
      }`,
    );
    const compiled = join(folder, 'compiled');
    const thread = threadOf(bundle, compiled)({});
    const folders = await new Promise<unknown>(resolve => thread.once('message', resolve));
    await thread.terminate();
    const [outer, inner] = isArray(folders) ? folders : [];
    assert.ok(String(outer).startsWith(compiled));
    assert.equal(inner, outer);
    assert.equal(getCompileCacheDir(), undefined);
    assert.notEqual(filesIn(compiled).length, 0);
  });
});
