// A real VS Code without a desktop: server and workbench of the npm package code-server, without code-server itself.
import { spawn, spawnSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { installNode } from './currentNode.mjs';
import { installTool, npm } from './packages.mjs';

/** The versions of VS Code that are tested: the minimum in package.json's engines, and the newest in the npm registry. `node` is the Node that a version needs if this process has another major version. */
export const versions = {
  minimum: { name: '1.105.1', codeServer: 'code-server@4.105.1', node: '22.23.3' },
  newest: { name: '1.139.1', codeServer: 'code-server@4.139.1', node: '24.21.0' },
};

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

/** The native modules of a server need a compiler. These files replace them without one. */
const standIns = [
  // The first two end an extension host whose parent is gone, as exitWithParent.cjs does.
  { modules: ['native-watchdog', '@vscode/native-watchdog'], text: 'exports.start = () => {};\n' },
  {
    modules: ['@vscode/spdlog'],
    text: readFileSync(join(import.meta.dirname, 'logStandIn.cjs'), 'utf8'),
  },
];

function putStandIns(server) {
  for (const { modules, text } of standIns) {
    for (const folder of modules.map(name => join(server, 'node_modules', name))) {
      const path = join(folder, 'index.js');
      if (existsSync(folder) && readFileSync(path, 'utf8') !== text) {
        // Renamed, because another process may be reading it.
        const unfinished = `${path}.${process.pid}`;
        writeFileSync(unfinished, text);
        renameSync(unfinished, path);
      }
    }
  }
}

/** Resolves with the path of a Node of the same major version as `wanted`. */
async function nodeFor(wanted) {
  const major = version => Number.parseInt(version, 10);
  if (wanted === undefined || major(wanted) === major(process.versions.node)) {
    return process.execPath;
  }
  return installNode(wanted);
}

/** The build of VS Code 1.105 downloads this package from GitHub; npm has the same version. */
const watcher = { name: '@parcel/watcher', version: '2.5.1' };

/** Makes npm use only its registry for a server's packages. */
function takeFromRegistry(server) {
  for (const name of ['package.json', 'npm-shrinkwrap.json']) {
    const path = join(server, name);
    const content = JSON.parse(readFileSync(path, 'utf8'));
    const { dependencies } = content.packages?.[''] ?? content;
    if (dependencies[watcher.name]?.includes('#')) {
      dependencies[watcher.name] = watcher.version;
      delete content.packages?.[`node_modules/${watcher.name}`];
      writeFileSync(path, JSON.stringify(content));
    }
  }
}

/** Installs a version if it is missing, and resolves with the Node and the script that start it. */
export async function installServer({ codeServer, node }) {
  const inside = folder => join(folder, 'node_modules', 'code-server', 'lib', 'vscode');
  const folder = await installTool([codeServer], unfinished => {
    takeFromRegistry(inside(unfinished));
    npm(['install', '--omit=dev', '--ignore-scripts'], inside(unfinished));
  });
  putStandIns(inside(folder));
  return { node: await nodeFor(node), main: join(inside(folder), 'out', 'server-main.js') };
}

/** Installs a packaged extension into a profile, like a user with "Install from VSIX…". */
function installPackage({ node, main }, file, places) {
  const { status, stdout, stderr } = spawnSync(
    node,
    [main, ...places, '--install-extension', file, '--force'],
    {
      encoding: 'utf8',
    },
  );
  if (status !== 0 || !stdout.includes('was successfully installed')) {
    throw new Error(`${file} could not be installed.\n${stdout}${stderr}`);
  }
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
 * Starts a VS Code server of a version on a free port of 127.0.0.1 with a profile of its own.
 * `extensions` are folders that are loaded as installed extensions, `packages` are VSIX files to install, `prepare(folder)` runs once they are
 * installed there, `settings` are user settings, `environment` is for the extension host. Returns `{ port, address, logs, stop }`: `address(folder)` opens a folder and contains the secret
 * that keeps out other users and web sites; `logs` is the folder of all logs. `stop()` ends every process of the server and removes the profile.
 */
export async function startVscodeServer({
  version = versions.minimum,
  extensions = [],
  packages = [],
  prepare = () => {},
  settings = {},
  environment = {},
}) {
  const installed = await installServer(version);
  const profile = mkdtempSync(join(tmpdir(), 'vscode-profile-'));
  const places = ['--server-data-dir', profile, '--extensions-dir', join(profile, 'extensions')];
  mkdirSync(join(profile, 'data', 'User'), { recursive: true });
  mkdirSync(join(profile, 'extensions'));
  writeFileSync(
    join(profile, 'data', 'User', 'settings.json'),
    JSON.stringify({ ...quietSettings, ...settings }),
  );
  extensions.forEach((path, index) =>
    symlinkSync(path, join(profile, 'extensions', `local.extension${index}-1.0.0`), 'junction'),
  );
  // Last, because an installation lists the installed extensions.
  packages.forEach(file => installPackage(installed, file, places));
  prepare(join(profile, 'extensions'));
  const token = randomUUID();
  const server = spawn(
    installed.node,
    [
      ...['--require', join(import.meta.dirname, 'exitWithParent.cjs'), installed.main],
      ...['--host', '127.0.0.1', '--port', '0', '--connection-token', token, ...places],
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
    return { port, address, logs: join(profile, 'data', 'logs'), stop };
  } catch (error) {
    await stop();
    throw error;
  }
}
