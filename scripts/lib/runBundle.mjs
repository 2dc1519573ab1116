// Bundles a module of TypeScript with the program's own code, and imports it.
import { build } from 'esbuild';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { nodeTarget } from './currentNode.mjs';
import { root } from './packages.mjs';
import { binariesPlugin } from './binariesPlugin.mjs';

/** @param entryPoint path from the folder of the project */
export async function loadBundle(entryPoint) {
  const outfile = join(root, 'dist', 'test', `bundle-${process.pid}.cjs`);
  await build({
    entryPoints: [join(root, entryPoint)],
    outfile,
    bundle: true,
    platform: 'node',
    target: nodeTarget,
    format: 'cjs',
    plugins: [binariesPlugin],
    logLevel: 'warning',
  });
  try {
    return await import(pathToFileURL(outfile).href);
  } finally {
    rmSync(outfile);
  }
}
