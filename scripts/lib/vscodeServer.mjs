// A real VS Code without a desktop: server and workbench of the npm package code-server, without code-server itself.
import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { installTool, npm } from './packages.mjs';

/** VS Code 1.100.3, the minimum version in package.json's engines. */
const codeServer = 'code-server@4.100.3';
const startTimeoutMilliseconds = 60_000;
/** Extension hosts and file watchers end together with the server. Windows has no process groups, so exitWithParent.cjs ends them there. */
const ownProcessGroup = process.platform !== 'win32';

const trustSetting = 'security.workspace.trust.enabled';

const quietSettings = {
  'workbench.startupEditor': 'none',
  'workbench.tips.enabled': false,
  'window.title': '${activeEditorShort}${separator}${rootName}',
  'window.commandCenter': false,
  'chat.commandCenter.enabled': false,
  'telemetry.telemetryLevel': 'off',
  'update.mode': 'none',
  'extensions.ignoreRecommendations': true,
  'git.enabled': false,
  [trustSetting]: false,
};

/** Resolves with the server's script. */
export async function installServer() {
  const folder = await installTool([codeServer], unfinished => {
    const server = join(unfinished, 'node_modules', 'code-server', 'lib', 'vscode');
    npm(['install', '--omit=dev', '--ignore-scripts'], server);
    // The native module of this name ends an extension host whose parent is gone. exitWithParent.cjs does the same and needs no compiler.
    writeFileSync(join(server, 'node_modules', 'native-watchdog', 'index.js'), 'exports.start = () => {};\n');
  });
  return join(folder, 'node_modules', 'code-server', 'lib', 'vscode', 'out', 'server-main.js');
}

/** Resolves with the port as soon as the server prints it. */
function listeningPort(server) {
  return new Promise((resolve, reject) => {
    let output = '';
    const fail = reason => reject(new Error(`The VS Code server ${reason}.\n${output}`));
    const timer = setTimeout(() => fail('did not start in time'), startTimeoutMilliseconds);
    const read = chunk => {
      output += chunk;
      const port = /listening on (\d+)/.exec(output)?.[1];
      if (port !== undefined) {
        clearTimeout(timer);
        resolve(Number(port));
      }
    };
    server.stdout.on('data', read);
    server.stderr.on('data', read);
    server.once('exit', code => fail(`ended with code ${code}`));
  });
}

/**
 * Starts a VS Code server on a free port of 127.0.0.1 with a profile of its own.
 * `extensions` are folders that are loaded as installed extensions, `settings` are user settings, `environment` is for the extension host.
 * Returns `{ port, address, stop }`: `address(folder)` opens a folder and contains the secret that keeps out other users and web sites.
 * `stop()` ends every process of the server and removes the profile.
 */
export async function startVscodeServer({ extensions = [], settings = {}, environment = {} }) {
  const main = await installServer();
  const profile = mkdtempSync(join(tmpdir(), 'vscode-profile-'));
  mkdirSync(join(profile, 'data', 'User'), { recursive: true });
  mkdirSync(join(profile, 'extensions'));
  writeFileSync(
    join(profile, 'data', 'User', 'settings.json'),
    JSON.stringify({ ...quietSettings, ...settings }),
  );
  extensions.forEach((path, index) =>
    symlinkSync(path, join(profile, 'extensions', `local.extension${index}-1.0.0`), 'junction'),
  );
  const token = randomUUID();
  const server = spawn(
    process.execPath,
    [
      ...['--require', join(import.meta.dirname, 'exitWithParent.cjs'), main],
      ...['--host', '127.0.0.1', '--port', '0', '--connection-token', token],
      ...['--server-data-dir', profile, '--extensions-dir', join(profile, 'extensions')],
      ...(settings[trustSetting] === true ? [] : ['--disable-workspace-trust']),
      '--enable-smoke-test-driver',
      ...['--accept-server-license-terms', '--telemetry-level', 'off'],
    ],
    {
      stdio: ['ignore', 'pipe', 'pipe'],
      env: { ...process.env, ...environment },
      detached: ownProcessGroup,
    },
  );
  const ended = new Promise(resolve => server.once('close', resolve));
  const stop = async () => {
    if (server.exitCode === null) {
      process.kill(ownProcessGroup ? -server.pid : server.pid, 'SIGKILL');
    }
    await ended;
    rmSync(profile, { recursive: true, force: true, maxRetries: 10, retryDelay: 200 });
  };
  try {
    const port = await listeningPort(server);
    const address = folder =>
      `http://127.0.0.1:${port}/?tkn=${token}&folder=${encodeURIComponent(folder).replaceAll('%2F', '/')}`;
    return { port, address, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}
