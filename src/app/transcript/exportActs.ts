import { translate } from '../../core/base/translate';
import { leavingTexts, shareLevelWords, sharePreviewText } from '../../core/export/sharePreview';
import { twinSentence } from '../../core/export/twin/twinSentence';
import type { ExportForm, ShareLevel } from '../../core/model/exportForm';
import type { ExportChoice } from '../../protocol/inspectorPage';
import type { ExportOutcome } from '../../protocol/workerQuestions';
import { exportName } from './exportName';
import type { TranscriptDocument } from './transcriptDocument';
import type { Desk, SaveTarget } from '../desk';

/**
 * Writes an export to the target. Without a target, asks for one; the file dialog asks before it replaces a file. A given
 * target is never replaced, and its content is the default.
 */
export async function exportFile(
  document: TranscriptDocument,
  choice: ExportChoice,
  given: SaveTarget | undefined,
  desk: Desk,
): Promise<void> {
  const { form, request, options, colour } = choice;
  const level = given === undefined ? await askForLevel(document, choice, desk) : defaultLevel(form);
  if (level === undefined) {
    return;
  }
  const target =
    given ?? (await desk.target({ name: exportName(document.fileName, form), beside: document.address }));
  if (target === undefined) {
    return;
  }
  const { path, overwrite } = target;
  let isStopped = false;
  const outcome = await desk.progress(
    { title: translate('Exporting {0}', document.fileName), canCancel: true },
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
            overwrite,
            notOver: document.path,
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
    target.saved(sentenceOf(form, outcome, level));
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
  desk: Desk,
): Promise<ShareLevel | undefined> {
  const { form, request, options, colour } = choice;
  switch (form) {
    case 'twin':
      return defaultLevel(form);
    case 'prunedCopy':
      return chosenLevel(desk, [
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
      const previews = await desk.progress(
        { title: translate('Checking what the export contains'), isQuiet: true },
        () => document.ask({ name: 'sharePreviews', params: { form, request, options, colour } }),
      );
      return chosenLevel(
        desk,
        previews.map(preview => ({ level: preview.level, detail: sharePreviewText(preview) })),
      );
    }
  }
}

/** Shows the content at each level and lets the user choose. */
export async function chosenLevel(
  desk: Desk,
  levels: readonly { readonly level: ShareLevel; readonly detail: string }[],
  title = translate('How much to export'),
): Promise<ShareLevel | undefined> {
  const chosen = await desk.choose(
    levels.map(each => ({ ...each, label: shareLevelWords[each.level] })),
    title,
  );
  return chosen?.level;
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
