import * as vscode from 'vscode';
import { translate } from '../../core/base/translate';
import { leavingTexts, shareLevelWords, sharePreviewText } from '../../core/export/sharePreview';
import { twinSentence } from '../../core/export/twin/twinSentence';
import type { ExportForm, ShareLevel } from '../../core/model/exportForm';
import type { ExportChoice } from '../../protocol/inspectorPage';
import type { ExportOutcome } from '../../protocol/workerQuestions';
import { exportName } from './exportName';
import type { TranscriptDocument } from './transcriptDocument';
import { pick, showMessage, showProgress } from '../messages/userMessages';

/**
 * Writes an export to the target. Without a target, asks for one; the file dialog asks before it replaces a file. A given
 * target is never replaced, and its content is the default.
 */
export async function exportFile(
  document: TranscriptDocument,
  choice: ExportChoice,
  target: vscode.Uri | undefined,
): Promise<void> {
  const { form, request, options, colour } = choice;
  const level = target === undefined ? await askForLevel(document, choice) : defaultLevel(form);
  if (level === undefined) {
    return;
  }
  const chosen = target ?? (await askForTarget(document.uri, form));
  if (chosen === undefined) {
    return;
  }
  if (chosen.scheme !== 'file') {
    throw new Error(translate('Exports can only be saved on this machine.'));
  }
  const path = chosen.fsPath;
  let isStopped = false;
  const outcome = await showProgress(
    {
      location: vscode.ProgressLocation.Notification,
      title: translate('Exporting {0}', document.fileName),
      cancellable: true,
    },
    ({ onDidCancel }) => {
      onDidCancel(() => {
        isStopped = true;
        document.ask({ name: 'stopExport', params: { path } }).catch(() => undefined);
      });
      return document
        .ask({
          name: 'export',
          params: {
            form,
            request,
            options,
            colour,
            level,
            path,
            overwrite: target === undefined,
            notOver: document.uri.fsPath,
          },
        })
        .catch((error: unknown) => {
          if (!isStopped) {
            throw error;
          }
        });
    },
  );
  if (outcome !== undefined) {
    showSaved(chosen, sentenceOf(form, outcome, level));
  }
}

/**
 * The level without a question. A report, a drawing and JSON are for other people, so they have only figures. An agent
 * continues a pruned copy and needs its texts. A twin has no text.
 */
function defaultLevel(form: ExportForm): ShareLevel {
  return form === 'prunedCopy' || form === 'twin' ? 'redacted' : 'figures';
}

/** Asks how much to export. Returns undefined if the user cancels. */
async function askForLevel(
  document: TranscriptDocument,
  choice: ExportChoice,
): Promise<ShareLevel | undefined> {
  const { form, request, options, colour } = choice;
  switch (form) {
    case 'twin':
      return defaultLevel(form);
    case 'prunedCopy':
      return chosenLevel([
        {
          level: 'redacted',
          detail: [
            translate('Each credential is replaced with [redacted: rule].'),
            ...(document.state.kind === 'shown' ? [leavingTexts(document.state.blocks)] : []),
            translate('To share a session, export its anonymised twin.'),
          ].join(' '),
        },
        { level: 'full', detail: translate('The file will contain every secret in the transcript.') },
      ]);
    case 'html':
    case 'svg':
    case 'json': {
      const previews = await showProgress(
        { location: vscode.ProgressLocation.Window, title: translate('Checking what the export contains') },
        () => document.ask({ name: 'sharePreviews', params: { form, request, options, colour } }),
      );
      return chosenLevel(
        previews.map(preview => ({ level: preview.level, detail: sharePreviewText(preview) })),
      );
    }
  }
}

/** Shows the content at each level and lets the user choose. */
export async function chosenLevel(
  levels: readonly { readonly level: ShareLevel; readonly detail: string }[],
  title = translate('How much to export'),
): Promise<ShareLevel | undefined> {
  const chosen = await pick(
    levels.map(each => ({ ...each, label: shareLevelWords[each.level] })),
    title,
  );
  return chosen?.level;
}

function askForTarget(transcript: vscode.Uri, form: ExportForm): Thenable<vscode.Uri | undefined> {
  const name = exportName(transcript.path.slice(transcript.path.lastIndexOf('/') + 1), form);
  return vscode.window.showSaveDialog({
    title: translate('Export'),
    ...(transcript.scheme === 'file' ? { defaultUri: vscode.Uri.joinPath(transcript, '..', name) } : {}),
  });
}

function sentenceOf(form: ExportForm, { pruned, stayed, twin }: ExportOutcome, level: ShareLevel): string {
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
    level === 'full' ? translate('It still contains credentials.') : translate('Credentials were redacted.'),
  ].join(' ');
}

/** The notification stays until the user closes it; nothing waits for it. */
export function showSaved(uri: vscode.Uri, sentence: string): void {
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
