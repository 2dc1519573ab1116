import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { toolPrefix } from '../../src/host/manifest';
import { ui, waitUntil } from './driver';
import { test } from './index';
import { closeEverything, finalEditor, isActiveInInspector, workspaceFolder } from './inspector';
import {
  askServer,
  askTool,
  bringModel,
  chat,
  chatMissing,
  decide,
  onServer,
  serverTools,
} from './inventory/chat';
import { writeSession } from './inventory/sessionPlaces';
import { exampleFile, openTheExample } from './inventory/workbench';

// The chat, the tools of its models and the MCP servers as a person meets them, without an account.

const needsChat = { skip: chatMissing };

test('gives its tools to the chat, which answer about the active editor', async () => {
  const names = vscode.lm.tools.flatMap(({ name }) =>
    name.startsWith(toolPrefix) ? [name.slice(toolPrefix.length)] : [],
  );
  assert.deepEqual(names.toSorted(), [
    'context_status',
    'find_in_sessions',
    'forecast',
    'was_seen',
    'what_fills_context',
    'what_was_dropped',
    'why_cache_lost',
    'worth_a_look',
  ]);
  await openTheExample();
  assert.match(
    await askTool('context_status', {}),
    /^Session session · Claude Code[^]*\nContext: 64 % of 200,000, 128,789 tokens/,
  );
  assert.match(await askTool('why_cache_lost', { request: 54 }), /^Request 54: idle too long/);
  await closeEverything();
});

test('answers about the session of the workspace, and asks where several may be meant', async () => {
  await closeEverything();
  assert.match(await askTool('context_status', {}), /^No agent has a session in this folder\./);
  writeSession('shelves', 'Sort the shelves', workspaceFolder().fsPath);
  assert.match(await askTool('context_status', {}), /Sort the shelves/);
  writeSession('pots', 'Carry the pots', workspaceFolder().fsPath);
  const question = await askTool('context_status', {});
  assert.match(question, /^2 sessions are being written in this folder\. Which one is yours\?/);
  const id = /\. ([\w-]+) \(Claude Code/.exec(question)?.[1] ?? assert.fail(question);
  assert.match(await askTool('context_status', { session: id }), new RegExp(`^Session ${id}`));
  assert.match(await askTool('find_in_sessions', { words: 'shelves' }), /Sort the shelves/);
});

test(
  'is in the list of MCP servers, and starts once the user has allowed it',
  async () => {
    await onServer('Start Server');
    await decide('Allow');
    await waitUntil(
      'the decision is kept',
      () => vscode.workspace.getConfiguration('contextInspector').get('mcp.server') === 'on',
    );
    assert.deepEqual(serverTools(), []);
    await onServer('Start Server');
    assert.match(await askServer(), /^Session [^]*(?:Sort the shelves|Carry the pots)/);
    await onServer('Stop Server');
  },
  needsChat,
);

test(
  'answers @context with links into the editor',
  async () => {
    await bringModel();
    await openTheExample();
    const byModel = await chat('@context what happened there?', 'chose what to ask');
    assert.match(byModel, /Request 54: idle too long/);
    assert.match(byModel, /Invented chose what to ask, and got only your question\./);
    const sent = JSON.stringify(await vscode.commands.executeCommand('modelProvider.asked'));
    assert.match(sent, /what happened there\?/);
    assert.doesNotMatch(sent, /Nordlys|idle too long/);
    // The model answers with text, so that the words choose.
    const byWords = await chat('@context plainly: why was my cache lost?', 'Request 54');
    assert.doesNotMatch(byWords, /chose what to ask/);
    const byCommand = await chat('@context /seen src/period/period.repository.ts', 'block');
    assert.match(byCommand, /In the context|Not in the context/);
    await closeEverything();
    await ui(({ page }) =>
      page
        .locator('.interactive-response')
        .last()
        .getByText(/^block \d+$/)
        .first()
        .click(),
    );
    await waitUntil('the session is shown', () => isActiveInInspector(exampleFile()));
    await finalEditor(exampleFile());
    await ui(({ webview }) => webview.getByText('Request 31 of 59').first().waitFor());
    await closeEverything();
  },
  needsChat,
);
