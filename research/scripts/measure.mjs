// Measures what an installation costs: the time to activate in a real VS Code, with the packaged and installed extension, and the sizes of both packages.
import '../../scripts/lib/currentNode.mjs';
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { packageExtension, runInVscode } from '../../test/integration/launch.mjs';
import { root } from '../../scripts/lib/packages.mjs';
import { versions } from '../../scripts/lib/vscodeServer.mjs';

const windows = 3;

/** Runs in the extension host. Nothing has activated the extension there, so its code is loaded now. */
const activation = `
import { writeFileSync } from 'node:fs';
import * as vscode from 'vscode';
export async function run() {
  const extension = vscode.extensions.getExtension('context-inspector.context-inspector');
  const began = performance.now();
  await extension.activate();
  writeFileSync(process.env.ACTIVATION_FILE, String(performance.now() - began));
}`;

const megabytes = path => `${(statSync(path).size / 1e6).toFixed(1)} MB`;
const folder = mkdtempSync(join(tmpdir(), 'measure-'));
try {
  const file = packageExtension();
  const { stdout, status } = spawnSync(
    'npm',
    ['pack', '--ignore-scripts', '--json', '--pack-destination', folder],
    { cwd: root, encoding: 'utf8', shell: process.platform === 'win32' },
  );
  if (status !== 0) {
    throw new Error('npm pack failed.');
  }
  const tarball = join(folder, JSON.parse(stdout)[0].filename);
  const times = [];
  for (let window = 0; window < windows; window += 1) {
    const result = join(folder, `activation-${window}`);
    await runInVscode(activation, root, { file, environment: { ACTIVATION_FILE: result } });
    times.push(Number(readFileSync(result, 'utf8')));
  }
  times.sort((first, second) => first - second);
  const median = Math.round(times[Math.floor(windows / 2)]);
  console.log(
    `VSIX ${megabytes(file)}, npm package ${megabytes(tarball)}, activation ${median} ms (median of ${windows} windows of VS Code ${versions.minimum.name})`,
  );
} finally {
  rmSync(folder, { recursive: true, force: true });
}
