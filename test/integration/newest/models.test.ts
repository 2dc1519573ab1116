import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import * as vscode from 'vscode';
import { ClaudeCodeSession } from '../../fixtures/claudeCodeSession';
import { eventText } from '../../fixtures/faultServer';
import { eventStream, replyEnd, replyStart, textStart } from '../../fixtures/streamedReply';
import { bringModel } from '../chat';
import { ui, windowMissing } from '../driver';
import { test } from '../index';
import { finalEditor, openAlone, temporaryFile, workspaceFolder } from '../inspector';
import { endAsking, enterKey, key, outcome, prepareReplay, pressSend, startProvider } from '../mockProvider';

const needsWindow = { skip: windowMissing };

const session = new ClaudeCodeSession()
  .prompt('Why?')
  .reply({ tool: 'Bash', id: 'toolu_a', input: { command: 'cat a' } })
  .result('toolu_a', 'The file is empty.')
  .reply({ text: 'The file has nothing in it.' })
  .toString();

async function openSession(name: string): Promise<void> {
  const uri = temporaryFile(name, session);
  await openAlone(uri);
  await finalEditor(uri);
}

/** All files of the window in which the key may not be. */
const filesOfWindow = (): readonly string[] =>
  readdirSync(join(workspaceFolder().fsPath, '..'), {
    recursive: true,
    withFileTypes: true,
    encoding: 'utf8',
  })
    .filter(entry => entry.isFile() && /\.(json|jsonl|log|txt)$/.test(entry.name))
    .map(entry => join(entry.parentPath, entry.name));

test(
  'sends nothing without an act, asks for a key for each address, and keeps the key to itself',
  async () => {
    const first = await startProvider();
    const other = await startProvider();
    try {
      await openSession('ask-me.jsonl');
      await prepareReplay();
      // The settings name the second provider. The first one has gone from them.
      const origin = /http:\/\/127\.0\.0\.1:\d+/.exec(
        JSON.stringify(vscode.workspace.getConfiguration('contextInspector.asking').get('providers')),
      );
      assert.ok((await enterKey()).includes(`sent only to ${origin?.[0] ?? 'none'}`));
      assert.deepEqual([first.connections, other.connections], [0, 0], 'something was sent without an act');
      other.answer = response =>
        response
          .writeHead(200, eventStream)
          .end(eventText(replyStart(), ...textStart('The file has no text.'), ...replyEnd()));
      await pressSend();
      await ui(({ webview }) => webview.getByTestId('ask-comparison').locator('ins').first().waitFor());
      assert.match(String(await outcome()), /Same next action as recorded.*Saved in .+\.jsonl/);
      assert.deepEqual([first.requests, other.requests.map(request => request.key)], [[], [key]]);

      const third = await startProvider();
      try {
        await prepareReplay();
        await ui(({ webview }) => webview.getByRole('button', { name: 'Set API key…' }).waitFor());
        assert.equal(third.connections, 0);
      } finally {
        third.close();
      }
      assert.ok(!JSON.stringify(vscode.workspace.getConfiguration('contextInspector')).includes(key));
      assert.ok(!String(await ui(({ webview }) => webview.locator('body').innerHTML())).includes(key));
      for (const file of filesOfWindow()) {
        assert.ok(!readFileSync(file, 'utf8').includes(key), file);
      }
    } finally {
      await endAsking(first, other);
    }
  },
  needsWindow,
);

test(
  'asks a model that another extension brings',
  async () => {
    await bringModel();
    await openSession('ask-invented.jsonl');
    await ui(async ({ webview }) => {
      await webview.getByRole('tab', { name: 'Model' }).click();
      const panel = webview.getByTestId('model-panel');
      await panel.getByRole('combobox', { name: 'Provider' }).selectOption('VS Code models');
      await panel.getByRole('button', { name: 'Preview' }).click();
      await webview.getByTestId('ask-plan').getByText('invented').first().waitFor();
    });
    const asked = async (): Promise<string> =>
      JSON.stringify(await vscode.commands.executeCommand('modelProvider.asked'));
    const before = await asked();
    await pressSend();
    await ui(({ webview }) => webview.getByTestId('ask-comparison').locator('ins').first().waitFor());
    assert.match(String(await outcome()), /Same next action as recorded/);
    assert.match((await asked()).slice(before.length - 1), /Why\?/);
  },
  needsWindow,
);
