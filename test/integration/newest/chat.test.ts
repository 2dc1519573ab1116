import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { chatParticipantId, serverProviderId, toolPrefix } from '../../../src/host/manifest';
import { askServer, askTool, bringModel, chat, decide, onServer, serverTools, untilListed } from '../chat';
import { noteUse, withSettings } from '../contributions';
import { eventually, ui, windowMissing } from '../driver';
import { test } from '../index';
import {
  closeEverything,
  finalEditor,
  isActiveInInspector,
  workspaceFolder,
  writeSession,
} from '../inspector';
import { exampleFile, openTheExample } from '../workbench';

// The chat, the tools of its models and the MCP servers as a person meets them, without an account.

const needsWindow = { skip: windowMissing };

/** A call of each tool of the chat about the example, and the beginning of its answer. */
const tools: readonly (readonly [name: string, input: object, answer: RegExp])[] = [
  ['context_status', {}, /\nSession «session» · «Claude Code»[^]*\nContext: 64 % of 200,000, 128,789 tokens/],
  ['what_fills_context', {}, /128,789/],
  ['was_seen', { file: 'src/period/period.repository.ts' }, /block \d+: lines/],
  ['what_was_dropped', {}, /\nCompaction 1 of 1/],
  ['why_cache_lost', { request: 54 }, /\nRequest 54: idle too long/],
  ['forecast', {}, /^Next request: about/],
  ['worth_a_look', {}, /sent in 31 requests/],
  ['find_in_sessions', { words: 'quillfish' }, /Nothing found|block/],
];

test('gives its tools to the chat, which answer about the active editor', async () => {
  const names = vscode.lm.tools.flatMap(({ name }) =>
    name.startsWith(toolPrefix) ? [name.slice(toolPrefix.length)] : [],
  );
  assert.deepEqual(names.toSorted(), tools.map(([name]) => name).toSorted());
  await openTheExample();
  for (const [name, input, answer] of tools) {
    assert.match(await askTool(name, input), answer);
    noteUse(`languageModelTools ${toolPrefix}${name}`);
  }
});

test('answers about the session of the workspace, and asks where several may be meant', async () => {
  await closeEverything();
  assert.match(await askTool('context_status', {}), /^No agent has a session in this folder\./);
  writeSession('shelves', 'Sort the shelves', workspaceFolder().fsPath);
  assert.match(await askTool('context_status', {}), /Sort the shelves/);
  writeSession('pots', 'Carry the pots', workspaceFolder().fsPath);
  const question = await askTool('context_status', {});
  assert.match(question, /\n2 sessions are being written in this folder\. Which one is yours\?/);
  const id = /\. «([\w-]+) \(Claude Code/.exec(question)?.[1] ?? assert.fail(question);
  assert.match(await askTool('context_status', { session: id }), new RegExp(`\nSession «${id}»`));
});

test('answers about sessions of other folders only if a setting allows it', async () => {
  writeSession('elsewhere', 'Rake the leaves');
  const question = { words: '"Rake the leaves"' };
  assert.match(await askTool('find_in_sessions', question), /^Nothing found\.\n.*mcp\.allFolders/);
  await withSettings({ 'contextInspector.mcp.allFolders': true }, async () =>
    assert.match(await askTool('find_in_sessions', question), /Rake the leaves/),
  );
});

test(
  'is in the list of MCP servers unless a setting hides it, and starts once the user has allowed it',
  async () => {
    await untilListed(true);
    await withSettings({ 'contextInspector.mcp.server': 'off' }, () => untilListed(false));
    await onServer('Start Server');
    await decide('Allow');
    await eventually(
      'the decision is kept',
      () => vscode.workspace.getConfiguration('contextInspector').get('mcp.server') === 'on',
    );
    assert.deepEqual(serverTools(), []);
    await onServer('Start Server');
    assert.match(await askServer(), /\nSession «[^]*(?:Sort the shelves|Carry the pots)/);
    await onServer('Stop Server');
    await vscode.commands.executeCommand('workbench.action.closePanel');
    noteUse(`mcpServerDefinitionProviders ${serverProviderId}`);
  },
  needsWindow,
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
    await eventually('the session is shown', () => isActiveInInspector(exampleFile()));
    await finalEditor(exampleFile());
    await ui(({ webview }) => webview.getByText('Request 31 of 59').first().waitFor());
    noteUse(`chatParticipants ${chatParticipantId}`);
    await vscode.commands.executeCommand('workbench.action.closeAuxiliaryBar');
  },
  needsWindow,
);
