import * as vscode from 'vscode';
import { translate } from '../../core/base/translate';
import type { SaveTarget } from '../../app/desk';
import { showMessage } from '../messages/userMessages';

/**
 * A file that the user chose, or that a command named.
 * @param overwrite false for a file that nobody agreed to replace
 */
export function saveTarget(uri: vscode.Uri, overwrite = true): SaveTarget {
  if (uri.scheme !== 'file') {
    throw new Error(translate('Exports can only be saved on this machine.'));
  }
  return { path: uri.fsPath, overwrite, saved: sentence => showSaved(uri, sentence) };
}

/** The notification stays until the user closes it; nothing waits for it. */
function showSaved(uri: vscode.Uri, sentence: string): void {
  const open = translate('Open');
  showMessage('information', sentence, open).then(
    async chosen => {
      if (chosen === open) {
        await vscode.commands.executeCommand('vscode.open', uri);
      }
    },
    () => undefined,
  );
}
