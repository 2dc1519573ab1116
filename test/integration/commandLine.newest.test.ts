import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { test } from './index';
import { packagedExample } from './inventory/workbench';

/** The tests are bundled into a separate folder next to the programs. */
const program = join(__dirname, '..', 'cli.js');

// The Node of the newest VS Code differs from the one that runs the tests of the command line.
test('the command line answers on the Node of this VS Code, and complains about nothing', async () => {
  for (const command of ['inspect', 'breakdown', 'sight', 'waste']) {
    const words = [program, command, packagedExample().fsPath];
    const { stdout, stderr } = await promisify(execFile)(process.execPath, words, {
      env: { ...process.env, ELECTRON_RUN_AS_NODE: '1' },
    });
    assert.deepEqual([command, stderr, stdout.trim() === ''], [command, '', false]);
  }
});
