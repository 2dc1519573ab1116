import assert from 'node:assert/strict';
import { appendFileSync, rmSync, writeFileSync } from 'node:fs';
import { addToolTurns, ClaudeCodeSession } from '../fixtures/claudeCodeSession';
import { ui, waitUntil, windowMissing } from './driver';
import { test } from './index';
import {
  closeEverything,
  editorThat,
  finalEditor,
  inspectorApi,
  isActiveAsText,
  openAlone,
  temporaryFile,
} from './inspector';

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

/** A little over 60 MB, in 60 results. */
const large = (): string => addToolTurns(new ClaudeCodeSession(), 'Read it all.', 60, 500_000).toString();

test('opens a file of 60 MB with progress', async () => {
  const text = large();
  assert.ok(text.length > 60_000_000);
  const uri = temporaryFile('large.jsonl', text);
  const { openEditors, onDidChange } = await inspectorApi();
  const states = new Set<string>();
  const listener = onDidChange(() => {
    for (const { state, pending } of openEditors()) {
      states.add(pending ?? state);
    }
  });
  try {
    await openAlone(uri);
    const { blocks } = await editorThat(uri, 'the large file is shown', ({ state }) => state === 'shown');
    assert.equal(blocks, 1 + 3 * 60 + 1);
    assert.ok(states.has('reading'));
  } finally {
    listener.dispose();
    rmSync(uri.fsPath);
  }
});

test(
  'stops reading a large file when asked to, and starts again',
  async () => {
    const text = large();
    const uri = temporaryFile('large-cancelled.jsonl', text);
    // Repeated records make no blocks; with two on each line, reading is slow enough to click in time.
    const glued = text.replaceAll(/\n([^\n]*\n)/g, '$1');
    for (let copy = 1; copy < 16; copy += 1) {
      appendFileSync(uri.fsPath, glued);
    }
    try {
      // The page of an earlier editor may have such a button too.
      await closeEverything();
      // Click at once: a fast machine has read the file before the page stops moving.
      const click = ui(({ webview }) =>
        webview.getByRole('button', { name: 'Cancel' }).dispatchEvent('click'),
      );
      await Promise.all([openAlone(uri), click]);
      await editorThat(uri, 'reading is cancelled', ({ state }) => state === 'cancelled');
      await ui(({ webview }) => webview.getByRole('button', { name: 'Try again' }).click());
      await editorThat(uri, 'the large file is shown', ({ state }) => state === 'shown');
    } finally {
      rmSync(uri.fsPath);
    }
  },
  { skip: windowMissing },
);
