// Runs code in the extension host of a real VS Code, with the packaged and installed extension: the tests, and the measurements made there.
// Uses the VS Code at VSCODE_EXECUTABLE_PATH. Without it, downloads one if there is a screen; otherwise uses a server in a browser.
import {
  downloadAndUnzipVSCode,
  resolveCliArgsFromVSCodeExecutablePath,
  runTests,
} from '@vscode/test-electron';
import { build } from 'esbuild';
import { spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { browserOptions } from '../../scripts/lib/browser.mjs';
import { nodeTarget } from '../../scripts/lib/currentNode.mjs';
import { root } from '../../scripts/lib/packages.mjs';
import { pseudoLanguage, writePseudoLanguage } from '../../scripts/lib/pseudoLanguage.mjs';
import { installServer, versions } from '../../scripts/lib/vscodeServer.mjs';

const launcher = join(root, 'scripts', 'vscode-server-launcher.mjs');
const screen =
  process.platform === 'win32' ||
  process.platform === 'darwin' ||
  Boolean(process.env.DISPLAY || process.env.WAYLAND_DISPLAY);

/** The program that starts a version. Installs it first if it is missing. */
export async function executable(version) {
  if (process.env.VSCODE_EXECUTABLE_PATH) {
    return process.env.VSCODE_EXECUTABLE_PATH;
  }
  if (screen) {
    try {
      return await downloadAndUnzipVSCode(versions[version].name);
    } catch (error) {
      console.log(`No desktop VS Code (${error.message}). Using a server in a browser.`);
    }
  }
  // The launcher is a separate process, so installation errors are reported here.
  await Promise.all([installServer(versions[version]), browserOptions()]);
  return launcher;
}

/** The path of the VSIX. */
export const extensionPackage = join(root, 'context-inspector.vsix');

/** Writes the VSIX as it would be published, with a fresh build, and returns its path. */
export function packageExtension() {
  const { status, stdout, stderr } = spawnSync('npm', ['run', '--silent', 'package'], {
    cwd: root,
    encoding: 'utf8',
    shell: process.platform === 'win32',
  });
  if (status !== 0) {
    throw new Error(`The extension could not be packaged.\n${stdout}${stderr}`);
  }
  return extensionPackage;
}

/** The arguments that install the package in a profile: for the launcher, or the command of a desktop VS Code. */
function installed(vscode, file, extensions) {
  if (vscode === launcher) {
    return [`--install-extension=${file}`];
  }
  const [command, ...always] = resolveCliArgsFromVSCodeExecutablePath(vscode, {
    reuseMachineInstall: true,
  });
  const { status } = spawnSync(command, [...always, extensions, '--install-extension', file, '--force'], {
    stdio: ['ignore', 'ignore', 'inherit'],
    shell: process.platform === 'win32',
  });
  if (status !== 0) {
    throw new Error(`${file} could not be installed.`);
  }
  return [];
}

async function bundle(contents, resolveDir) {
  const outfile = join(root, 'dist', 'test', `integration-${process.pid}.js`);
  await build({
    stdin: { contents, resolveDir },
    outfile,
    bundle: true,
    platform: 'node',
    target: nodeTarget,
    format: 'cjs',
    external: ['vscode'],
    sourcemap: 'inline',
    sourcesContent: false,
    logLevel: 'warning',
  });
  return outfile;
}

/**
 * Runs the exported `run` of `contents`, the source of a module in `folder`, in a version of VS Code with the packaged extension `file`. The window
 * has a copy of the example's folder and a new profile. Rejects when `run` does. `environment` is for the extension host, `settings` are the user's,
 * `language` is VS Code's.
 */
export async function runInVscode(
  contents,
  folder,
  { file, version = 'minimum', environment = {}, settings = {}, language },
) {
  const vscode = await executable(version);
  const extensionTestsPath = await bundle(contents, folder);
  const scratch = mkdtempSync(join(tmpdir(), 'context-inspector-test-'));
  const workspace = join(scratch, 'workspace');
  const profile = join(scratch, 'profile');
  mkdirSync(workspace);
  mkdirSync(join(profile, 'User'), { recursive: true });
  writeFileSync(
    join(profile, 'User', 'settings.json'),
    // Prompts of VS Code close when they lose the focus, and a closing element returns the focus a moment later.
    JSON.stringify({ 'workbench.quickOpen.closeOnFocusLost': false, ...settings }),
  );
  const example = join(root, 'media', 'example');
  if (existsSync(example)) {
    cpSync(example, workspace, { recursive: true });
  }
  const extensions = `--extensions-dir=${join(scratch, 'extensions')}`;
  try {
    const installing = installed(vscode, file, extensions);
    if (language === pseudoLanguage && vscode !== launcher) {
      writePseudoLanguage(join(scratch, 'extensions'));
    }
    await runTests({
      vscodeExecutablePath: vscode,
      extensionDevelopmentPath: join(import.meta.dirname, 'modelProvider'),
      extensionTestsPath,
      extensionTestsEnv: {
        CLAUDE_CONFIG_DIR: join(scratch, 'claude'),
        CODEX_HOME: join(scratch, 'codex'),
        CONTEXT_INSPECTOR_INDEX: join(scratch, 'index'),
        ...environment,
      },
      launchArgs: [
        workspace,
        `--user-data-dir=${profile}`,
        '--enable-proposed-api=local.model-provider',
        extensions,
        ...installing,
        ...(language === undefined ? [] : [`--locale=${language}`]),
        ...(vscode === launcher ? [`--vscode-version=${version}`] : []),
      ],
    });
  } finally {
    rmSync(scratch, { recursive: true, force: true, maxRetries: 10, retryDelay: 200 });
    rmSync(extensionTestsPath, { force: true });
  }
}
