import assert from 'node:assert/strict';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import * as vscode from 'vscode';
import { ClaudeCodeSession } from '../fixtures/claudeCodeSession';
import { ui, waitUntil, windowMissing } from './driver';
import { test } from './index';
import { closeEverything, finalEditor, openAlone, temporaryFile, workspaceFolder } from './inspector';

/** A desktop VS Code for tests trusts every folder. */
const needsWindow = { skip: windowMissing };

test(
  'reads nothing that can do anything from the settings of a workspace that is not trusted',
  async () => {
    assert.equal(vscode.workspace.isTrusted, false);
    const folder = join(workspaceFolder().fsPath, '.vscode');
    mkdirSync(folder, { recursive: true });
    const given = {
      'contextInspector.models': { 'claude-sonnet-4-5': { contextWindow: 1000 } },
      'contextInspector.sessions.folders': ['/etc'],
      'contextInspector.asking.enabled': false,
      'contextInspector.asking.providers': { anthropic: { baseUrl: 'https://elsewhere.example' } },
      'contextInspector.asking.maximumTokens': 1,
    };
    // The last one only changes what a preview shows, which proves that the file was read.
    writeFileSync(
      join(folder, 'settings.json'),
      JSON.stringify({ ...given, 'contextInspector.prune.protectTokens': 4321 }),
    );
    await waitUntil(
      'the settings of the workspace are read',
      () => vscode.workspace.getConfiguration('contextInspector.prune').get('protectTokens') === 4321,
    );
    const settings = vscode.workspace.getConfiguration();
    for (const key of Object.keys(given)) {
      assert.deepEqual(settings.get(key), settings.inspect(key)?.defaultValue, key);
    }
  },
  needsWindow,
);

test(
  'shows transcripts in a workspace that is not trusted, and asks no model',
  async () => {
    const uri = temporaryFile(
      'untrusted.jsonl',
      new ClaudeCodeSession().prompt('Hi').reply({ text: 'Hi' }).toString(),
    );
    await openAlone(uri);
    assert.equal((await finalEditor(uri)).requests, 1);
    await ui(async ({ webview }) => {
      await webview.getByRole('tab', { name: 'Model' }).click();
      await webview.getByText('You cannot ask models in an untrusted workspace.').waitFor();
    });
    await closeEverything();
  },
  needsWindow,
);
