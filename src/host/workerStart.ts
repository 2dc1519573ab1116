import * as vscode from 'vscode';
import { stringAt } from '../core/base/json';
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
