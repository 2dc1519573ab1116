// Runs code in the extension host of a real VS Code: the tests, and the measurements made there. Uses the VS Code at
// VSCODE_EXECUTABLE_PATH. Without it, downloads one if there is a screen; otherwise uses a server in a browser.
import { downloadAndUnzipVSCode, runTests } from '@vscode/test-electron';
import { build } from 'esbuild';
import { cpSync, existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { browserOptions } from '../../scripts/lib/browser.mjs';
import { root } from '../../scripts/lib/packages.mjs';
import { installServer } from '../../scripts/lib/vscodeServer.mjs';

/** The minimum version in package.json's engines. */
const version = '1.100.3';

const launcher = join(root, 'scripts', 'vscode-server-launcher.mjs');
const screen =
  process.platform === 'win32' ||
  process.platform === 'darwin' ||
  Boolean(process.env.DISPLAY || process.env.WAYLAND_DISPLAY);

async function executable() {
  if (process.env.VSCODE_EXECUTABLE_PATH) {
    return process.env.VSCODE_EXECUTABLE_PATH;
  }
  if (screen) {
    try {
      return await downloadAndUnzipVSCode(version);
    } catch (error) {
      console.log(`No desktop VS Code (${error.message}). Using a server in a browser.`);
    }
  }
  // The launcher is a separate process, so what it cannot install is reported here.
  await Promise.all([installServer(), browserOptions()]);
  return launcher;
}

async function bundle(contents, resolveDir) {
  const outfile = join(root, 'dist', 'test', `integration-${process.pid}.js`);
  await build({
    stdin: { contents, resolveDir },
    outfile,
    bundle: true,
    platform: 'node',
    target: 'node20',
    format: 'cjs',
    external: ['vscode'],
    sourcemap: 'inline',
    sourcesContent: false,
    logLevel: 'warning',
  });
  return outfile;
}

/**
 * Runs the exported `run` of `contents`, the source of a module in `folder`. The window has a copy of the example's
 * folder and a new profile. Rejects when `run` does. `environment` is for the extension host, `settings` are the user's.
 */
export async function runInVscode(contents, folder, environment = {}, settings = {}) {
  const extensionTestsPath = await bundle(contents, folder);
  const scratch = mkdtempSync(join(tmpdir(), 'context-inspector-test-'));
  const workspace = join(scratch, 'workspace');
  const profile = join(scratch, 'profile');
  mkdirSync(workspace);
  mkdirSync(join(profile, 'User'), { recursive: true });
  writeFileSync(join(profile, 'User', 'settings.json'), JSON.stringify(settings));
  const example = join(root, 'media', 'example');
  if (existsSync(example)) {
    cpSync(example, workspace, { recursive: true });
  }
  try {
    await runTests({
      vscodeExecutablePath: await executable(),
      extensionDevelopmentPath: [root, join(import.meta.dirname, 'modelProvider')],
      extensionTestsPath,
      extensionTestsEnv: { CLAUDE_CONFIG_DIR: join(scratch, 'claude'), ...environment },
      launchArgs: [
        workspace,
        `--user-data-dir=${profile}`,
        '--enable-proposed-api=local.model-provider',
        `--extensions-dir=${join(scratch, 'extensions')}`,
      ],
    });
  } finally {
    rmSync(scratch, { recursive: true, force: true, maxRetries: 10, retryDelay: 200 });
    rmSync(extensionTestsPath, { force: true });
  }
}
