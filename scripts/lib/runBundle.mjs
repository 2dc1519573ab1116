// Bundles a module of TypeScript with the program's own code, and imports it.
import { build } from 'esbuild';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { nodeTarget } from './currentNode.mjs';
import { root } from './packages.mjs';
import { binariesPlugin } from './binariesPlugin.mjs';

let loaded = 0;

/** @param entryPoint path from the folder of the project */
export async function loadBundle(entryPoint) {
  // Node would return the first module for another one with the same name.
  loaded += 1;
  const outfile = join(root, 'dist', 'test', `bundle-${process.pid}-${loaded}.cjs`);
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
