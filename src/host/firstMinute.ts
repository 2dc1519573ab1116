import * as vscode from 'vscode';
import { translate } from '../core/base/translate';
import { describeFileError } from '../node/files/fileErrors';
import type { FirstStep } from '../protocol/inspectorPage';
import { readShownPlace, type ShownPlace } from '../protocol/shownPlace';
import { examplePath, stepContext, walkthroughId } from './manifest';
import { showMessage } from './messages/userMessages';

/** The facts that VS Code has about the installed extension. */
export type ThisExtension = Pick<vscode.Extension<unknown>, 'id' | 'extensionUri'>;

/** The interface that opens transcripts in the editor. */
export interface TranscriptOpener {
  /** Opens a transcript and shows a place of it. */
  openAt(uri: vscode.Uri, place: ShownPlace): Promise<void>;
  /** The document with this address, if an editor shows it. */
  find(uri: string): unknown;
}

/** The bundled session. It is in the extension's own folder and is never written. */
export function exampleOf({ extensionUri }: ThisExtension): vscode.Uri {
  return vscode.Uri.joinPath(extensionUri, ...examplePath);
}

/** @param place the place to show, from a step of the walkthrough or another caller */
export async function openExample(
  provider: TranscriptOpener,
  extension: ThisExtension,
  place: unknown,
): Promise<void> {
  const example = exampleOf(extension);
  try {
    await vscode.workspace.fs.stat(example);
  } catch (error) {
    showMessage(
      'error',
      translate('The example is missing from this installation: {0}', describeFileError(error)),
    );
    return;
  }
  await provider.openAt(example, readShownPlace(place));
}

export async function getStarted({ id }: ThisExtension): Promise<void> {
  await vscode.commands.executeCommand('workbench.action.openWalkthrough', `${id}#${walkthroughId}`);
}

/** Ticks off a step of the walkthrough. */
export async function noteStep(step: FirstStep): Promise<void> {
  await vscode.commands.executeCommand('setContext', stepContext(step), true);
}
