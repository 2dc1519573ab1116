import { readFileSync, renameSync, truncateSync, writeFileSync } from 'node:fs';
import { addToolTurns, ClaudeCodeSession } from '../fixtures/claudeCodeSession';
import { waitUntil } from './driver';
import { test } from './index';
import { closeEverything, editorThat, finalEditor, openAlone, temporaryFile } from './inspector';
import { holdThreads } from './threads';

test('shows the last content of a file that is replaced, shortened or emptied while it is read', async () => {
  const long = addToolTurns(new ClaudeCodeSession(), 'Look at all of it.', 30, 20_000).toString();
  const short = new ClaudeCodeSession().prompt('Anew').reply({ text: 'Yes.' }).toString();
  const changes: readonly (readonly [name: string, change: (path: string) => void])[] = [
    [
      'replaced',
      path => {
        writeFileSync(`${path}.new`, short);
        renameSync(`${path}.new`, path);
      },
    ],
    [
      'shortened',
      path => truncateSync(path, Buffer.byteLength(readFileSync(path, 'utf8').split('\n')[0] ?? '') + 1),
    ],
    ['emptied', path => writeFileSync(path, '')],
  ];
  for (const [name, change] of changes) {
    const uri = temporaryFile(`${name}-while-read.jsonl`, long);
    await closeEverything();
    const held = holdThreads();
    try {
      await openAlone(uri);
      await editorThat(uri, 'reading goes on', ({ state }) => state === 'reading');
      change(uri.fsPath);
    } finally {
      held.release();
    }
    if (name === 'replaced') {
      await editorThat(
        uri,
        'the other file is shown',
        ({ blocks, pending }) => blocks === 2 && pending === undefined,
      );
    } else if (name === 'shortened') {
      await editorThat(
        uri,
        'what is left is shown',
        ({ state, blocks }) => state === 'shown' && blocks === 1,
      );
    } else {
      await editorThat(
        uri,
        'the empty file is refused',
        ({ sentence }) => sentence === 'This file is empty.',
      );
    }
    // It is followed on.
    writeFileSync(uri.fsPath, long);
    await waitUntil('it is whole again', async () => ((await finalEditor(uri)).blocks ?? 0) > 60);
  }
  await closeEverything();
});
