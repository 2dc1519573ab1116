import { realpath } from 'node:fs/promises';
import { dirname, sep } from 'node:path';
import * as vscode from 'vscode';
import { translate } from '../../core/base/translate';
import { describeFileError } from '../../node/files/fileErrors';
import type { LinkedPlace } from '../../protocol/shownPlace';
import { exampleOf, type ThisExtension, type TranscriptOpener } from '../firstMinute';
import { linkText, parseLink } from './link';
import { plainErrors, showMessage } from '../messages/userMessages';

/** Copies a link that opens the transcript at a place. */
export async function copyLink(
  { id }: Pick<ThisExtension, 'id'>,
  transcript: vscode.Uri,
  place: LinkedPlace,
): Promise<void> {
  if (transcript.scheme !== 'file') {
    showMessage('information', translate('Links work only for transcripts on this machine.'));
    return;
  }
  const base = `${vscode.env.uriScheme}://${id}`;
  await vscode.env.clipboard.writeText(linkText(base, { file: transcript.fsPath, ...place }));
  showMessage('information', translate('The link was copied. It opens this transcript on this machine.'));
}

/**
 * Opens links to transcripts. Web pages and messages can contain links too, so a file outside the workspace needs the
 * user's confirmation.
 */
export function linkHandler(provider: TranscriptOpener, extension: ThisExtension): vscode.UriHandler {
  return { handleUri: uri => plainErrors(() => openLink(uri, provider, extension)) };
}

async function openLink(
  uri: vscode.Uri,
  provider: TranscriptOpener,
  extension: ThisExtension,
): Promise<void> {
  const parsed = parseLink(uri.path, uri.query, process.platform);
  if (!parsed.ok) {
    showMessage('warning', parsed.sentence);
    return;
  }
  const { file, ...place } = parsed.link;
  const transcript = vscode.Uri.file(file);
  const problem = await problemOf(transcript);
  if (problem !== undefined) {
    showMessage('warning', `${file}: ${problem}`);
    return;
  }
  const isOpen = provider.find(transcript.toString()) !== undefined;
  if (isOpen || (await isKnown(file, extension)) || (await isWanted(file))) {
    await provider.openAt(transcript, place);
  }
}

/** The reason why a link cannot be opened, as a sentence. Devices and pipes could be read forever. */
async function problemOf(file: vscode.Uri): Promise<string | undefined> {
  try {
    const { type } = await vscode.workspace.fs.stat(file);
    return (type & vscode.FileType.File) === 0 ? translate('This is not a file.') : undefined;
  } catch (error) {
    return describeFileError(error);
  }
}

/** True if a file is in a folder of the workspace, or is the example. Links in the file system are resolved first. */
async function isKnown(file: string, extension: ThisExtension): Promise<boolean> {
  const folders = (vscode.workspace.workspaceFolders ?? []).map(({ uri }) => uri);
  const local = folders.filter(({ scheme }) => scheme === 'file').map(({ fsPath }) => fsPath);
  const known = [...local, dirname(exampleOf(extension).fsPath)];
  const real = await realpath(file);
  for (const folder of known) {
    const top = await realpath(folder).catch(() => undefined);
    if (top !== undefined && real.startsWith(top.endsWith(sep) ? top : `${top}${sep}`)) {
      return true;
    }
  }
  return false;
}

async function isWanted(file: string): Promise<boolean> {
  const open = translate('Open');
  const question = translate('A link asks to open {0}, which is not in this workspace.', file);
  return (await showMessage('warning', question, open)) === open;
}
