/**
 * The forms in which a session can be exported: a pruned copy of the transcript, its anonymised twin, a report, the
 * drawing, or the context as JSON.
 */
export const exportForms = ['prunedCopy', 'twin', 'html', 'svg', 'json'] as const;
export type ExportForm = (typeof exportForms)[number];

/** Those that show one request, by the ending of their file. */
export const exportKinds = ['html', 'svg', 'json'] as const satisfies readonly ExportForm[];
export type ExportKind = (typeof exportKinds)[number];

/**
 * What an export shows of the transcript: everything but its secrets, figures alone, or everything. A report of figures
 * has sizes, kinds, times and the names of known models, and no word that anybody wrote.
 */
export const shareLevels = ['redacted', 'figures', 'full'] as const;
export type ShareLevel = (typeof shareLevels)[number];
