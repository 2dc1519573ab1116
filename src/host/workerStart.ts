import * as vscode from 'vscode';
import { stringAt } from '../core/base/json';
import { type StartThread, threadOf } from '../node/bundleThread';
import type { WorkerStart } from '../protocol/workerMessages';

/** The start data of analysis workers. Undefined if the extension's storage is not on a local disk; then nothing is kept. */
export function workerStart({
  globalStorageUri,
  extension,
}: vscode.ExtensionContext): WorkerStart | undefined {
  const manifest: unknown = extension.packageJSON;
  const version = stringAt(manifest, 'version');
  return globalStorageUri.scheme === 'file' && version !== undefined
    ? {
        cacheFolder: vscode.Uri.joinPath(globalStorageUri, 'measures').fsPath,
        codeFolder: vscode.Uri.joinPath(globalStorageUri, 'code').fsPath,
        version,
      }
    : undefined;
}

/** Starts threads of the extension. */
export function threadOfBundle(
  name: string,
  { extensionUri }: vscode.ExtensionContext['extension'],
  start: WorkerStart | undefined,
): StartThread {
  return threadOf(vscode.Uri.joinPath(extensionUri, 'dist', name).fsPath, start?.codeFolder);
}
