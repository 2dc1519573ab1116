// Scans files and folders for credentials and personal data, and prints what was found per megabyte, and how fast.
import { nodeTarget } from '../../scripts/lib/currentNode.mjs';
import { build } from 'esbuild';
import { spawnSync } from 'node:child_process';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../../scripts/lib/packages.mjs';
import { binariesPlugin } from '../../scripts/lib/binariesPlugin.mjs';

const outfile = join(root, 'dist', 'test', `scan-${process.pid}.cjs`);
try {
  await build({
    entryPoints: [join(root, 'research/bench/programs/scanFolders.ts')],
    outfile,
    bundle: true,
    platform: 'node',
    target: nodeTarget,
    format: 'cjs',
    plugins: [binariesPlugin],
    logLevel: 'warning',
  });
  process.exitCode =
    spawnSync(process.execPath, [outfile, ...process.argv.slice(2)], { stdio: 'inherit' }).status ?? 1;
} finally {
  rmSync(outfile, { force: true });
}
