import { stat } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import * as vscode from 'vscode';
import type { Files } from '../../app/desk';

/** The files that VS Code sees, on this machine's disk and elsewhere. */
export const vscodeFiles: Files = {
  stat: async address => {
    // The clock of a disk is finer than the time in VS Code's answer.
    if (address.startsWith('file:')) {
      const { size, mtimeMs: modified } = await stat(fileURLToPath(address));
      return { size, modified };
    }
    const { size, mtime: modified } = await vscode.workspace.fs.stat(vscode.Uri.parse(address));
    return { size, modified };
  },
  read: async address => new Uint8Array(await vscode.workspace.fs.readFile(vscode.Uri.parse(address))),
  list: async address => {
    try {
      const entries = await vscode.workspace.fs.readDirectory(vscode.Uri.parse(address));
      return entries.map(([name, type]) => ({
        name,
        isFolder: (type & vscode.FileType.Directory) !== 0,
        isLink: (type & vscode.FileType.SymbolicLink) !== 0,
      }));
    } catch {
      // Missing or not readable.
      return [];
    }
  },
  watch: watchFolder,
};

/** The folders to watch, in the order of the calls. */
const waiting: (() => void)[] = [];

/**
 * Creates one watcher in each turn of the extension host: many agents have folders, and VS Code takes about a
 * millisecond for each.
 */
function watchNext(): void {
  waiting.shift()?.();
  if (waiting.length > 0) {
    setImmediate(watchNext);
  }
}

/** Starts after a short delay. */
function watchFolder(folder: string, pattern: string, onChanged: (file: string) => void): vscode.Disposable {
  const disposables: vscode.Disposable[] = [];
  let isDisposed = false;
  const changed = (uri: vscode.Uri): void => onChanged(uri.toString());
  waiting.push(() => {
    if (!isDisposed) {
      const watcher = vscode.workspace.createFileSystemWatcher(
        new vscode.RelativePattern(vscode.Uri.parse(folder), pattern),
      );
      disposables.push(
        watcher,
        watcher.onDidChange(changed),
        watcher.onDidCreate(changed),
        watcher.onDidDelete(changed),
      );
    }
  });
  if (waiting.length === 1) {
    setImmediate(watchNext);
  }
  return new vscode.Disposable(() => {
    isDisposed = true;
    vscode.Disposable.from(...disposables).dispose();
  });
}
