import * as vscode from 'vscode';
import { translate } from '../core/base/translate';
import type { ExportForm } from '../core/model/exportForm';
import type { PageTask } from '../protocol/inspectorPage';
import { getStarted, openExample, type ThisExtension } from './firstMinute';
import { linkHandler } from './links/linkActs';
import { commandIds, viewType } from './manifest';
import { saveTarget } from './desk/saveTarget';
import type { TranscriptEditorProvider } from './editor/transcriptEditorProvider';
import { registerCommand } from './messages/userMessages';

/** Menus pass the transcript. Other callers may also pass the file to write. */
const exportCommands: readonly (readonly [id: string, form: ExportForm])[] = [
  [commandIds.exportPrunedCopy, 'prunedCopy'],
  [commandIds.exportTwin, 'twin'],
  [commandIds.exportReport, 'html'],
  [commandIds.exportDrawing, 'svg'],
  [commandIds.exportContext, 'json'],
];

/** Commands that run in the page. */
const pageCommands: readonly (readonly [id: string, task: PageTask])[] = [
  [commandIds.copyLink, 'copyLink'],
  [commandIds.handOff, 'handOff'],
  [commandIds.find, 'find'],
  [commandIds.showKeys, 'showKeys'],
];

/**
 * Registers the commands of the editor, and the handler of links. Menus pass their file; the command palette passes
 * nothing.
 */
export function registerCommands(
  provider: TranscriptEditorProvider,
  extension: ThisExtension,
): vscode.Disposable {
  return vscode.Disposable.from(
    registerCommand(commandIds.open, async (uri?: unknown) => {
      const transcript = uri instanceof vscode.Uri ? uri : (activeFile() ?? (await askForFile()));
      if (transcript !== undefined) {
        await vscode.commands.executeCommand('vscode.openWith', transcript, viewType);
      }
    }),
    registerCommand(commandIds.openAsText, async (uri?: unknown) => {
      const transcript = uri instanceof vscode.Uri ? uri : activeTranscript();
      if (transcript !== undefined) {
        await vscode.commands.executeCommand('vscode.openWith', transcript, 'default');
      }
    }),
    ...exportCommands.map(([id, form]) =>
      registerCommand(id, (_: unknown, target?: unknown) => {
        const given = target instanceof vscode.Uri ? saveTarget(target, false) : undefined;
        return provider.exportActive(form, given);
      }),
    ),
    ...pageCommands.map(([id, task]) => registerCommand(id, () => provider.runInActive(task))),
    registerCommand(commandIds.openExample, (place?: unknown) => openExample(provider, extension, place)),
    registerCommand(commandIds.getStarted, () => getStarted(extension)),
    vscode.window.registerUriHandler(linkHandler(provider, extension)),
  );
}

function activeInput(): unknown {
  return vscode.window.tabGroups.activeTabGroup.activeTab?.input;
}

function activeFile(): vscode.Uri | undefined {
  const input = activeInput();
  return input instanceof vscode.TabInputText ? input.uri : undefined;
}

function activeTranscript(): vscode.Uri | undefined {
  const input = activeInput();
  return input instanceof vscode.TabInputCustom && input.viewType === viewType ? input.uri : undefined;
}

async function askForFile(): Promise<vscode.Uri | undefined> {
  const chosen = await vscode.window.showOpenDialog({
    title: translate('Open a Transcript'),
    filters: {
      [translate('Transcripts')]: [
        'jsonl',
        'json',
        'zst',
        'eval',
        'traj',
        'har',
        'lhar',
        'sse',
        'db',
        'sqlite',
        'md',
      ],
    },
  });
  return chosen?.[0];
}
