// Bundles the unit tests with esbuild and runs them in plain Node. Arguments: words; only test files whose path contains one of them are run.
import '../scripts/lib/currentNode.mjs';
import { build } from 'esbuild';
import { spawnSync } from 'node:child_process';
import { readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { binariesPlugin } from '../scripts/lib/binariesPlugin.mjs';
import { chosenTests } from '../scripts/lib/chosenTests.mjs';

function filesBelow(directory, ending) {
  return readdirSync(directory, { recursive: true })
    .filter(path => path.endsWith(ending))
    .map(path => join(directory, path));
}

const files = chosenTests(
  ['test/unit', 'research/unit'].flatMap(folder => filesBelow(folder, '.test.ts')),
  process.argv.slice(2),
);
const outdir = `dist/test/unit-${process.pid}`;
try {
  await build({
    entryPoints: files,
    outdir,
    outbase: '.',
    bundle: true,
    platform: 'node',
    target: 'node20',
    format: 'cjs',
    external: ['esbuild', 'oxc-parser', '@vscode/vsce'],
    plugins: [binariesPlugin],
    sourcemap: 'inline',
    sourcesContent: false,
    logLevel: 'warning',
  });
  const tests = filesBelow(outdir, '.test.js');
  // One less than there are cores would be one alone on two.
  const flags = ['--enable-source-maps', '--test', '--test-concurrency=2', '--test-reporter=spec'];
  const { status } = spawnSync(process.execPath, [...flags, ...tests], { stdio: 'inherit' });
  process.exitCode = status ?? 1;
} finally {
  rmSync(outdir, { recursive: true, force: true });
}
