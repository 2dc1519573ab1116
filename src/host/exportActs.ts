import * as vscode from 'vscode';
import type { ExportForm } from '../core/model/exportForm';
import type { ExportChoice } from '../protocol/messages';
import { exportName } from './exportName';
import type { TranscriptDocument } from './transcriptDocument';

/**
 * Writes an export to the target, or asks where to. The file dialog asks before it replaces a file; a target that is
 * given is never replaced, and secrets are taken out.
 */
export async function exportFile(
  document: TranscriptDocument,
  { form, request, options, colour }: ExportChoice,
  target: vscode.Uri | undefined,
): Promise<void> {
  const keepSecrets = target === undefined && holdsTexts(form) ? await askForSecrets() : false;
  if (keepSecrets === undefined) {
    return;
  }
  const chosen = target ?? (await askForTarget(document.uri, form));
  if (chosen === undefined) {
    return;
  }
  if (chosen.scheme !== 'file') {
    throw new Error(vscode.l10n.t('Exports are written to files on this machine.'));
  }
  const outcome = await vscode.window.withProgress(
    {
      location: vscode.ProgressLocation.Notification,
      title: vscode.l10n.t('Exporting {0}', document.fileName),
    },
    () =>
      document.ask({
        name: 'export',
        params: {
          form,
          request,
          options,
          colour,
          keepSecrets,
          path: chosen.fsPath,
          overwrite: target === undefined,
          notOver: document.uri.fsPath,
        },
      }),
  );
  tellOutcome(chosen, sentenceOf(form, { ...outcome, keepSecrets }));
}

function holdsTexts(form: ExportForm): boolean {
  return form === 'prunedCopy' || form === 'json';
}

/** Whether secrets stay; undefined when the user thinks better of it. */
async function askForSecrets(): Promise<boolean | undefined> {
  const takeOut = vscode.l10n.t('Take secrets out');
  const chosen = await vscode.window.showQuickPick(
    [
      { label: takeOut, detail: vscode.l10n.t('They stand as [redacted: rule].') },
      {
        label: vscode.l10n.t('Keep everything'),
        detail: vscode.l10n.t('The file holds every secret that the transcript holds.'),
      },
    ],
    { title: vscode.l10n.t('Secrets in the export') },
  );
  return chosen === undefined ? undefined : chosen.label !== takeOut;
}

function askForTarget(transcript: vscode.Uri, form: ExportForm): Thenable<vscode.Uri | undefined> {
  const name = exportName(transcript.path.slice(transcript.path.lastIndexOf('/') + 1), form);
  return vscode.window.showSaveDialog({
    title: vscode.l10n.t('Export'),
    ...(transcript.scheme === 'file' ? { defaultUri: vscode.Uri.joinPath(transcript, '..', name) } : {}),
  });
}

function sentenceOf(
  form: ExportForm,
  {
    pruned,
    stayed,
    keepSecrets,
  }: { readonly pruned: number; readonly stayed: number; readonly keepSecrets: boolean },
): string {
  if (form !== 'prunedCopy') {
    return vscode.l10n.t('The export is written.');
  }
  const secrets = keepSecrets
    ? vscode.l10n.t('credentials are left in')
    : vscode.l10n.t('credentials are taken out');
  return stayed === 0
    ? vscode.l10n.t('The pruned copy is written: {0} results pruned, {1}.', pruned, secrets)
    : vscode.l10n.t(
        'The pruned copy is written: {0} results pruned, {1}; {2} results hold more than text and stayed.',
        pruned,
        secrets,
        stayed,
      );
}

/** The notification stays as long as the user lets it; nothing waits for it. */
function tellOutcome(uri: vscode.Uri, sentence: string): void {
  const open = vscode.l10n.t('Open');
  vscode.window.showInformationMessage(sentence, open).then(
    async chosen => {
      if (chosen === open) {
        await vscode.commands.executeCommand('vscode.open', uri);
      }
    },
    () => undefined,
  );
}
