import * as vscode from 'vscode';
import { stringAt } from '../../core/base/json';
import { type StartThread, threadOf } from '../../node/threads/bundleThread';
import { deleteFormerFiles } from '../../node/files/formerFiles';
import type { WorkerStart } from '../../protocol/workerMessages';

/** The folder in the extension's storage for Node's compiled code. */
const compiledFolder = 'compiled';

/**
 * The start data of analysis workers. Undefined if the extension's storage is not on a local disk; then nothing is
 * stored.
 */
export function workerStart(context: vscode.ExtensionContext): WorkerStart | undefined {
  const manifest: unknown = context.extension.packageJSON;
  const version = stringAt(manifest, 'version');
  const cacheFolder = storageFolder(context, 'measures');
  return cacheFolder === undefined || version === undefined ? undefined : { cacheFolder, version };
}

/** Starts threads of the extension. Node keeps their compiled code in its storage. */
export function threadOfBundle(context: vscode.ExtensionContext, name: string): StartThread {
  const bundle = vscode.Uri.joinPath(context.extensionUri, 'dist', name).fsPath;
  return threadOf(bundle, storageFolder(context, compiledFolder));
}

/** Deletes files of earlier versions from the extension's storage. */
export function cleanStorage({ globalStorageUri }: vscode.ExtensionContext): void {
  if (globalStorageUri.scheme === 'file') {
    deleteFormerFiles(globalStorageUri.fsPath, compiledFolder).catch(() => undefined);
  }
}

function storageFolder({ globalStorageUri }: vscode.ExtensionContext, name: string): string | undefined {
  return globalStorageUri.scheme === 'file' ? vscode.Uri.joinPath(globalStorageUri, name).fsPath : undefined;
}
