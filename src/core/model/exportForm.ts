/**
 * The forms in which a session can be exported: a pruned copy of the transcript, its anonymised twin, a report, the
 * drawing, or the context as JSON.
 */
export const exportForms = ['prunedCopy', 'twin', 'html', 'svg', 'json'] as const;
export type ExportForm = (typeof exportForms)[number];

/** The forms that show one request, by file extension. */
export const exportKinds = ['html', 'svg', 'json'] as const satisfies readonly ExportForm[];
export type ExportKind = (typeof exportKinds)[number];

/**
 * The levels of content in an export: only figures, everything except secrets, or everything. A report of figures has
 * sizes, kinds, times and the names of known models, and no text that anyone wrote. It is the default, because no
 * redaction finds every secret.
 */
export const shareLevels = ['figures', 'redacted', 'full'] as const;
export type ShareLevel = (typeof shareLevels)[number];
