import assert from 'node:assert/strict';
import { appendFileSync, rmSync, writeFileSync } from 'node:fs';
import { addToolTurns, ClaudeCodeSession } from '../../fixtures/claudeCodeSession';
import { ui, windowMissing } from '../driver';
import { test } from '../index';
import { editorThat, finalEditor, openAlone, temporaryFile } from '../inspector';
import { holdThreads } from '../threads';

test('follows a file while it grows, is replaced, deleted and comes back, and is emptied while it is read', async () => {
  const growing = addToolTurns(new ClaudeCodeSession(), 'Why is the price wrong?', 2, 500);
  const whole = growing.toString();
  const uri = temporaryFile('growing [1].jsonl', whole);
  await openAlone(uri);
  const { blocks: before = 0, requests = 0 } = await finalEditor(uri);

  const written = growing.lines.length;
  growing.prompt('And the shipping?').reply({ text: 'It is left out.' });
  const added = growing.lines.slice(written).map(line => `${line}\n`);
  appendFileSync(uri.fsPath, added.join(''));
  const grown = await editorThat(uri, 'the view follows', ({ blocks }) => blocks === before + 2);
  assert.deepStrictEqual([grown.requests, grown.pending], [requests + 1, undefined]);
  if (windowMissing === undefined) {
    await ui(({ webview }) => webview.getByText('Request 4 of 4').waitFor());
  }

  writeFileSync(uri.fsPath, new ClaudeCodeSession().prompt('Anew').reply({ text: 'Yes.' }).toString());
  await editorThat(uri, 'the smaller file is shown', ({ blocks }) => blocks === 2);

  rmSync(uri.fsPath);
  const deleted = await editorThat(
    uri,
    'the deletion is noted',
    ({ fileName }) => fileName?.endsWith('(deleted)') === true,
  );
  assert.deepStrictEqual([deleted.state, deleted.blocks], ['shown', 2]);

  writeFileSync(uri.fsPath, whole);
  const back = await editorThat(uri, 'the file is back', ({ blocks }) => blocks === before);
  assert.equal(back.fileName, 'growing [1].jsonl');

  const held = holdThreads();
  try {
    await openAlone(uri);
    await editorThat(uri, 'reading goes on', ({ state }) => state === 'reading');
    writeFileSync(uri.fsPath, '');
  } finally {
    held.release();
  }
  await editorThat(uri, 'the empty file is refused', ({ sentence }) => sentence === 'This file is empty.');
  writeFileSync(uri.fsPath, whole);
  await finalEditor(uri);
});
