// Bundles test files with esbuild and runs them with Node's own test runner.
import { build } from 'esbuild';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { root } from './packages.mjs';

function filesBelow(directory, ending) {
  return readdirSync(directory, { recursive: true })
    .filter(path => path.endsWith(ending))
    .map(path => join(directory, path));
}

/**
 * Runs the `*.test.ts` files below `folder` (relative to the repository) whose path has one of the words of the command line, and resolves with
 * the exit code. `environment` is added to theirs.
 */
export async function runTestFiles(folder, { environment = {} } = {}) {
  process.chdir(root);
  const words = process.argv.slice(2);
  const files = filesBelow(folder, '.test.ts').filter(
    path => words.length === 0 || words.some(word => path.includes(word)),
  );
  const outdir = join('dist', folder, String(process.pid));
  try {
    await build({
      entryPoints: files,
      outdir,
      outbase: folder,
      bundle: true,
      platform: 'node',
      target: 'node20',
      format: 'cjs',
      external: ['playwright-core', 'esbuild', 'typescript', '@vscode/vsce'],
      sourcemap: 'inline',
      sourcesContent: false,
      logLevel: 'warning',
    });
    const tests = filesBelow(outdir, '.test.js');
    const runner = spawn(
      process.execPath,
      ['--enable-source-maps', '--test', '--test-reporter=spec', ...tests],
      { stdio: 'inherit', env: { ...process.env, ...environment } },
    );
    const [code] = await once(runner, 'exit');
    return code ?? 1;
  } finally {
    rmSync(outdir, { recursive: true, force: true });
  }
}
