import assert from 'node:assert/strict';
import { existsSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import * as vscode from 'vscode';
import { commandIds } from '../../src/host/manifest';
import { addToolTurns, ClaudeCodeSession } from '../fixtures/claudeCodeSession';
import { zstdFrame } from '../fixtures/zstdFrame';
import { ui, waitUntil, windowMissing } from './driver';
import { test } from './index';
import { closeEverything, editorThat, finalEditor, openAlone, temporaryFile } from './inspector';

const needsWindow = { skip: windowMissing };

function bytesFile(name: string, bytes: Uint8Array): vscode.Uri {
  const uri = temporaryFile(name, '');
  writeFileSync(uri.fsPath, bytes);
  return uri;
}

const plain = (): ClaudeCodeSession =>
  new ClaudeCodeSession()
    .prompt('Sort them')
    .reply({ text: 'Sorted.' })
    .prompt('Thanks')
    .reply({ text: 'Fine.' });

/** A run of opencode with times later than any date. */
const late = ['step_start', 'text', 'step_finish']
  .map((type, index) =>
    JSON.stringify({
      type,
      timestamp: 1e20,
      sessionID: 'ses_1',
      part: {
        id: `prt_${index}`,
        messageID: 'msg_1',
        sessionID: 'ses_1',
        type: type.replace('_', '-'),
        ...(type === 'text' ? { text: 'Sorted.', time: { start: 1e20, end: 1e20 } } : {}),
        ...(type === 'step_finish'
          ? { reason: 'stop', tokens: { input: 80, output: 20, reasoning: 0, cache: { read: 0, write: 0 } } }
          : {}),
      },
    }),
  )
  .join('\n');

/** The last bytes of a line were lost inside a character, and the next line follows directly. */
function glued(): Uint8Array {
  const [first = '', second = '', ...others] = plain().reply({ text: 'Größe' }).lines;
  return Buffer.concat([
    Buffer.from(`${first}\n${second}\n{"type":"user","message":{"content":"Gr`),
    Buffer.from([0xc3]),
    Buffer.from(`${others.join('\n')}\n`),
  ]);
}

const damaged: readonly (readonly [what: string, name: string, bytes: () => Uint8Array])[] = [
  ['times beyond all dates', 'late.jsonl', () => Buffer.from(late)],
  [
    'counts that no computer can hold',
    'huge-counts.jsonl',
    () =>
      Buffer.from(
        plain()
          .toString()
          .replaceAll('"input_tokens":3', `"input_tokens":1${'0'.repeat(300)}`),
      ),
  ],
  ['UTF-16', 'sixteen.jsonl', () => Buffer.from(`\ufeff${plain().toString()}`, 'utf16le')],
  ['a line that ends inside a character', 'glued.jsonl', glued],
];

for (const [what, name, bytes] of damaged) {
  test(
    `draws and reports a transcript with ${what}`,
    async () => {
      const uri = bytesFile(name, bytes());
      await openAlone(uri);
      const { requests, blocks } = await finalEditor(uri);
      assert.ok((requests ?? 0) > 0 && (blocks ?? 0) > 0);
      const words = String(await ui(({ webview }) => webview.locator('body').innerText()));
      assert.doesNotMatch(words, /NaN|∞|Infinity|Invalid/);
      const report = vscode.Uri.joinPath(uri, '..', `${name}.report.html`);
      await waitUntil('the page is asked for the report', async () =>
        vscode.commands.executeCommand<boolean>(commandIds.exportReport, uri, report),
      );
      await waitUntil('the report is written', () => existsSync(report.fsPath));
      const page = readFileSync(report.fsPath, 'utf8');
      assert.match(page, /<svg/);
      assert.doesNotMatch(page, /NaN|∞|Infinity|width="-/);
      assert.equal(statSync(report.fsPath).mode & 0o777, 0o600);
      await closeEverything();
    },
    needsWindow,
  );
}

test('writes a pruned copy and a report without passwords of labels, members and lines that are no JSON', async () => {
  const [address, member, lost] = ['Qu1ltW0rk9519', 'Vq7rT2mXk9wLb4z', 'Wd83hPz61QnR'];
  const session = addToolTurns(new ClaudeCodeSession(), 'Look', 4, 160_000)
    .reply({
      tool: 'Bash',
      id: 'toolu_x',
      input: { command: `psql postgres://app:${address}@db.quillworks.io/p` },
    })
    .result('toolu_x', 'ok')
    .reply({ tool: 'Login', id: 'toolu_y', input: { user: 'ada', password: member } })
    .result('toolu_y', 'ok')
    .prompt('Thanks')
    .reply({ text: 'Fine.' })
    .prompt('Bye')
    .reply({ text: 'Bye.' });
  const uri = temporaryFile(
    'passwords.jsonl',
    `${session.toString()}{"type":"user","x":"DB_PASSWORD=${lost}\n`,
  );
  await openAlone(uri);
  await finalEditor(uri);
  const copy = vscode.Uri.joinPath(uri, '..', 'passwords.pruned.jsonl');
  const report = vscode.Uri.joinPath(uri, '..', 'passwords.report.html');
  await waitUntil('the page is asked for the copy', async () =>
    vscode.commands.executeCommand<boolean>(commandIds.exportPrunedCopy, uri, copy),
  );
  await waitUntil('the pruned copy is written', () => existsSync(copy.fsPath));
  await vscode.commands.executeCommand(commandIds.exportReport, uri, report);
  await waitUntil('the report is written', () => existsSync(report.fsPath));
  for (const { fsPath } of [copy, report]) {
    const text = readFileSync(fsPath, 'utf8');
    assert.deepEqual(
      [address, member, lost].filter(secret => text.includes(secret)),
      [],
      fsPath,
    );
    assert.equal(statSync(fsPath).mode & 0o777, 0o600);
  }
  assert.ok((readFileSync(copy.fsPath, 'utf8').match(/\[redacted: /g)?.length ?? 0) >= 3);
  await closeEverything();
});

test('refuses a packed transcript that is larger than the setting allows, and opens it when it is allowed', async () => {
  const [head = '', tail = ''] = plain().prompt('|').reply({ text: 'Read.' }).toString().split('|');
  const many = Array.from({ length: 15 }, () => ({ byte: 0x20, times: 100_000 }));
  const uri = bytesFile('packed.jsonl.zst', zstdFrame([Buffer.from(head), ...many, Buffer.from(tail)]));
  const settings = vscode.workspace.getConfiguration('contextInspector.unpacking');
  try {
    await settings.update('megabytes', 1, vscode.ConfigurationTarget.Global);
    await openAlone(uri);
    const { sentence } = await editorThat(uri, 'the file is refused', ({ state }) => state === 'failed');
    assert.match(sentence ?? '', /not read: it unpacks to more than .* 1 MB/);
    await settings.update('megabytes', undefined, vscode.ConfigurationTarget.Global);
    await openAlone(uri);
    await finalEditor(uri);
  } finally {
    await settings.update('megabytes', undefined, vscode.ConfigurationTarget.Global);
    await closeEverything();
  }
});
