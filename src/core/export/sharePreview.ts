import { translate } from '../base/translate';
import { type ExportKind, type ShareLevel, shareLevels } from '../model/exportForm';
import { buildRequestView } from '../view/requestView';
import { type ExportInput, exportText } from './exports';

/** The content of a request's export at a level, as counts. */
export interface SharePreview {
  readonly level: ShareLevel;
  /** Blocks with their whole text, and blocks with only a label. */
  readonly texts: number;
  readonly labels: number;
  /** Different names of tools and of models. */
  readonly tools: number;
  readonly models: number;
  /** Places with a credential or personal data that stay, and places that are replaced. */
  readonly secrets: number;
  readonly replaced: number;
}

/** The content of the export at each level. Makes the redacted export to count the replaced places. */
export async function sharePreviews(
  kind: ExportKind,
  input: Omit<ExportInput, 'level'>,
): Promise<readonly SharePreview[]> {
  const redacted = await exportText(kind, { ...input, level: 'redacted' });
  const places = redacted.match(/\[redacted: [^\]]{1,80}\]/g)?.length ?? 0;
  const { columns, summary } = input.session.toSession();
  const { blocks, strings, requests } = columns;
  const shown = [...new Set(buildRequestView(columns, input.request).blocks)];
  const hasText = (number = 0): boolean => (strings.at(number) ?? '') !== '';
  const different = (numbers: readonly (number | undefined)[]): number =>
    new Set(numbers.filter(hasText)).size;
  const known = new Set(summary.models.map(({ id }) => id));
  const models = [...new Set(requests.model)];
  return shareLevels.map(level => {
    const isFigures = level === 'figures';
    return {
      level,
      texts: kind === 'json' && !isFigures ? shown.length : 0,
      labels: isFigures ? 0 : shown.filter(block => hasText(blocks.label[block])).length,
      tools: isFigures ? 0 : different(shown.map(block => blocks.tool[block])),
      models: different(isFigures ? models.filter(number => known.has(strings.at(number) ?? '')) : models),
      secrets: level === 'full' ? places : 0,
      replaced: level === 'redacted' ? places : 0,
    };
  });
}

/** The warning about texts without the known secrets. */
export function leavingTexts(count: number): string {
  return translate(
    '{0, plural, one {# text leaves} other {# texts leave}} the transcript, perhaps with secrets that no rule knows.',
    count,
  );
}

/** The content of an export, in a sentence or two. */
export function sharePreviewText({
  level,
  texts,
  labels,
  tools,
  models,
  secrets,
  replaced,
}: SharePreview): string {
  const held = [
    ...(texts === 0 ? [] : [translate('{0, plural, one {# whole text} other {# whole texts}}', texts)]),
    ...(labels === 0 ? [] : [translate('{0, plural, one {# label} other {# labels}}', labels)]),
    ...(tools === 0 ? [] : [translate('{0, plural, one {# tool name} other {# tool names}}', tools)]),
    ...(models === 0 ? [] : [translate('{0, plural, one {# model name} other {# model names}}', models)]),
    translate('sizes, kinds and times'),
  ];
  const leaving = texts + labels + tools;
  return [
    translate('Contains {0}.', held.join(', ')),
    ...(level === 'redacted' && leaving > 0 ? [leavingTexts(leaving)] : []),
    ...(secrets === 0
      ? []
      : [
          translate(
            'Includes {0, plural, one {# place} other {# places}} with a credential or personal data.',
            secrets,
          ),
        ]),
    ...(replaced === 0
      ? []
      : [
          translate(
            '{0, plural, one {# place} other {# places}} with a credential or personal data replaced.',
            replaced,
          ),
        ]),
  ].join(' ');
}

/** The names of the levels. */
export const shareLevelWords: Readonly<Record<ShareLevel, string>> = {
  figures: translate('Figures only'),
  redacted: translate('Redacted'),
  full: translate('Full'),
};
