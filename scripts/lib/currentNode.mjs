// The project's commands need the Node version in package.json's `engines`. If this machine's Node is older, the
// command that imports this module first is run again by a current Node from npm. So is every program that it starts by
// the name `node`.
import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { delimiter, dirname, join } from 'node:path';
import { installTool, root } from './packages.mjs';

const { engines } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));

/** The oldest Node that runs the program. */
export const neededNode = engines.node.replace('>=', '');

/** The `target` of esbuild: the oldest Node that the program runs on. */
export const nodeTarget = `node${neededNode}`;

/** The Node version for the project's commands on a machine with an older one. */
const current = '22.23.3';

const signals = process.platform === 'win32' ? ['SIGINT'] : ['SIGINT', 'SIGTERM', 'SIGHUP'];

/** True if one version is older than another. The last number may be missing. */
function isOlder(version, than) {
  const numbers = version.split('.').map(Number);
  for (const [place, least] of than.split('.').map(Number).entries()) {
    if (numbers[place] !== least) {
      return numbers[place] < least;
    }
  }
  return false;
}

/** Resolves with the path of a Node from npm. */
export async function installNode(version) {
  const system = process.platform === 'win32' ? 'win' : process.platform;
  const prefix = system === 'darwin' && process.arch === 'arm64' ? 'node-bin' : 'node';
  const name = `${prefix}-${system}-${process.arch}`;
  const folder = await installTool([`${name}@${version}`]);
  return join(folder, 'node_modules', name, 'bin', system === 'win' ? 'node.exe' : 'node');
}

/** Runs this command again, and ends with the same result. */
async function runAgain(node) {
  const command = spawn(node, [...process.execArgv, ...process.argv.slice(1)], {
    stdio: 'inherit',
    env: { ...process.env, PATH: `${dirname(node)}${delimiter}${process.env.PATH ?? ''}` },
  });
  for (const signal of signals) {
    // A terminal sends its signals to both processes; a second signal does not end the command sooner.
    process.on(signal, () => command.kill(signal));
  }
  const [code, signal] = await new Promise((resolve, reject) => {
    command.once('error', reject);
    command.once('exit', (...ended) => resolve(ended));
  });
  if (signal !== null) {
    process.removeAllListeners(signal);
    process.kill(process.pid, signal);
  }
  process.exit(code ?? 1);
}

if (isOlder(process.versions.node, neededNode)) {
  await runAgain(await installNode(current));
}
