import assert from 'node:assert/strict';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import * as vscode from 'vscode';
import type { InspectorApi, OpenEditor } from '../../src/host/api';
import { commandIds, viewType } from '../../src/host/manifest';
import { ClaudeCodeSession } from '../fixtures/claudeCodeSession';
import { run } from './contributions';
import { eventually, extensionId } from './driver';

export async function inspectorApi(): Promise<InspectorApi> {
  const extension = vscode.extensions.getExtension<InspectorApi>(extensionId);
  assert.ok(extension !== undefined, 'the extension is not installed');
  return extension.activate();
}

function writtenFile(folder: vscode.Uri, name: string, text: string): vscode.Uri {
  const uri = vscode.Uri.joinPath(folder, name);
  mkdirSync(vscode.Uri.joinPath(uri, '..').fsPath, { recursive: true });
  writeFileSync(uri.fsPath, text);
  return uri;
}

export function workspaceFolder(): vscode.Uri {
  const folder = vscode.workspace.workspaceFolders?.[0];
  assert.ok(folder !== undefined, 'no folder is open');
  return folder.uri;
}

/** The path of a file that a test makes next to the workspace's folder; it is deleted when the run ends. */
export function temporaryPath(name: string): string {
  return vscode.Uri.joinPath(workspaceFolder(), '..', 'files', name).fsPath;
}

/** Writes a file next to the workspace's folder; it is deleted when the run ends. */
export function temporaryFile(name: string, text: string): vscode.Uri {
  return writtenFile(vscode.Uri.joinPath(workspaceFolder(), '..', 'files'), name, text);
}

/** Writes a file into the workspace's folder, where the explorer shows it. */
export function workspaceFile(name: string, text: string): vscode.Uri {
  return writtenFile(workspaceFolder(), name, text);
}

let isFirstLookSkipped = false;

export async function closeEverything(): Promise<void> {
  await vscode.commands.executeCommand('workbench.action.closeAllEditors');
  // VS Code shows three messages at most, and they cover the page.
  await vscode.commands.executeCommand('notifications.clearAll');
  const { openEditors, skipFirstLook } = await inspectorApi();
  if (!isFirstLookSkipped) {
    // It would cover what tests look at.
    await skipFirstLook();
    isFirstLookSkipped = true;
  }
  await eventually('all editors are closed', () => openEditors().length === 0);
}

/** Opens a file in the inspector, as the only editor. */
export async function openAlone(uri: vscode.Uri): Promise<void> {
  await closeEverything();
  await run(commandIds.open, uri);
}

/** Waits until an editor of the file is as wanted, and returns what it shows. */
export async function editorThat(
  uri: vscode.Uri,
  what: string,
  isWanted: (editor: OpenEditor) => boolean,
): Promise<OpenEditor> {
  const { openEditors } = await inspectorApi();
  const find = (): OpenEditor | undefined =>
    openEditors().find(editor => editor.uri === uri.toString() && isWanted(editor));
  await eventually(what, () => find() !== undefined);
  const editor = find();
  assert.ok(editor !== undefined);
  return editor;
}

/** Writes a session into the folder in which Claude Code keeps the sessions of a project. */
export function writeSession(
  project: string,
  prompt: string,
  directory = `/home/ada/${project}`,
): vscode.Uri {
  const folder = join(process.env['CLAUDE_CONFIG_DIR'] ?? '', 'projects', `-home-ada-${project}`);
  mkdirSync(folder, { recursive: true });
  const session = new ClaudeCodeSession(undefined, directory).prompt(prompt).reply({ text: 'Done.' });
  const path = join(folder, `${prompt.replaceAll(' ', '-')}.jsonl`);
  writeFileSync(path, session.toString());
  return vscode.Uri.file(path);
}

/** True if nothing is in progress in an editor. */
export const isAtRest = ({ state, pending }: OpenEditor): boolean =>
  state !== 'reading' && pending === undefined;

/** Waits until a file is shown with its final figures. */
export function finalEditor(uri: vscode.Uri): Promise<OpenEditor> {
  return editorThat(
    uri,
    `${uri.path} is shown with final figures`,
    editor => editor.state === 'shown' && isAtRest(editor),
  );
}

export function isActiveInInspector(uri: vscode.Uri): boolean {
  const input = vscode.window.tabGroups.activeTabGroup.activeTab?.input;
  return (
    input instanceof vscode.TabInputCustom &&
    input.viewType === viewType &&
    input.uri.toString() === uri.toString()
  );
}

export function isActiveAsText(uri: vscode.Uri): boolean {
  const input = vscode.window.tabGroups.activeTabGroup.activeTab?.input;
  return input instanceof vscode.TabInputText && input.uri.toString() === uri.toString();
}
