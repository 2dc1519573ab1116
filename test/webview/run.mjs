// Runs the webview's tests in Chromium against the bundles in dist. Arguments: words; only test files whose path
// contains one of them are run; `--built`: the bundles already exist.
import { nodeTarget } from '../../scripts/lib/currentNode.mjs';
import { build } from 'esbuild';
import { spawn, spawnSync } from 'node:child_process';
import { readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { chromium } from 'playwright-core';
import { browserOptions } from '../../scripts/lib/browser.mjs';
import { binariesPlugin } from '../../scripts/lib/binariesPlugin.mjs';
import { chosenTests } from '../../scripts/lib/chosenTests.mjs';

const folder = 'test/webview';
const {
  values: { built },
  positionals: words,
} = parseArgs({ options: { built: { type: 'boolean', default: false } }, allowPositionals: true });
const outdir = `dist/test/webview-${process.pid}`;
const tests = chosenTests(
  readdirSync(folder).filter(name => name.endsWith('.test.ts')),
  words,
);

if (!built) {
  const { status } = spawnSync(
    process.execPath,
    ['esbuild.mjs', '--production', 'webview', 'highlighting', 'picture', 'sessions', 'usage', 'compare'],
    {
      stdio: 'inherit',
    },
  );
  if (status !== 0) {
    process.exit(status ?? 1);
  }
}
await build({
  entryPoints: [...tests, 'server.ts'].map(name => join(folder, name)),
  outdir,
  outExtension: { '.js': '.mjs' },
  bundle: true,
  external: ['playwright-core', 'axe-core'],
  platform: 'node',
  target: nodeTarget,
  format: 'esm',
  sourcemap: 'inline',
  sourcesContent: false,
  logLevel: 'warning',
  plugins: [binariesPlugin],
});
await build({
  entryPoints: Object.fromEntries(
    ['fakeHost', 'coreWorker', 'pictureHost'].map(name => [name, join(folder, `${name}.ts`)]),
  ),
  outdir,
  plugins: [binariesPlugin],
  bundle: true,
  format: 'iife',
  target: 'chrome128',
  logLevel: 'warning',
});

const { serve } = await import(`../../${outdir}/server.mjs`);
const server = await serve({ folders: ['dist', outdir] });
const browser = await chromium.launchServer(await browserOptions());
const files = tests.map(name => join(outdir, name.replace(/\.ts$/, '.mjs')));
const runner = spawn(process.execPath, ['--enable-source-maps', '--test', '--test-concurrency=2', ...files], {
  stdio: 'inherit',
  env: { ...process.env, WEBVIEW_PAGE: server.url, WEBVIEW_BROWSER: browser.wsEndpoint() },
});
const status = await new Promise(resolve => runner.on('exit', resolve));
await browser.close();
server.close();
rmSync(outdir, { recursive: true, force: true });
process.exit(status ?? 1);
