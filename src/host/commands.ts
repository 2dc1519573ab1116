import * as vscode from 'vscode';
import { translate } from '../core/base/translate';
import type { ExportForm } from '../core/model/exportForm';
import { commandIds, viewType } from './manifest';
import type { TranscriptEditorProvider } from './transcriptEditorProvider';
import { registerCommand } from './userMessages';

/** Menus pass the transcript. Other callers may also pass the file to write. */
const exportCommands: readonly (readonly [id: string, form: ExportForm])[] = [
  [commandIds.exportPrunedCopy, 'prunedCopy'],
  [commandIds.exportTwin, 'twin'],
  [commandIds.exportReport, 'html'],
  [commandIds.exportDrawing, 'svg'],
  [commandIds.exportContext, 'json'],
];

/** Registers every command of the extension. Menus pass their file; the command palette passes nothing. */
export function registerCommands(provider: TranscriptEditorProvider): vscode.Disposable {
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
        const editor = provider.openEditors.find(({ isActive }) => isActive);
        return editor?.wantExport(form, target instanceof vscode.Uri ? target : undefined) ?? false;
      }),
    ),
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
