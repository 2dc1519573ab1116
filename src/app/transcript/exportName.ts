import type { ExportForm } from '../../core/model/exportForm';

const endings: Readonly<Record<ExportForm, string>> = {
  prunedCopy: '.pruned',
  twin: '.twin',
  html: '.report.html',
  svg: '.drawing.svg',
  json: '.context.json',
};

/** The name of an export next to its transcript. An export in the transcript's own format is not packed. */
export function exportName(fileName: string, form: ExportForm): string {
  const plain = fileName.replace(/\.zst$/, '');
  const dot = plain.lastIndexOf('.');
  const stem = dot > 0 ? plain.slice(0, dot) : plain;
  const own = dot > 0 && (form === 'prunedCopy' || form === 'twin') ? plain.slice(dot) : '';
  return stem + endings[form] + own;
}
