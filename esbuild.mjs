// Builds all bundles or the named ones: extension, worker, helper, indexing, sessionIndex, cli, commands, the pages webview, sessions, usage, compare and frame, and those that are loaded on demand
// (backend, door, guard, highlighting, picture, protocol, secrets, sqlite, view). A build of all bundles also writes ThirdPartyNotices.txt and bom.cdx.json. `--production` minifies and omits source maps, `--watch` rebuilds on changes, `--outdir` replaces the output folder dist. `--planted` plants the faults of a folder (scripts/faults.mjs).
import { neededNode, nodeTarget } from './scripts/lib/currentNode.mjs';
import { build, context } from 'esbuild';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { binariesPlugin } from './scripts/lib/binariesPlugin.mjs';
import { onDemand, onDemandPlugin } from './scripts/lib/onDemandPlugin.mjs';
import { plantedFaults } from './scripts/lib/plantedFaults.mjs';
import { billOfMaterials, noticesText, thirdPartyComponents } from './scripts/lib/thirdParty.mjs';

const {
  values: { production, watch, outdir, planted },
  positionals: names,
} = parseArgs({
  allowPositionals: true,
  options: {
    production: { type: 'boolean', default: false },
    watch: { type: 'boolean', default: false },
    outdir: { type: 'string', default: 'dist' },
    planted: { type: 'string' },
  },
});

const { version } = JSON.parse(readFileSync('package.json', 'utf8'));

const shared = {
  bundle: true,
  metafile: true,
  minify: production,
  sourcemap: production ? false : 'linked',
  sourcesContent: false,
  logLevel: 'warning',
  define: {
    'process.env.NODE_ENV': production ? '"production"' : '"development"',
    'process.env.PROGRAM_VERSION': JSON.stringify(version),
  },
};
const node = {
  ...shared,
  plugins: [binariesPlugin, onDemandPlugin, ...(planted === undefined ? [] : [plantedFaults(planted)])],
  platform: 'node',
  target: nodeTarget,
  format: 'cjs',
  // `require` is available and faster than the loader of ES modules.
  supported: { 'dynamic-import': false },
};

const bundles = [
  { ...node, entryPoints: { extension: 'src/extension.ts' }, external: ['vscode'], outdir },
  { ...node, entryPoints: { worker: 'src/worker/main.ts' }, outdir },
  { ...node, entryPoints: { helper: 'src/worker/helper.ts' }, outdir },
  { ...node, entryPoints: { indexing: 'src/worker/indexing.ts' }, outdir },
  { ...node, entryPoints: { sessionIndex: 'src/worker/sessionIndex.ts' }, outdir },
  { ...node, entryPoints: { commands: 'src/cli/allCommands.ts' }, outdir },
  ...Object.entries(onDemand).map(([name, entry]) => ({ ...node, entryPoints: { [name]: entry }, outdir })),
  {
    ...node,
    // An older Node must be able to parse it up to the sentence that names the required version.
    target: 'node12',
    define: { ...shared.define, 'process.env.NEEDED_NODE': JSON.stringify(neededNode) },
    entryPoints: { cli: 'src/cli/entry.ts' },
    banner: { js: '#!/usr/bin/env node' },
    outdir,
  },
  ...[
    { webview: 'webview/main.tsx' },
    { sessions: 'webview/sessions/main.tsx' },
    { usage: 'webview/usage/main.tsx' },
    { compare: 'webview/compare/main.tsx' },
    { highlighting: 'webview/highlighting/main.ts' },
    { picture: 'webview/picture/main.ts' },
    { door: 'webview/door/main.ts' },
    { frame: 'webview/door/frame/main.tsx' },
  ].map(entryPoints => ({
    ...shared,
    platform: 'browser',
    target: 'chrome128',
    format: 'iife',
    jsx: 'automatic',
    alias: { '@microsoft/fast-web-utilities': './webview/controls/fastWebUtilities.ts' },
    entryPoints,
    outdir,
  })),
].filter(({ entryPoints }) =>
  Object.entries(entryPoints).every(
    ([name, path]) => existsSync(path) && (names.length === 0 || names.includes(name)),
  ),
);

if (watch) {
  await Promise.all(bundles.map(async options => (await context(options)).watch()));
} else {
  const results = await Promise.all(bundles.map(options => build(options)));
  if (names.length === 0) {
    const components = await thirdPartyComponents(results.map(({ metafile }) => metafile));
    const project = JSON.parse(readFileSync('package.json', 'utf8'));
    writeFileSync(join(outdir, 'ThirdPartyNotices.txt'), noticesText(components));
    writeFileSync(join(outdir, 'bom.cdx.json'), billOfMaterials(components, project));
  }
}
