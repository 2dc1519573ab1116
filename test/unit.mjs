// Bundles the unit tests with esbuild and runs them in plain Node. Arguments: words; only test files whose path
// contains one of them are run. `--changed` runs tests that import a file that differs from main. `--deep` runs every
// variant instead of a sample, `--seed N` takes another sample.
import { nodeTarget } from '../scripts/lib/currentNode.mjs';
import { build } from 'esbuild';
import { spawnSync } from 'node:child_process';
import { mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { binariesPlugin } from '../scripts/lib/binariesPlugin.mjs';
import { changedTests } from '../scripts/lib/changedTests.mjs';
import { chosenTests } from '../scripts/lib/chosenTests.mjs';
import { onDemand } from '../scripts/lib/onDemandPlugin.mjs';

/** Number of test files per process. A process for each file would compile and warm up the same code again. */
const filesOfAProcess = 10;

/** Bundles that tests start as programs and threads. */
const program = ['cli', 'commands', 'worker', 'helper', 'indexing', 'picture', ...Object.keys(onDemand)];
const usesProgram = 'test/fixtures/program.ts';

const {
  values: { changed, deep, seed },
  positionals: words,
} = parseArgs({
  allowPositionals: true,
  options: {
    changed: { type: 'boolean', default: false },
    deep: { type: 'boolean', default: false },
    seed: { type: 'string', default: '1' },
  },
});

function testsBelow(folder) {
  return readdirSync(folder, { recursive: true })
    .filter(path => path.endsWith('.test.ts'))
    .map(path => join(folder, path).replaceAll('\\', '/'))
    .sort();
}

const named = chosenTests(['test/unit', 'research/unit'].flatMap(testsBelow), words);
const files = changed ? await changedTests(named) : named;
if (files.length === 0) {
  console.log('No unit test imports a changed file.');
  process.exit(0);
}
const outdir = `dist/test/unit-${process.pid}`;

/** Writes a program that runs test files one after the other, each as a suite with its name. */
function writeGroup(group, number) {
  const path = join(outdir, `group-${number}.js`);
  const suites = group.map(file => `describe('${file}', () => { require('../../../${file}'); });`);
  writeFileSync(path, `const { describe } = require('node:test');\n${suites.join('\n')}\n`);
  return path;
}

function run(...command) {
  const env = { ...process.env, TEST_DEEP: deep ? 'yes' : '', TEST_SEED: seed };
  return spawnSync(process.execPath, command, { stdio: 'inherit', env }).status ?? 1;
}

try {
  mkdirSync(outdir, { recursive: true });
  const count = Math.ceil(files.length / filesOfAProcess);
  // Dealt in turn, because neighbours are often all slow, or all fast.
  const groups = Array.from({ length: count }, (_, number) =>
    files.filter((_file, index) => index % count === number),
  ).map(writeGroup);
  const { metafile } = await build({
    entryPoints: groups,
    outdir,
    allowOverwrite: true,
    bundle: true,
    metafile: true,
    platform: 'node',
    target: nodeTarget,
    format: 'cjs',
    external: ['esbuild', 'oxc-parser', '@vscode/vsce'],
    plugins: [binariesPlugin],
    sourcemap: 'inline',
    sourcesContent: false,
    logLevel: 'warning',
  });
  const builds = usesProgram in metafile.inputs;
  process.exitCode = builds ? run('esbuild.mjs', ...program, '--outdir', outdir) : 0;
  if (process.exitCode === 0) {
    // The default, one less than the number of cores, would be one on two cores.
    const flags = ['--enable-source-maps', '--test', '--test-concurrency=2', '--test-reporter=spec'];
    process.exitCode = run(...flags, ...groups);
  }
  if (process.exitCode !== 0 && !deep) {
    console.log(`Where a test runs some of its variants, they were chosen with --seed ${seed}.`);
  }
} finally {
  rmSync(outdir, { recursive: true, force: true });
}
