import * as vscode from 'vscode';
import { translate } from '../../core/base/translate';
import type { SessionFile } from '../../core/finder/sessionList';
import { assertNever } from '../../core/model/labels';
import type { SessionDeed, WelcomeDeed } from '../../protocol/sessionsPage';
import { commandIds, viewType } from '../manifest';
import { settingId } from '../settings/settingsTable';

/** Runs an action of a row of the list; does nothing without a file. */
export async function doWithSession(file: SessionFile | undefined, deed: SessionDeed): Promise<void> {
  if (file === undefined) {
    return;
  }
  const uri = fileUri(file);
  switch (deed) {
    case 'open':
      await vscode.commands.executeCommand(commandIds.open, uri);
      return;
    case 'openToSide':
      await vscode.commands.executeCommand('vscode.openWith', uri, viewType, vscode.ViewColumn.Beside);
      return;
    case 'openAsText':
      await vscode.commands.executeCommand(commandIds.openAsText, uri);
      return;
    case 'reveal':
      await vscode.commands.executeCommand('revealFileInOS', uri);
      return;
    case 'copyPath':
      await vscode.env.clipboard.writeText(file.path);
      return;
    default:
      assertNever(deed);
  }
}

/** Runs an action of the empty list. */
export async function doWelcome(deed: WelcomeDeed): Promise<void> {
  switch (deed) {
    case 'openTranscript':
      await vscode.commands.executeCommand(commandIds.open);
      return;
    case 'openExample':
      await vscode.commands.executeCommand(commandIds.openExample);
      return;
    case 'addFolders':
      await vscode.commands.executeCommand('workbench.action.openSettings', settingId('sessions.folders'));
      return;
    default:
      assertNever(deed);
  }
}

export function fileUri({ path }: SessionFile): vscode.Uri {
  return vscode.Uri.file(path);
}

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
