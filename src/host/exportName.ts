import type { ExportForm } from '../core/model/exportForm';

const endings: Readonly<Record<Exclude<ExportForm, 'prunedCopy'>, string>> = {
  html: '.report.html',
  svg: '.drawing.svg',
  json: '.context.json',
};

/** The name of an export beside its transcript. A pruned copy is written unpacked. */
export function exportName(fileName: string, form: ExportForm): string {
  const plain = fileName.replace(/\.zst$/, '');
  const dot = plain.lastIndexOf('.');
  const stem = dot > 0 ? plain.slice(0, dot) : plain;
  return form === 'prunedCopy' ? `${stem}.pruned${dot > 0 ? plain.slice(dot) : ''}` : stem + endings[form];
}
