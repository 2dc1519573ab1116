// Builds the bundles of the extension, or those that are named: extension, worker, cli, webview. `--production` minifies
// and leaves source maps out; `--watch` rebuilds.
import { build, context } from 'esbuild';
import { existsSync } from 'node:fs';

const production = process.argv.includes('--production');
const watch = process.argv.includes('--watch');
const names = process.argv.slice(2).filter(word => !word.startsWith('--'));

const shared = {
  bundle: true,
  minify: production,
  sourcemap: production ? false : 'linked',
  sourcesContent: false,
  logLevel: 'warning',
  define: { 'process.env.NODE_ENV': production ? '"production"' : '"development"' },
};
const node = { ...shared, platform: 'node', target: 'node20', format: 'cjs' };

const bundles = [
  { ...node, entryPoints: { extension: 'src/extension.ts' }, external: ['vscode'], outdir: 'dist' },
  { ...node, entryPoints: { worker: 'src/worker/main.ts' }, outdir: 'dist' },
  { ...node, entryPoints: { cli: 'src/cli/main.ts' }, banner: { js: '#!/usr/bin/env node' }, outdir: 'dist' },
  {
    ...shared,
    platform: 'browser',
    target: 'chrome128',
    format: 'iife',
    jsx: 'automatic',
    alias: { '@microsoft/fast-web-utilities': './webview/controls/fastWebUtilities.ts' },
    entryPoints: { webview: 'webview/main.tsx' },
    outdir: 'dist',
  },
].filter(({ entryPoints }) =>
  Object.entries(entryPoints).every(
    ([name, path]) => existsSync(path) && (names.length === 0 || names.includes(name)),
  ),
);

if (watch) {
  await Promise.all(bundles.map(async options => (await context(options)).watch()));
} else {
  await Promise.all(bundles.map(options => build(options)));
}
