import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { delimiter, join } from 'node:path';
import { it } from 'node:test';
import { cliPath } from '../../fixtures/commandLine';

/** A Node on this machine with a version that the program does not support. */
function olderNode(): { readonly path: string; readonly version: string } | undefined {
  const name = process.platform === 'win32' ? 'node.exe' : 'node';
  return (process.env['PATH'] ?? '')
    .split(delimiter)
    .map(folder => join(folder, name))
    .flatMap(path => {
      const { status, stdout } = spawnSync(path, ['-p', 'process.versions.node'], { encoding: 'utf8' });
      return status === 0 ? [{ path, version: stdout.trim() }] : [];
    })
    .find(({ version }) => Number.parseInt(version) < 22);
}

it('says on an older Node in one sentence which one it needs', test => {
  const older = olderNode();
  if (older === undefined) {
    test.skip('every Node of this machine is new enough');
    return;
  }
  const { path, version } = older;
  for (const command of ['', 'status', 'statusline']) {
    const { status, stdout, stderr } = spawnSync(path, [cliPath, command], { encoding: 'utf8' });
    assert.equal(stderr, `Context Inspector needs Node 22.16 or newer, and this is Node ${version}.\n`);
    assert.equal(stdout, '');
    assert.equal(status, 2);
  }
});
