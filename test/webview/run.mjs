// Runs the webview's tests in Chromium against the bundles in dist. Arguments: words; only test files whose path
// contains one of them are run. `--built`: the bundles already exist. `--deep` runs every variant instead of a sample.
import { nodeTarget } from '../../scripts/lib/currentNode.mjs';
import { build } from 'esbuild';
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { binariesPlugin } from '../../scripts/lib/binariesPlugin.mjs';
import { browserOptions } from '../../scripts/lib/browser.mjs';
import { onDemand } from '../../scripts/lib/onDemandPlugin.mjs';
import { chosenTests } from '../../scripts/lib/chosenTests.mjs';

/** Processes that run test files at the same time, each with a browser that stays open. */
const processes = 2;

const folder = 'test/webview';
const {
  values: { built, deep },
  positionals: words,
} = parseArgs({
  options: { built: { type: 'boolean', default: false }, deep: { type: 'boolean', default: false } },
  allowPositionals: true,
});
const outdir = resolve(`dist/test/webview-${process.pid}`);
const names = chosenTests(
  readdirSync(folder).filter(name => name.endsWith('.test.ts')),
  words,
).map(name => name.slice(0, -'.ts'.length));

/** Writes the program of a process, which takes files until the processes together have run all. */
function writeProgram(number, tests, browser) {
  const path = join(outdir, `process-${number}.mjs`);
  const folders = JSON.stringify([resolve('dist'), outdir]);
  writeFileSync(
    path,
    `import { runFiles } from '${resolve('scripts/lib/unitProcess.mjs')}';
import { endPages, startPages } from './pages.mjs';
await startPages({ folders: ${folders}, browser: ${JSON.stringify(browser)} });
await runFiles(${JSON.stringify(tests)});
await endPages();
`,
  );
  return path;
}

if (!built) {
  // Those of the pages, and those of the threads behind the local server.
  const bundles = [
    ...['webview', 'highlighting', 'picture', 'sessions', 'usage', 'compare', 'frame', 'door'],
    ...['worker', 'helper', 'indexing', 'sessionIndex', ...Object.keys(onDemand)],
  ];
  const { status } = spawnSync(process.execPath, ['esbuild.mjs', '--production', ...bundles], {
    stdio: 'inherit',
  });
  if (status !== 0) {
    process.exit(status ?? 1);
  }
}
try {
  const entries = list => Object.fromEntries(list.map(name => [name, join(folder, `${name}.ts`)]));
  const shared = { outdir, bundle: true, logLevel: 'warning', plugins: [binariesPlugin] };
  await build({
    ...shared,
    entryPoints: entries([...names, 'pages']),
    outExtension: { '.js': '.mjs' },
    splitting: true,
    external: ['playwright-core', 'axe-core', 'ws'],
    platform: 'node',
    target: nodeTarget,
    format: 'esm',
    sourcemap: 'linked',
    sourcesContent: false,
  });
  await build({
    ...shared,
    entryPoints: entries(['fakeHost', 'coreWorker', 'pictureHost']),
    format: 'iife',
    target: 'chrome128',
  });
  const taken = join(outdir, 'taken');
  mkdirSync(taken);
  const tests = names.map(name => ({ name, bundle: join(outdir, `${name}.mjs`), record: join(taken, name) }));
  const browser = await browserOptions();
  const programs = Array.from({ length: Math.min(processes, tests.length) }, (_, number) =>
    writeProgram(number, tests, browser),
  );
  // The default concurrency, one less than the number of cores, would be one on two cores.
  const flags = ['--enable-source-maps', '--test', `--test-concurrency=${processes}`, '--test-reporter=spec'];
  const { status } = spawnSync(process.execPath, [...flags, ...programs], {
    stdio: 'inherit',
    // The threads keep their compiled code, as those of the program do.
    env: { ...process.env, TEST_DEEP: deep ? 'yes' : '', NODE_COMPILE_CACHE: join(outdir, 'compiled') },
  });
  const isFinished = tests.every(({ record }) => existsSync(record) && readFileSync(record, 'utf8') !== '');
  process.exitCode = isFinished ? (status ?? 1) : 1;
} finally {
  rmSync(outdir, { recursive: true, force: true });
}
