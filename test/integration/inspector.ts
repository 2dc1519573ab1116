import assert from 'node:assert/strict';
import { mkdirSync, writeFileSync } from 'node:fs';
import * as vscode from 'vscode';
import type { InspectorApi, OpenEditor } from '../../src/host/api';
import { commandIds, viewType } from '../../src/host/manifest';
import { waitUntil } from './driver';

export async function inspectorApi(): Promise<InspectorApi> {
  const extension = vscode.extensions.getExtension<InspectorApi>('context-inspector.context-inspector');
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

export async function closeEverything(): Promise<void> {
  await vscode.commands.executeCommand('workbench.action.closeAllEditors');
  // VS Code shows three messages at most, and they cover the page.
  await vscode.commands.executeCommand('notifications.clearAll');
  const { openEditors, skipFirstLook } = await inspectorApi();
  // It would cover what other tests look at.
  await skipFirstLook();
  await waitUntil('all editors are closed', () => openEditors().length === 0);
}

/** Opens a file in the inspector, as the only editor. */
export async function openAlone(uri: vscode.Uri): Promise<void> {
  await closeEverything();
  await vscode.commands.executeCommand(commandIds.open, uri);
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
  await waitUntil(what, () => find() !== undefined);
  const editor = find();
  assert.ok(editor !== undefined);
  return editor;
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
