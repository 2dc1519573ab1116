// Builds every bundle of the extension. `--production` minifies and leaves source maps out; `--watch` rebuilds.
import { build, context } from 'esbuild';
import { existsSync } from 'node:fs';

const production = process.argv.includes('--production');
const watch = process.argv.includes('--watch');

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
    entryPoints: { webview: 'webview/main.tsx' },
    outdir: 'dist',
  },
].filter(({ entryPoints }) => Object.values(entryPoints).every(path => existsSync(path)));

if (watch) {
  await Promise.all(bundles.map(async options => (await context(options)).watch()));
} else {
  await Promise.all(bundles.map(options => build(options)));
}
