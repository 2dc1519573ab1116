import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import * as vscode from 'vscode';
import { commandIds } from '../../src/host/manifest';
import { ClaudeCodeSession } from '../fixtures/claudeCodeSession';
import { ui, waitUntil, windowMissing } from './driver';
import { test } from './index';
import { closeEverything, finalEditor, openAlone, temporaryFile } from './inspector';
import {
  endAsking,
  enterKey,
  events,
  key,
  outcome,
  prepareReplay,
  pressSend,
  type Provider,
  start,
  startProvider,
  stop,
  stream,
  text,
} from './mockProvider';

const session = new ClaudeCodeSession()
  .prompt('Why?')
  .reply({ tool: 'Bash', id: 'toolu_a', input: { command: 'cat a' } })
  .result('toolu_a', 'The file is empty.')
  .reply({ text: 'The file has nothing in it.' })
  .toString();

/** All files below a folder. None may contain a secret. */
function filesBelow(folder: string): readonly string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true, encoding: 'utf8' })
    .filter(entry => entry.isFile() && /\.(json|jsonl|log|txt)$/.test(entry.name))
    .map(entry => join(entry.parentPath, entry.name));
}

test(
  'sends nothing without an act, then replays, tells faults, cancels, and keeps the key to itself',
  async () => {
    const provider = await startProvider();
    try {
      const uri = temporaryFile('ask-me.jsonl', session);
      await openAlone(uri);
      await finalEditor(uri);
      await prepareReplay();
      assert.equal(provider.connections, 0, 'something was sent without an act');

      await enterKey();
      assert.equal(provider.connections, 0, 'setting a key sent something');

      let rest: (() => void) | undefined;
      provider.answer = response => {
        response.writeHead(200, stream).write(events(start, ...text('The file has ')));
        rest = () => {
          const more = {
            type: 'content_block_delta',
            index: 0,
            delta: { type: 'text_delta', text: 'no text.' },
          };
          response.end(events(more, ...stop));
        };
      };
      await pressSend();
      // The answer is streamed: its beginning is shown before the rest was sent.
      await ui(({ webview }) => webview.getByTestId('ask-content').getByText('The file has').waitFor());
      rest?.();
      await ui(({ webview }) => webview.getByTestId('ask-comparison').locator('ins').first().waitFor());
      assert.match(String(await outcome()), /Same next action as recorded.*Saved in .+\.jsonl/);
      assert.equal(provider.requests.length, 1);
      assert.equal(provider.requests[0]?.key, key);
      assert.equal(readFileSync(uri.fsPath, 'utf8'), session);

      provider.answer = response => response.writeHead(401).end('{"error":{"message":"invalid x-api-key"}}');
      await prepareReplay();
      await pressSend();
      await waitUntil('the refusal is told', async () =>
        String(await outcome()).includes('did not accept the key'),
      );

      provider.answer = response => response.writeHead(200, stream).write(events(start, ...text('Half')));
      await prepareReplay();
      await pressSend();
      await ui(async ({ webview }) => {
        await webview.getByTestId('ask-content').getByText('Half').waitFor();
        await webview.getByTestId('ask-outcome').getByRole('button', { name: 'Cancel' }).click();
        await webview.getByText('Cancelled. Partial output is below.').waitFor();
      });
      assert.match(String(await outcome()), /Half/);

      provider.close();
      await prepareReplay();
      await pressSend();
      await waitUntil('the refused connection is told', async () =>
        String(await outcome()).includes('refused the connection'),
      );

      assert.ok(!JSON.stringify(vscode.workspace.getConfiguration('contextInspector')).includes(key));
      const page = String(await ui(({ webview }) => webview.locator('body').innerHTML()));
      assert.ok(!page.includes(key));
      const folders = vscode.workspace.workspaceFolders?.map(folder => join(folder.uri.fsPath, '..')) ?? [];
      assert.notEqual(folders.length, 0);
      for (const file of folders.flatMap(filesBelow)) {
        assert.ok(!readFileSync(file, 'utf8').includes(key), file);
      }
    } finally {
      await endAsking(provider);
    }
  },
  { skip: windowMissing },
);

