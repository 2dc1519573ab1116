import assert from 'node:assert/strict';
import { appendFileSync, rmSync, writeFileSync } from 'node:fs';
import { addToolTurns, ClaudeCodeSession } from '../fixtures/claudeCodeSession';
import { ui, waitUntil, windowMissing } from './driver';
import { test } from './index';
import {
  closeEverything,
  editorThat,
  finalEditor,
  isActiveAsText,
  openAlone,
  temporaryFile,
} from './inspector';
import { holdThreads } from './threads';

const session = (): ClaudeCodeSession =>
  addToolTurns(new ClaudeCodeSession(), 'Why is the price wrong?', 2, 500);

test('follows a file while it grows, is replaced, deleted and comes back', async () => {
  const growing = session();
  const uri = temporaryFile('growing [1].jsonl', growing.toString());
  await openAlone(uri);
  const { blocks: before = 0, requests = 0 } = await finalEditor(uri);

  const written = growing.lines.length;
  growing.prompt('And the shipping?').reply({ text: 'It is left out.' });
  appendFileSync(
    uri.fsPath,
    growing.lines
      .slice(written)
      .map(line => `${line}\n`)
      .join(''),
  );
  const grown = await editorThat(uri, 'the view follows', ({ blocks }) => blocks === before + 2);
  assert.deepStrictEqual([grown.requests, grown.pending], [requests + 1, undefined]);

  writeFileSync(uri.fsPath, new ClaudeCodeSession().prompt('Anew').reply({ text: 'Yes.' }).toString());
  await editorThat(uri, 'the smaller file is shown', ({ blocks }) => blocks === 2);

  rmSync(uri.fsPath);
  const deleted = await editorThat(
    uri,
    'the deletion is noted',
    ({ fileName }) => fileName?.endsWith('(deleted)') === true,
  );
  assert.deepStrictEqual([deleted.state, deleted.blocks], ['shown', 2]);

  writeFileSync(uri.fsPath, session().toString());
  const back = await editorThat(uri, 'the file is back', ({ blocks }) => blocks === before);
  assert.equal(back.fileName, 'growing [1].jsonl');
});

test(
  'shows the newest request of a file that grows',
  async () => {
    const growing = session();
    const uri = temporaryFile('growing-view.jsonl', growing.toString());
    await openAlone(uri);
    await ui(({ webview }) => webview.getByText('Request 3 of 3').waitFor());
    growing.prompt('And the shipping?').reply({ text: 'It is left out.' });
    writeFileSync(uri.fsPath, growing.toString());
    await ui(({ webview }) => webview.getByText('Request 4 of 4').waitFor());
  },
  { skip: windowMissing },
);

test('shows what can be read of a damaged file, and names the rest', async () => {
  const lines = session().lines;
  const [first = '', second = '', third = ''] = lines;
  const cut = third.slice(0, third.length / 2);
  const uri = temporaryFile('damaged.jsonl', `${first}\nno JSON at all\n${second}\n${cut}`);
  await openAlone(uri);
  const { summary, blocks } = await finalEditor(uri);
  assert.deepStrictEqual(
    [blocks, summary?.problems],
    [
      2,
      [
        { kind: 'unparsableLine', line: 2, count: 1 },
        { kind: 'truncatedLastLine', line: 4, count: 1 },
      ],
    ],
  );
});

test('says in one sentence why an empty or a foreign file is not shown, and shows it when it becomes a transcript', async () => {
  const empty = temporaryFile('empty.jsonl', '');
  await openAlone(empty);
  const failed = await editorThat(empty, 'the empty file is refused', ({ state }) => state === 'failed');
  assert.equal(failed.sentence, 'This file is empty.');
  writeFileSync(empty.fsPath, session().toString());
  await finalEditor(empty);

  const foreign = temporaryFile(
    'package.json',
    JSON.stringify({ name: 'bookshop', scripts: { test: 'true' } }),
  );
  await openAlone(foreign);
  const refused = await editorThat(foreign, 'the foreign file is refused', ({ state }) => state === 'failed');
  assert.match(refused.sentence ?? '', /^[A-Z][^.]*\.(?: [A-Z][^.]*\.)*$/);
});

test(
  'offers a foreign file as text',
  async () => {
    const uri = temporaryFile('tsconfig.json', '{"compilerOptions":{}}');
    await openAlone(uri);
    await ui(({ webview }) => webview.getByRole('button', { name: 'Open as text' }).click());
    await waitUntil('the file is shown as text', () => isActiveAsText(uri));
  },
  { skip: windowMissing },
);

test(
  'reads with progress, stops when asked to, and starts again',
  async () => {
    const uri = temporaryFile('cancelled.jsonl', session().toString());
    await closeEverything();
    const held = holdThreads();
    try {
      await openAlone(uri);
      await editorThat(uri, 'reading goes on', ({ state }) => state === 'reading');
      await ui(async ({ webview }) => {
        await webview.getByRole('progressbar', { name: 'Reading' }).waitFor();
        await webview.getByRole('button', { name: 'Cancel' }).click();
      });
      await editorThat(uri, 'reading is cancelled', ({ state }) => state === 'cancelled');
      await waitUntil('the thread that read has ended', held.haveEnded);
    } finally {
      held.release();
    }
    await ui(({ webview }) => webview.getByRole('button', { name: 'Try again' }).click());
    assert.equal((await finalEditor(uri)).blocks, 8);
  },
  { skip: windowMissing },
);
