/**
 * The forms in which a session can be exported: a pruned copy of the transcript, a report, the drawing, or the context as
 * JSON.
 */
export const exportForms = ['prunedCopy', 'html', 'svg', 'json'] as const;
export type ExportForm = (typeof exportForms)[number];
