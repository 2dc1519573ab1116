import * as vscode from 'vscode';
import { translate } from '../../core/base/translate';

/**
 * The file at an address that was dropped on the list.
 * @throws one sentence for an address that no file system of VS Code has, such as that of a command or a web page
 */
export function droppedFile(address: string): vscode.Uri {
  const uri = parsed(address);
  // Files of a remote machine have this scheme in the page, although the extension there sees them as its own.
  const isKnown =
    uri !== undefined &&
    (uri.scheme === 'vscode-remote' || vscode.workspace.fs.isWritableFileSystem(uri.scheme) !== undefined);
  // VS Code in a browser has a file system for the web too.
  if (!isKnown || /^https?$/.test(uri.scheme)) {
    throw new Error(translate('This is not a file.'));
  }
  return uri;
}

function parsed(address: string): vscode.Uri | undefined {
  try {
    return vscode.Uri.parse(address, true);
  } catch {
    return undefined;
  }
}
