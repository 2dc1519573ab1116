import assert from 'node:assert/strict';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import * as vscode from 'vscode';
import { parseJson, stringAt } from '../../../src/core/base/json';
import { commandIds } from '../../../src/host/manifest';
import { ClaudeCodeSession } from '../../fixtures/claudeCodeSession';
import { eventually, extensionId, ui, windowMissing } from '../driver';
import { test } from '../index';
import { finalEditor, openAlone, temporaryFile, workspaceFolder } from '../inspector';
import { closeQuestion, pageIsDrawn } from '../workbench';

// A window whose folder is not trusted, in a language with an accent on every letter. A desktop VS Code for tests trusts every folder.

const needsWindow = { skip: windowMissing };

/** A text of the extension in the window's language. */
function translated(text: string): string {
  const { extensionPath = '' } = vscode.extensions.getExtension(extensionId) ?? {};
  const bundle = readFileSync(join(extensionPath, 'l10n', `bundle.l10n.${vscode.env.language}.json`), 'utf8');
  return stringAt(parseJson(bundle), text) ?? assert.fail(text);
}

async function openSession(): Promise<void> {
  const uri = temporaryFile(
    'session.jsonl',
    new ClaudeCodeSession().prompt('Γιατί;').reply({ text: 'Έτοιμο.' }).toString(),
  );
  await openAlone(uri);
  assert.equal((await finalEditor(uri)).requests, 1);
  await pageIsDrawn();
}

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
    await eventually(
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
    await openSession();
    await ui(
      async ({ webview }, words) => {
        await webview.getByRole('tab', { name: words.tab }).click();
        await webview.getByText(words.refusal).waitFor();
      },
      {
        tab: translated('Model'),
        refusal: translated('You cannot ask models in an untrusted workspace.'),
      },
    );
  },
  needsWindow,
);

/** Names, which are the same in every language: of products, formats and systems. */
const names =
  /^(?:Claude|Code|Context|Inspector|Prompt|JSON|SVG|HTML|MCP|API|Anthropic|OpenAI|chat|completions|Alibaba|Model|Studio|Moonshot|Kimi|Qwen|Google|Gemini|DeepSeek|OpenRouter|Ollama|vLLM|LM|Enter|Escape|Esc)$/;

/** The texts with an English word: three plain letters or more that are not a name, a path or an id. */
const englishIn = (texts: readonly string[]): readonly string[] =>
  texts.filter(text =>
    text
      .replaceAll(/\S*[./:_-]\S*/g, ' ')
      .split(/[^\p{L}]+/u)
      .some(word => /^[a-z]{3,}$/i.test(word) && !names.test(word)),
  );

/**
 * The members of the manifest with texts for people. The schemas of tools are for models; names in small letters are typed,
 * such as those of slash commands.
 */
function shownIn(value: unknown): readonly string[] {
  if (typeof value !== 'object' || value === null) {
    return [];
  }
  return Object.entries(value)
    .filter(([key, member]) => key !== 'inputSchema' && !(key === 'name' && /^[a-z]+$/.test(String(member))))
    .flatMap(([key, member]) =>
      /^(title|shortTitle|name|displayName|category|contextualTitle|contents|description|markdownDescription|enumDescriptions|markdownEnumDescriptions|altText)$/.test(
        key,
      )
        ? [member].flat().filter(text => typeof text === 'string')
        : shownIn(member),
    );
}

test(
  'speaks no English in commands, questions and settings in another language',
  async () => {
    assert.deepEqual(englishIn(shownIn(vscode.extensions.getExtension(extensionId)?.packageJSON)), []);
    await openSession();
    for (const command of [commandIds.exportReport, commandIds.setApiKey]) {
      const asked = vscode.commands.executeCommand(command);
      const rows = await ui(async ({ page }) => {
        const widget = page.locator('.quick-input-widget');
        await widget.locator('.monaco-list-row').first().waitFor();
        return widget.locator('.label-name, .label-description, .quick-input-title').allInnerTexts();
      });
      await closeQuestion();
      await asked;
      assert.ok(Array.isArray(rows) && rows.length > 0);
      assert.deepEqual(englishIn(rows.map(String)), []);
    }
  },
  needsWindow,
);
