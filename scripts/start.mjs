// Opens the bundled example in VS Code: the desktop version if it is installed, otherwise a server from npm in a browser. Without
// either, opens it with `context-inspector view`.
import './lib/currentNode.mjs';
import { spawn, spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { installDependencies, NotInstalled, root } from './lib/packages.mjs';
import { exampleFolder, openExampleExtension } from './lib/example.mjs';

/**
 * True if `code` can open a window. In a terminal of a remote VS Code, `code` is a different program that cannot load
 * an extension folder.
 */
function hasDesktop() {
  const screen = process.platform !== 'linux' || process.env.DISPLAY || process.env.WAYLAND_DISPLAY;
  const names = process.platform === 'win32' ? ['code.cmd'] : ['code'];
  const folders = (process.env.PATH ?? '').split(delimiter);
  const installed = folders.some(folder => names.some(name => existsSync(join(folder, name))));
  return Boolean(screen) && installed && !process.env.VSCODE_IPC_HOOK_CLI;
}

function startDesktop() {
  const extensions = [root, openExampleExtension].map(path => `--extensionDevelopmentPath=${path}`);
  console.log('Opening the example in the desktop VS Code. Close its window or press Ctrl+C to stop.');
  const window = spawn('code', ['--new-window', '--wait', ...extensions, exampleFolder], {
    stdio: 'inherit',
    shell: process.platform === 'win32',
  });
  window.on('exit', code => process.exit(code ?? 0));
}

async function startServer() {
  const { startVscodeServer } = await import('./lib/vscodeServer.mjs');
  const server = await startVscodeServer({ extensions: [root, openExampleExtension] }).catch(error => {
    if (!(error instanceof NotInstalled)) {
      throw error;
    }
    console.log(error.message);
  });
  if (server === undefined) {
    startView();
    return;
  }
  const end = async () => {
    await server.stop();
    process.exit(0);
  };
  process.once('SIGINT', end);
  process.once('SIGTERM', end);
  console.log(
    'VS Code is running with the example. Open this address in a browser, and press Ctrl+C to stop:',
  );
  console.log(server.address(exampleFolder));
}

function startView() {
  console.log('VS Code is not installed and cannot be downloaded, so the example opens without it.');
  const program = [join(root, 'dist', 'cli.js'), 'view', join(exampleFolder, 'session.jsonl')];
  const view = spawn(process.execPath, program, { stdio: 'inherit' });
  view.on('exit', code => process.exit(code ?? 0));
}

installDependencies();
const build = spawnSync(process.execPath, [join(root, 'esbuild.mjs')], { cwd: root, stdio: 'inherit' });
if (build.status !== 0) {
  process.exit(build.status ?? 1);
}
if (hasDesktop()) {
  startDesktop();
} else {
  await startServer();
}
