import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { describe, it } from 'node:test';
import * as v from 'valibot';

const reportSchema = v.object({
  diagnostics: v.array(v.object({ code: v.string(), filename: v.string() })),
});

/** The files that break the project's rule, among files with this code after an import of `vscode`. */
function refused(files: ReadonlyMap<string, string>): ReadonlySet<string> {
  const folder = mkdtempSync(join(tmpdir(), 'plain-messages-'));
  try {
    for (const path of ['oxlint.config.mjs', 'scripts/lint', 'scripts/lib/layers.json']) {
      cpSync(path, join(folder, path), { recursive: true });
    }
    for (const [path, code] of files) {
      mkdirSync(dirname(join(folder, path)), { recursive: true });
      writeFileSync(join(folder, path), `import * as vscode from 'vscode';\n${code}`);
    }
    const linter = join(process.cwd(), 'node_modules', 'oxlint', 'bin', 'oxlint');
    const flags = ['-c', 'oxlint.config.mjs', '--format', 'json', 'src'];
    const output = execFileSync('sh', ['-c', '"$0" "$@" || true', process.execPath, linter, ...flags], {
      cwd: folder,
      encoding: 'utf8',
    });
    const { diagnostics } = v.parse(reportSchema, JSON.parse(output));
    return new Set(
      diagnostics.filter(({ code }) => code.includes('plain-messages')).map(({ filename }) => filename),
    );
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

const forbidden = [
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
];

const allowed = `
  const uri: vscode.Uri = vscode.Uri.file('a');
  const shown: typeof vscode.window.showTextDocument = vscode.window.showTextDocument;
  await vscode.window.showOpenDialog({});
  vscode.commands.executeCommand('a');
  const { fs } = vscode.workspace;
  use(vscode.window.tabGroups.activeTabGroup, vscode.ViewColumn.Beside);`;

describe('the lint rule for texts that VS Code shows', () => {
  const paths = forbidden.map((_, index) => `src/host/forbidden${index}.ts`);
  const files = new Map([
    ...forbidden.map((code, index): [string, string] => [`src/host/forbidden${index}.ts`, code]),
    ['src/extension.ts', "vscode.window.showErrorMessage('a');"],
    ['src/host/allowed.ts', allowed],
    ['src/host/messages/userMessages.ts', "vscode.window.showErrorMessage('a');"],
  ]);
  const found = refused(files);

  it('refuses every way to show a text', () => {
    const missed = forbidden.filter((_, index) => !found.has(`src/host/forbidden${index}.ts`));
    assert.deepEqual(missed, []);
    assert.ok(found.has('src/extension.ts'));
  });

  it('allows what shows no text of ours, and the file that makes texts plain', () => {
    const own = new Set([...paths, 'src/extension.ts']);
    assert.deepEqual(
      [...found].filter(path => !own.has(path)),
      [],
    );
  });
});
