// Installs npm packages: the project's own into node_modules, tools that only some commands need into .vscode-test.
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';

/** The repository's root folder. */
export const root = join(import.meta.dirname, '..', '..');

/** The folder for downloads and temporary files of the development commands. Git ignores it. */
export const cache = join(root, '.vscode-test');

/** npm could not install something. */
export class NotInstalled extends Error {}

/** Runs npm in `directory`. Its output goes to stderr, so stdout has only the output of the command itself. */
export function npm(arguments_, directory) {
  const quiet = ['--no-audit', '--no-fund', '--loglevel=error'];
  const { status } = spawnSync('npm', [...arguments_, ...quiet], {
    cwd: directory,
    stdio: ['ignore', 2, 2],
    shell: process.platform === 'win32',
  });
  if (status !== 0) {
    throw new NotInstalled(`npm ${arguments_.join(' ')} failed; it needs a reachable npm registry.`);
  }
}

function packagesOf(lockFile) {
  return existsSync(lockFile) ? JSON.parse(readFileSync(lockFile, 'utf8')).packages : {};
}

/** Brings node_modules to the state of package-lock.json. Compares versions, because all files of a fresh clone have the same age. */
export function installDependencies() {
  const installed = packagesOf(join(root, 'node_modules', '.package-lock.json'));
  const missing = Object.entries(packagesOf(join(root, 'package-lock.json'))).filter(
    ([path, { version, optional, devOptional }]) =>
      path !== '' && !optional && !devOptional && installed[path]?.version !== version,
  );
  if (missing.length > 0) {
    npm(['ci', '--include=dev'], root);
  }
}

/**
 * Installs packages, each `name@version`, into a folder of their own below the cache and returns that folder. `finish(folder)` completes
 * the installation. All work is done in a temporary folder that is renamed at the end, so no unfinished installation is ever visible.
 */
export async function installTool(packages, finish) {
  const folder = join(cache, packages.join('+').replaceAll('/', '-'));
  if (existsSync(folder)) {
    return folder;
  }
  mkdirSync(cache, { recursive: true });
  console.error(`Installing ${packages.join(', ')} …`);
  const unfinished = mkdtempSync(join(cache, 'unfinished-'));
  try {
    npm(['install', '--prefix', unfinished, '--ignore-scripts', ...packages], unfinished);
    await finish?.(unfinished);
    renameSync(unfinished, folder);
  } catch (error) {
    if (!existsSync(folder)) {
      throw error;
    }
  } finally {
    rmSync(unfinished, { recursive: true, force: true });
  }
  return folder;
}
