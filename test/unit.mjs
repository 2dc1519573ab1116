// Bundles the unit tests with esbuild and runs them in plain Node. Arguments: words; only test files whose path has one of them run.
import { build } from 'esbuild';
import { spawnSync } from 'node:child_process';
import { readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';

function filesBelow(directory) {
  return readdirSync(directory, { withFileTypes: true }).flatMap(entry =>
    entry.isDirectory() ? filesBelow(join(directory, entry.name)) : [join(directory, entry.name)],
  );
}

const words = process.argv.slice(2);
const files = filesBelow('test/unit')
  .filter(path => path.endsWith('.test.ts'))
  .filter(path => words.length === 0 || words.some(word => path.includes(word)));
const outdir = `dist/test/unit-${process.pid}`;
await build({
  entryPoints: files,
  outdir,
  outbase: 'test/unit',
  bundle: true,
  platform: 'node',
  target: 'node20',
  format: 'cjs',
  sourcemap: 'inline',
  sourcesContent: false,
  external: ['esbuild'],
  logLevel: 'warning',
});
const compiled = filesBelow(outdir).filter(path => path.endsWith('.test.js'));
const result = spawnSync(process.execPath, ['--enable-source-maps', '--test', ...compiled], {
  stdio: 'inherit',
});
rmSync(outdir, { recursive: true, force: true });
process.exit(result.status ?? 1);
