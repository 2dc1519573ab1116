import * as vscode from 'vscode';
import { translate } from '../core/base/translate';
import { twinSentence } from '../core/export/twin/twinSentence';
import type { ExportForm } from '../core/model/exportForm';
import type { ExportChoice } from '../protocol/messages';
import type { ExportOutcome } from '../protocol/workerQuestions';
import { exportName } from './exportName';
import type { TranscriptDocument } from './transcriptDocument';

/**
 * Writes an export to the target. Without a target, asks for one; the file dialog asks before it replaces a file. A given
 * target is never replaced, and secrets are redacted.
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
    throw new Error(translate('Exports can only be saved on this machine.'));
  }
  const outcome = await vscode.window.withProgress(
    {
      location: vscode.ProgressLocation.Notification,
      title: translate('Exporting {0}', document.fileName),
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
  showOutcome(chosen, sentenceOf(form, outcome, keepSecrets));
}

function holdsTexts(form: ExportForm): boolean {
  return form === 'prunedCopy' || form === 'json';
}

/** Whether to keep secrets; undefined if the user cancels. */
async function askForSecrets(): Promise<boolean | undefined> {
  const redact = translate('Redact secrets');
  const chosen = await vscode.window.showQuickPick(
    [
      { label: redact, detail: translate('Each one is replaced with [redacted: rule].') },
      {
        label: translate('Keep secrets'),
        detail: translate('The file will contain every secret in the transcript.'),
      },
    ],
    { title: translate('Secrets in the export') },
  );
  return chosen === undefined ? undefined : chosen.label !== redact;
}

function askForTarget(transcript: vscode.Uri, form: ExportForm): Thenable<vscode.Uri | undefined> {
  const name = exportName(transcript.path.slice(transcript.path.lastIndexOf('/') + 1), form);
  return vscode.window.showSaveDialog({
    title: translate('Export'),
    ...(transcript.scheme === 'file' ? { defaultUri: vscode.Uri.joinPath(transcript, '..', name) } : {}),
  });
}

function sentenceOf(form: ExportForm, { pruned, stayed, twin }: ExportOutcome, keepSecrets: boolean): string {
  if (twin !== undefined) {
    return `${translate('The anonymised twin was saved.')} ${twinSentence(twin)}`;
  }
  if (form !== 'prunedCopy') {
    return translate('The export was saved.');
  }
  const stay = translate(
    '{0, plural, one {# result was} other {# results were}} not pruned because of content other than text.',
    stayed,
  );
  return [
    translate(
      'The pruned copy was saved with {0, plural, one {# pruned result} other {# pruned results}}.',
      pruned,
    ),
    ...(stayed === 0 ? [] : [stay]),
    keepSecrets ? translate('It still contains credentials.') : translate('Credentials were redacted.'),
  ].join(' ');
}

/** The notification stays until the user closes it; nothing waits for it. */
function showOutcome(uri: vscode.Uri, sentence: string): void {
  const open = translate('Open');
  vscode.window.showInformationMessage(sentence, open).then(
    async chosen => {
      if (chosen === open) {
        await vscode.commands.executeCommand('vscode.open', uri);
      }
    },
    () => undefined,
  );
}
