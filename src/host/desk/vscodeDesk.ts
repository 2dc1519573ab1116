import { homedir } from 'node:os';
import * as vscode from 'vscode';
import { translate } from '../../core/base/translate';
import type { Desk } from '../../app/desk';
import { settingId } from '../../app/settings/settingsTable';
import { noteStep, openExample, type ThisExtension, type TranscriptOpener } from '../firstMinute';
import { copyLink } from '../links/linkActs';
import { workspacePaths } from '../links/workspacePaths';
import { commandIds, viewType } from '../manifest';
import {
  askForText,
  pick,
  pickWhileFilling,
  showMessage,
  showProgress,
  typeInTerminal,
} from '../messages/userMessages';
import { droppedFile } from './droppedFile';
import { saveTarget } from './saveTarget';
import type { TextDocuments } from './textDocuments';

/** VS Code limits the text documents of extensions to 50 MB (vscode issue 111849). */
const textLimitBytes = 50 * 1024 * 1024;

/** The user in VS Code. */
export function vscodeDesk({
  extension,
  opener,
  texts,
}: {
  readonly extension: ThisExtension;
  readonly opener: () => TranscriptOpener;
  readonly texts: TextDocuments;
}): Desk {
  return {
    say: showMessage,
    progress: showProgress,
    choose: pick,
    chooseWhileFilling: pickWhileFilling,
    text: askForText,
    target: async ({ name, beside, kinds }) => {
      const [folder = homedir()] = workspacePaths();
      const defaultUri =
        beside === undefined
          ? vscode.Uri.joinPath(vscode.Uri.file(folder), name)
          : vscode.Uri.joinPath(vscode.Uri.parse(beside), '..', name);
      const chosen = await vscode.window.showSaveDialog({
        title: translate('Export'),
        ...(defaultUri.scheme === 'file' ? { defaultUri } : {}),
        ...(kinds === undefined ? {} : { filters: mutable(kinds) }),
      });
      return chosen && saveTarget(chosen);
    },
    folder: async ({ title, label }) => {
      const [folder] =
        (await vscode.window.showOpenDialog({
          title,
          openLabel: label,
          canSelectFiles: false,
          canSelectFolders: true,
        })) ?? [];
      if (folder !== undefined && folder.scheme !== 'file') {
        throw new Error(translate('Sessions can only be saved on this machine.'));
      }
      return folder?.fsPath;
    },
    fileIn: async ({ title, folder, kinds }) => {
      const [file] =
        (await vscode.window.showOpenDialog({
          title,
          defaultUri: vscode.Uri.file(folder),
          filters: mutable(kinds),
        })) ?? [];
      return file?.toString();
    },
    show: async (transcript, { place, isBeside = false } = {}) => {
      const uri = vscode.Uri.parse(transcript);
      if (place !== undefined) {
        await opener().openAt(uri, place);
      } else {
        const column = isBeside ? vscode.ViewColumn.Beside : vscode.ViewColumn.Active;
        await vscode.commands.executeCommand('vscode.openWith', uri, viewType, column);
      }
    },
    showUsage: async part => {
      const id = { usage: commandIds.usage, whatIf: commandIds.whatIf, search: commandIds.searchAllSessions };
      await vscode.commands.executeCommand(id[part]);
    },
    showExample: () => openExample(opener(), extension, undefined),
    showAny: async () => {
      await vscode.commands.executeCommand(commandIds.open);
    },
    showDropped: async uri => {
      await vscode.commands.executeCommand(commandIds.open, droppedFile(uri));
    },
    open: async (file, line) => {
      const place = line === undefined ? undefined : new vscode.Position(line - 1, 0);
      await vscode.commands.executeCommand('vscode.open', vscode.Uri.parse(file), {
        viewColumn: vscode.ViewColumn.Beside,
        ...(place === undefined ? {} : { selection: new vscode.Range(place, place) }),
      });
    },
    openSource,
    sourceLimit: {
      bytes: textLimitBytes,
      reason: translate('VS Code cannot open files over 50 MB at a line.'),
    },
    openText: (name, text) => texts.show(name, text),
    openSettings: async name => {
      await vscode.commands.executeCommand('workbench.action.openSettings', settingId(name));
    },
    reveal: async path => {
      await vscode.commands.executeCommand('revealFileInOS', vscode.Uri.file(path));
    },
    copy: async text => vscode.env.clipboard.writeText(text),
    copyLink: (transcript, place) => copyLink(extension, vscode.Uri.parse(transcript), place),
    typeCommand: typeInTerminal,
    noteStep,
  };
}

async function openSource(transcript: string, line: number | undefined): Promise<void> {
  const uri = vscode.Uri.parse(transcript);
  if (line === undefined) {
    await vscode.commands.executeCommand('vscode.openWith', uri, 'default');
    return;
  }
  const text = await vscode.workspace.openTextDocument(uri);
  const { range } = text.lineAt(Math.min(line, text.lineCount) - 1);
  const editor = await vscode.window.showTextDocument(text, {
    viewColumn: vscode.ViewColumn.Beside,
    selection: range,
  });
  // The selection alone would scroll to the end of the line, which can be very long.
  editor.selection = new vscode.Selection(range.end, range.start);
  editor.revealRange(new vscode.Range(range.start, range.start), vscode.TextEditorRevealType.InCenter);
}

/** VS Code wants lists that could be changed. */
function mutable(kinds: Readonly<Record<string, readonly string[]>>): Record<string, string[]> {
  return Object.fromEntries(Object.entries(kinds).map(([name, endings]) => [name, [...endings]]));
}
