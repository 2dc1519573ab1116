import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync } from 'node:fs';
import { getCompileCacheDir } from 'node:module';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { addToolTurns, ClaudeCodeSession } from '../../fixtures/claudeCodeSession';
import { eventually } from '../driver';
import { test } from '../index';
import { finalEditor, inspectorApi, openAlone, temporaryFile } from '../inspector';
import { packagedExample } from '../workbench';

/** The tests are bundled into a separate folder next to the programs. */
const program = join(__dirname, '..', 'cli.js');

// This Node differs from the one that runs the tests of the command line.
test('answers on the Node of this VS Code by command line, and keeps the compiled code of the thread that reads', async () => {
  for (const command of ['inspect', 'breakdown', 'sight', 'waste']) {
    const words = [program, command, packagedExample().fsPath];
    const { stdout, stderr } = await promisify(execFile)(process.execPath, words, {
      env: { ...process.env, ELECTRON_RUN_AS_NODE: '1' },
    });
    assert.deepEqual([command, stderr, stdout.trim() === ''], [command, '', false]);
  }
  const { measureFolder } = await inspectorApi();
  const folder = join(measureFolder ?? assert.fail(), '..', 'compiled');
  mkdirSync(folder, { recursive: true });
  const transcript = addToolTurns(new ClaudeCodeSession(), 'Why is the price wrong?', 9, 2000).toString();
  const uri = temporaryFile('code.jsonl', transcript);
  await openAlone(uri);
  const final = await finalEditor(uri);
  await eventually('the code is kept', () => existsSync(folder) && readdirSync(folder).length > 0, folder);
  assert.equal(getCompileCacheDir(), undefined);
  await openAlone(uri);
  assert.deepStrictEqual(await finalEditor(uri), final);
});
