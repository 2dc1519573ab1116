// Bundles the fuzzer and runs it. Arguments: `--seconds N`, `--inputs N`, `--seed S`, `--from N` for the number of the
// first input, `--workers N`, `--format NAME` for inputs of one format, `--without CHECK` to leave out findings of a check,
// `--skip OUTPUT` to leave out an output, or `--file PATH` for one saved input. Findings are added to dist/fuzz/findings.txt.
import { nodeTarget } from '../../scripts/lib/currentNode.mjs';
import { build } from 'esbuild';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { root } from '../../scripts/lib/packages.mjs';
import { binariesPlugin } from '../../scripts/lib/binariesPlugin.mjs';

const bundles = join(root, 'dist', 'test', `fuzz-${process.pid}`);
process.chdir(root);
try {
  await build({
    entryPoints: { main: join(root, 'test/fuzz/main.ts'), worker: join(root, 'test/fuzz/worker.ts') },
    outdir: bundles,
    bundle: true,
    platform: 'node',
    target: nodeTarget,
    format: 'cjs',
    plugins: [binariesPlugin],
    sourcemap: 'inline',
    sourcesContent: false,
    logLevel: 'warning',
    outExtension: { '.js': '.cjs' },
  });
  const { run } = await import(pathToFileURL(join(bundles, 'main.cjs')).href);
  process.exitCode = await run(process.argv.slice(2), {
    worker: join(bundles, 'worker.cjs'),
    saved: join(root, 'dist', 'fuzz'),
  });
} finally {
  rmSync(bundles, { recursive: true, force: true });
}
