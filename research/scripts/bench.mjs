// Builds the bundles and runs the benches. Arguments: words (only benches whose name contains one of them are run),
// `--size small|medium|full`, `--rounds N`.
import { nodeTarget } from '../../scripts/lib/currentNode.mjs';
import { build } from 'esbuild';
import { spawnSync } from 'node:child_process';
import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { browserOptions } from '../../scripts/lib/browser.mjs';
import { packageExtension, runInVscode } from '../../test/integration/launch.mjs';
import { installTool, NotInstalled, root } from '../../scripts/lib/packages.mjs';
import { binariesPlugin } from '../../scripts/lib/binariesPlugin.mjs';

const bundles = join(root, 'dist', 'test', `bench-${process.pid}`);
const built = spawnSync(process.execPath, ['esbuild.mjs', '--production'], { cwd: root, stdio: 'inherit' });
if (built.status !== 0) {
  process.exit(built.status ?? 1);
}

async function liveAppends(file, appends) {
  const result = join(bundles, 'appends.json');
  await runInVscode("export { run } from './liveAppends';", join(root, 'research/integration'), {
    file: packageExtension(),
    version: 'newest',
    environment: {
      CONTEXT_INSPECTOR_APPENDS: JSON.stringify({ file, place: 'projects/*', result, appends }),
    },
  });
  return JSON.parse(readFileSync(result, 'utf8'));
}

async function firstPictures(files) {
  const result = join(bundles, 'pictures.json');
  await runInVscode("export { run } from './firstPicture';", join(root, 'research/integration'), {
    file: packageExtension(),
    environment: { CONTEXT_INSPECTOR_PICTURE: JSON.stringify({ files, result }) },
  });
  return JSON.parse(readFileSync(result, 'utf8'));
}

// Without a network npm would retry for minutes.
process.env.npm_config_fetch_retries = '0';
try {
  const shared = {
    outdir: bundles,
    bundle: true,
    sourcemap: 'inline',
    sourcesContent: false,
    logLevel: 'warning',
  };
  await build({
    ...shared,
    entryPoints: {
      main: join(root, 'research/bench/main.ts'),
      tokenizer: join(root, 'src/core/tokens/bytePairTokenizer.ts'),
      panning: join(root, 'research/webview/panning.ts'),
      sessionFrames: join(root, 'research/webview/sessionFrames.ts'),
    },
    external: ['playwright-core', 'vscode'],
    plugins: [binariesPlugin],
    platform: 'node',
    target: nodeTarget,
    format: 'cjs',
    outExtension: { '.js': '.cjs' },
  });
  await build({
    ...shared,
    entryPoints: { fakeHost: join(root, 'test/webview/fakeHost.ts') },
    format: 'iife',
    target: 'chrome128',
  });
  const load = name => import(pathToFileURL(join(bundles, name)).href);
  const { run } = await load('main.cjs');
  const { measurePanning } = await load('panning.cjs');
  const { measureSessions } = await load('sessionFrames.cjs');
  const pages = async () => ({ folders: [join(root, 'dist'), bundles], browser: await browserOptions() });
  await run(process.argv.slice(2), {
    root,
    bundles,
    installTool,
    isNotInstalled: error => error instanceof NotInstalled,
    firstPictures,
    liveAppends,
    measurePanning: async (blocks, rounds) => measurePanning({ ...(await pages()), blocks, rounds }),
    measureSessions: async sessions => measureSessions({ ...(await pages()), sessions }),
  });
} finally {
  rmSync(bundles, { recursive: true, force: true });
}
process.exit();
