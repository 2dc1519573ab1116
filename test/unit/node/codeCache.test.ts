import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, beforeEach, describe, it } from 'node:test';
import { build } from 'esbuild';

const folder = mkdtempSync(join(tmpdir(), 'code-cache-'));
const bundle = join(folder, 'bundle.js');
const kept = join(folder, 'kept');

/** Runs the bundle as a program, and gives what it prints. */
function run(): string {
  const { stdout, stderr } = spawnSync(process.execPath, [join(folder, 'thread.js'), bundle, kept], {
    encoding: 'utf8',
  });
  assert.equal(stderr, '');
  return stdout;
}

const names = (): readonly string[] => readdirSync(kept).sort();
const ofBundle = (): string => join(kept, names().find(name => name.startsWith('bundle.js')) ?? '');
/** Another one whenever the file is written again. */
const identity = (): number => statSync(ofBundle()).ino;

describe('the kept code of bundles', () => {
  before(async () => {
    await build({
      entryPoints: { thread: 'src/worker/thread.ts' },
      outdir: folder,
      bundle: true,
      platform: 'node',
      format: 'cjs',
      logLevel: 'error',
    });
    writeFileSync(join(folder, 'more.js'), 'module.exports = "more";');
    writeFileSync(join(folder, 'index.js'), 'module.exports = "index";');
  });
  beforeEach(() => {
    rmSync(kept, { recursive: true, force: true });
    const words =
      '["one", require("./more.js"), require("./index.js"), require("node:path").basename(__filename)]';
    writeFileSync(bundle, `console.log(${words}.join(" "));`);
  });
  after(() => rmSync(folder, { recursive: true }));

  it('is written when the program ends, for the user alone, with that of bundles beside it', () => {
    assert.equal(run(), 'one more index bundle.js\n');
    assert.deepEqual(
      names().map(name => name.split('.').slice(0, 2).join('.')),
      ['bundle.js', 'more.js'],
    );
    assert.deepEqual(
      [kept, ofBundle()].map(path => statSync(path).mode & 0o777),
      [0o700, 0o600],
    );
  });

  it('is used as long as the bundle is the same, and made anew for another one of equal length', () => {
    run();
    const first = identity();
    assert.equal(run(), 'one more index bundle.js\n');
    assert.equal(identity(), first);
    writeFileSync(bundle, readFileSync(bundle, 'utf8').replace('one', 'two'));
    assert.equal(run(), 'two more index bundle.js\n');
    assert.notEqual(identity(), first);
  });

  it('is not used where it is damaged, cut or written by somebody else', () => {
    const spoil = [
      () => {
        const bytes = readFileSync(ofBundle());
        bytes[bytes.length >> 1] = (bytes[bytes.length >> 1] ?? 0) ^ 1;
        writeFileSync(ofBundle(), bytes);
      },
      () => writeFileSync(ofBundle(), readFileSync(ofBundle()).subarray(0, 100)),
      () => writeFileSync(ofBundle(), ''),
      () => chmodSync(ofBundle(), 0o620),
    ];
    if (process.getuid !== undefined) {
      spoil.push(() => chmodSync(kept, 0o777));
    }
    for (const each of spoil) {
      run();
      each();
      const before = identity();
      assert.equal(run(), 'one more index bundle.js\n');
      assert.notEqual(identity(), before);
      assert.equal(statSync(ofBundle()).mode & 0o777, 0o600);
    }
  });

  it('is left out where it cannot be kept', () => {
    writeFileSync(kept, 'A file in place of the folder.');
    assert.equal(run(), 'one more index bundle.js\n');
    assert.equal(readFileSync(kept, 'utf8'), 'A file in place of the folder.');
  });

  it('goes when it is old', () => {
    mkdirSync(kept);
    const old = join(kept, 'old.js.1.code');
    writeFileSync(old, '');
    const time = new Date(Date.now() - 100 * 86_400_000);
    utimesSync(old, time, time);
    run();
    assert.equal(names().includes('old.js.1.code'), false);
  });
});
