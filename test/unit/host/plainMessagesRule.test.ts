import assert from 'node:assert/strict';
import { before, describe, it } from 'node:test';
import { ESLint } from 'eslint';

/** The project's own rules, without those that need types. */
const rules = new ESLint({
  ruleFilter: ({ ruleId }) => ruleId === 'no-restricted-syntax',
  overrideConfig: { files: ['**/*.ts'], languageOptions: { parserOptions: { project: false } } },
});
const imported = "import * as vscode from 'vscode';\n";

async function findings(code: string, filePath = 'src/host/exportActs.ts'): Promise<number> {
  const [result] = await rules.lintText(imported + code, { filePath });
  assert.ok(result?.fatalErrorCount === 0, JSON.stringify(result?.messages));
  return result.messages.length;
}

describe('the lint rule for texts that VS Code shows', () => {
  before(() => findings(''));

  for (const code of [
    "vscode.window.showInformationMessage('a');",
    "vscode.window.showWarningMessage('a', { modal: true });",
    "vscode.window.showErrorMessage('a');",
    'vscode.window.withProgress({ location: 1 }, work);',
    'vscode.window.createStatusBarItem();',
    "vscode.window.setStatusBarMessage('a');",
    'vscode.window.createQuickPick();',
    'vscode.window.showQuickPick([]);',
    'vscode.window.createInputBox();',
    'vscode.window.showInputBox();',
    "vscode.window.createOutputChannel('a');",
    "vscode.window.createTreeView('a', tree);",
    "vscode.window['showErrorMessage']('a');",
    "vscode['window'].showErrorMessage('a');",
    'const { showErrorMessage } = vscode.window;',
    'const { window } = vscode;',
    'const other = vscode;',
    'use(vscode.window);',
    "import { window } from 'vscode';",
    "import * as other from 'vscode';",
    "new vscode.TreeItem('a');",
    "new vscode.MarkdownString('a');",
    "vscode.commands.registerCommand('a', run);",
  ]) {
    it(`refuses ${code}`, async () => {
      assert.ok((await findings(code)) > 0);
      assert.ok((await findings(code, 'src/extension.ts')) > 0);
    });
  }

  it('allows what shows no text of ours, and the file that makes texts plain', async () => {
    const allowed = `
      const uri: vscode.Uri = vscode.Uri.file('a');
      const shown: typeof vscode.window.showTextDocument = vscode.window.showTextDocument;
      await vscode.window.showOpenDialog({});
      vscode.commands.executeCommand('a');
      const { fs } = vscode.workspace;
      use(vscode.window.tabGroups.activeTabGroup, vscode.ViewColumn.Beside);`;
    assert.equal(await findings(allowed), 0);
    assert.equal(await findings("vscode.window.showErrorMessage('a');", 'src/host/userMessages.ts'), 0);
  });
});
