import * as vscode from 'vscode';

/** The paths of the workspace's folders that are on a disk. */
export const workspacePaths = (): readonly string[] =>
  (vscode.workspace.workspaceFolders ?? []).flatMap(({ uri }) => (uri.scheme === 'file' ? [uri.fsPath] : []));
