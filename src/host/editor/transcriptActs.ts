import * as vscode from 'vscode';
import { formatNumber } from '../../core/base/format';
import { translate } from '../../core/base/translate';
import { visibleLabel } from '../../core/base/visibleText';
import { type AddedFolder, rulesFor } from '../../core/finder/pathMapping';
import type { BlockPlace } from '../../protocol/workerQuestions';
import { viewType } from '../manifest';
import { pathCandidates } from '../links/pathCandidates';
import { recordUri } from './recordDocuments';
import { findSubagent } from './relatedFiles';
import type { TranscriptDocument } from './transcriptDocument';
import { showMessage } from '../messages/userMessages';

/** VS Code limits the text documents of extensions to 50 MB (vscode issue 111849). */
const textDocumentLimitBytes = 50 * 1024 * 1024;

/** Opens the transcript as text next to the editor, with the block's line selected. */
export async function revealSource(document: TranscriptDocument, block: number): Promise<void> {
  const place = await placeOf(document, block);
  const { size } = await vscode.workspace.fs.stat(document.uri);
  if (size > textDocumentLimitBytes) {
    await offerRecord(document, block, place);
    return;
  }
  const text = await vscode.workspace.openTextDocument(document.uri);
  const { range } = text.lineAt(Math.min(place.line, text.lineCount) - 1);
  const editor = await vscode.window.showTextDocument(text, {
    viewColumn: vscode.ViewColumn.Beside,
    selection: range,
  });
  // The selection alone would scroll to the end of the line, which can be very long.
  editor.selection = new vscode.Selection(range.end, range.start);
  editor.revealRange(new vscode.Range(range.start, range.start), vscode.TextEditorRevealType.InCenter);
}

async function offerRecord(document: TranscriptDocument, block: number, place: BlockPlace): Promise<void> {
  const open = translate('Open Record');
  const chosen = await showMessage(
    'information',
    translate(
      'VS Code cannot open files over 50 MB at a line. The record is at line {0}, byte {1}.',
      formatNumber(place.line),
      formatNumber(place.offset),
    ),
    open,
  );
  if (chosen === open) {
    const text = await vscode.workspace.openTextDocument(recordUri(document, block, place.line));
    await vscode.window.showTextDocument(text, { viewColumn: vscode.ViewColumn.Beside });
  }
}

/** Opens the file that a block was read from, at its place on this machine, at the first line that the block shows. */
export async function openPath(
  document: TranscriptDocument,
  block: number,
  added: readonly AddedFolder[],
): Promise<void> {
  const { path, workingDirectory, fileLine } = await placeOf(document, block);
  if (path === undefined) {
    return;
  }
  const folders = (vscode.workspace.workspaceFolders ?? []).map(folder => folder.uri.fsPath);
  const recorded = { path, ...(workingDirectory === undefined ? {} : { workingDirectory }) };
  const rules = document.uri.scheme === 'file' ? rulesFor(document.uri.fsPath, added) : [];
  const found = await firstExisting(
    pathCandidates(recorded, folders, rules).map(candidate => vscode.Uri.file(candidate)),
  );
  if (found === undefined) {
    showMessage('information', translate('{0} was not found on this machine.', visibleLabel(path)));
    return;
  }
  const place = fileLine === undefined ? undefined : new vscode.Position(fileLine - 1, 0);
  await vscode.commands.executeCommand('vscode.open', found, {
    viewColumn: vscode.ViewColumn.Beside,
    ...(place === undefined ? {} : { selection: new vscode.Range(place, place) }),
  });
}

/** Opens the transcript that a subagent of this one wrote. */
export async function openSubagent(document: TranscriptDocument, id: string): Promise<void> {
  const { state } = document;
  const found =
    state.kind === 'shown' ? await findSubagent(document.uri, state.summary.format, id) : undefined;
  if (found === undefined) {
    showMessage(
      'information',
      translate(
        'The transcript of subagent {0} was not found next to {1}.',
        visibleLabel(id),
        visibleLabel(document.fileName),
      ),
    );
    return;
  }
  await vscode.commands.executeCommand('vscode.openWith', found, viewType);
}

/** Opens the parent transcript, which started this one as a subagent. */
export async function openParent(document: TranscriptDocument): Promise<void> {
  const found = await document.parent;
  if (found !== undefined) {
    await vscode.commands.executeCommand('vscode.openWith', found, viewType);
  }
}

function placeOf(document: TranscriptDocument, block: number): Promise<BlockPlace> {
  return document.ask({ name: 'place', params: { block } });
}

async function firstExisting(uris: readonly vscode.Uri[]): Promise<vscode.Uri | undefined> {
  for (const uri of uris) {
    try {
      await vscode.workspace.fs.stat(uri);
      return uri;
    } catch {
      // Missing or not readable: try the next one.
    }
  }
  return undefined;
}
