import assert from 'node:assert/strict';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import * as vscode from 'vscode';
import { sessionsViewId } from '../../src/host/manifest';
import { ask, CopilotRecording, say } from '../fixtures/copilotRecording';
import { tools } from '../fixtures/copilotScenarios';
import { ui, waitUntil, windowMissing } from './driver';
import { test } from './index';
import {
  closeEverything,
  finalEditor,
  isActiveInInspector,
  temporaryPath,
  workspaceFolder,
} from './inspector';

/** Writes a session's debug log as Copilot Chat keeps it for the window's folder, with the files beside it. */
async function debugLog(recording: CopilotRecording): Promise<vscode.Uri> {
  const data = temporaryPath('copilot-data');
  process.env['VSCODE_APPDATA'] = data;
  const storage = join(data, 'Code/User/workspaceStorage/1f');
  const folder = join(storage, 'GitHub.copilot-chat/debug-logs/s1');
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(storage, 'workspace.json'), JSON.stringify({ folder: workspaceFolder().toString() }));
  for (const name of await recording.siblings.list('.')) {
    writeFileSync(join(folder, name), (await recording.siblings.read(name)) ?? '');
  }
  writeFileSync(join(folder, 'main.jsonl'), recording.lines);
  return vscode.Uri.file(join(folder, 'main.jsonl'));
}

test(
  'lists a debug log of Copilot Chat, and shows its system prompt, tools and usage',
  async () => {
    const prompt = say('user', 'Count the umbrellas');
    const rules = 'You count what is in the shop. Be exact.';
    const recording = new CopilotRecording()
      .prompt('Count the umbrellas')
      .call({
        system: rules,
        tools,
        messages: [prompt],
        reply: ask('I look.'),
        usage: { input: 4321, cached: 0, output: 12 },
      })
      .prompt('And the coats')
      .call({
        system: rules,
        tools,
        messages: [prompt, ask('I look.'), say('user', 'And the coats')],
        reply: ask('Seven.'),
        usage: { input: 4400, cached: 4300, output: 5 },
      });
    const uri = await debugLog(recording);
    await closeEverything();
    await vscode.commands.executeCommand(`${sessionsViewId}.focus`);
    await ui(async ({ view }) => {
      const row = view.getByRole('treeitem').filter({ hasText: 'Count the umbrellas' }).first();
      await row.filter({ hasText: 'Copilot Chat' }).waitFor();
      await row.click();
    });
    await waitUntil('the debug log is shown', () => isActiveInInspector(uri));
    const { requests, summary } = await finalEditor(uri);
    assert.equal(requests, 2);
    assert.deepEqual(summary?.problems, []);
    const figures = await ui(async ({ webview }) => {
      await webview.getByTestId('total').waitFor();
      return [
        await webview.getByTestId('total').textContent(),
        ...(await webview.locator('.timeline__figure').allTextContents()),
      ];
    });
    assert.match(String(figures), /4,400/);
    assert.match(String(figures), /97\.7 % cached/);
    const rows = await ui(async ({ webview }) => {
      await webview.getByRole('radio', { name: 'Table' }).check();
      return webview.getByTestId('block-table').innerText();
    });
    assert.match(String(rows), /You count what is in the shop/);
    assert.match(String(rows), /read_file/);
    assert.match(String(rows), /run_in_terminal/);
    await ui(({ webview }) =>
      webview.getByTestId('block-table').getByRole('row').filter({ hasText: 'You count' }).last().click(),
    );
    await ui(({ webview }) =>
      webview
        .getByTestId('block-text')
        .filter({ hasText: 'You count what is in the shop. Be exact.' })
        .waitFor(),
    );
  },
  { skip: windowMissing },
);