test(
  'asks for the key again when the address changes, and sends it nowhere else',
  async () => {
    const provider = await startProvider();
    let other: Provider | undefined;
    try {
      const uri = temporaryFile('ask-elsewhere.jsonl', session);
      await openAlone(uri);
      await finalEditor(uri);
      await prepareReplay();
      const setting = vscode.workspace.getConfiguration('contextInspector.asking').get<unknown>('providers');
      const origin = /http:\/\/127\.0\.0\.1:\d+/.exec(JSON.stringify(setting))?.[0] ?? 'none';
      const plan = await ui(({ webview }) => webview.getByTestId('ask-plan').textContent());
      assert.ok(String(plan).includes(`Anthropic, ${origin} on this machine`), String(plan));
      assert.ok((await enterKey()).includes(`sent only to ${origin}`));

      other = await startProvider();
      await ui(({ webview }) => webview.getByRole('button', { name: 'Do not send' }).click());
      await prepareReplay();
      await ui(({ webview }) => webview.getByRole('button', { name: 'Set API key…' }).waitFor());
      await enterKey();
      assert.deepEqual([provider.connections, other.connections], [0, 0]);

      other.answer = response => response.writeHead(200, stream).end(events(start, ...text('Hi'), ...stop));
      await pressSend();
      await ui(({ webview }) => webview.getByTestId('ask-comparison').locator('ins').first().waitFor());
      assert.deepEqual([provider.requests, other.requests.map(request => request.key)], [[], [key]]);
    } finally {
      await endAsking(provider, other);
    }
  },
  { skip: windowMissing },
);

test(
  'offers the models of VS Code where it has any, and hides them where it has none',
  async () => {
    const models = await vscode.lm.selectChatModels();
    const uri = temporaryFile('ask-vscode.jsonl', session);
    await openAlone(uri);
    await finalEditor(uri);
    const options = await ui(async ({ webview }) => {
      await webview.getByRole('tab', { name: 'Model' }).click();
      await webview.getByTestId('model-panel').getByRole('combobox', { name: 'Provider' }).waitFor();
      return webview.getByTestId('model-panel').locator('option').allTextContents();
    });
    assert.ok(Array.isArray(options) && options.includes('Anthropic'));
    assert.equal(options.includes('VS Code models'), models.length > 0);
    await closeEverything();
  },
  { skip: windowMissing },
);

/** Resolves with the reason why this VS Code offers no model; undefined if it offers one now. */
async function registerModel(): Promise<string | undefined> {
  try {
    await vscode.commands.executeCommand('modelProvider.register');
  } catch (error) {
    return String(error);
  }
  return (await vscode.lm.selectChatModels()).length > 0 ? undefined : 'it was registered and is not offered';
}

test(
  'asks a model that another extension brings',
  async () => {
    const missing = await registerModel();
    if (missing !== undefined) {
      console.log(`  This VS Code lets no extension bring a model: ${missing}`);
      return;
    }
    const uri = temporaryFile('ask-invented.jsonl', session);
    await openAlone(uri);
    await finalEditor(uri);
    await ui(async ({ webview }) => {
      await webview.getByRole('tab', { name: 'Model' }).click();
      const panel = webview.getByTestId('model-panel');
      await panel.getByRole('combobox', { name: 'Provider' }).selectOption('VS Code models');
      await panel.getByRole('button', { name: 'Preview' }).click();
      await webview.getByTestId('ask-plan').getByText('invented').first().waitFor();
    });
    const asked = (): Thenable<unknown> => vscode.commands.executeCommand('modelProvider.asked');
    assert.deepEqual(await asked(), [], 'the model was asked without an act');
    await pressSend();
    await ui(({ webview }) => webview.getByTestId('ask-comparison').locator('ins').first().waitFor());
    assert.match(String(await outcome()), /Same next action as recorded/);
    assert.match(JSON.stringify(await asked()), /Why\?/);
    await closeEverything();
  },
  { skip: windowMissing },
);

test('has commands for keys and replays', async () => {
  const commands = new Set(await vscode.commands.getCommands(true));
  for (const id of [commandIds.setApiKey, commandIds.removeApiKey, commandIds.openReplays]) {
    assert.ok(commands.has(id), id);
  }
});
