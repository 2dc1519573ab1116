/**
 * The forms in which a session can be exported: a pruned copy of the transcript, its anonymised twin, a report, the drawing, or the context as
 * JSON.
 */
export const exportForms = ['prunedCopy', 'twin', 'html', 'svg', 'json'] as const;
export type ExportForm = (typeof exportForms)[number];
