import { drawingFile } from '../drawing/drawingSvg';
import type { ColourMode } from '../drawing/palette';
import type { ExportForm } from '../model/exportForm';
import type { PruneOptions } from '../model/pruneConfig';
import type { SecretScanner } from '../sensitivity/scanner';
import type { TranscriptSession } from '../session/transcriptSession';
import { exportContext } from './contextExport';
import { htmlReport } from './htmlReport';
import { sessionReport, type SessionReport } from './sessionReport';

/** All except those in the transcript's own format, by the ending of their file. */
export const exportKinds = ['html', 'svg', 'json'] as const satisfies readonly ExportKind[];
export type ExportKind = Exclude<ExportForm, 'prunedCopy' | 'twin'>;

export interface ExportInput {
  readonly session: TranscriptSession;
  readonly request: number;
  readonly options: PruneOptions;
  readonly colour: ColourMode;
  readonly scanner: SecretScanner;
  /** Keeps texts as they are; only for JSON. The other kinds contain no texts except masked labels. */
  readonly keepSecrets: boolean;
  readonly identity: { readonly irId: string; readonly createdAt: string };
}

/**
 * The text of an export: the report as a page, the drawing, or everything as JSON
 * (`{schema: "context-inspector/report", version, report, context}`; see SessionReport and exportContext). The session
 * must be counted and scanned.
 */
export async function exportText(kind: ExportKind, input: ExportInput): Promise<string> {
  const { session, request, options, colour, scanner, identity } = input;
  const report = await sessionReport(session, request, options, scanner);
  const { summary, columns, view, prune } = report;
  switch (kind) {
    case 'html':
      return htmlReport(report, identity.createdAt);
    case 'svg':
      return drawingFile({ summary, columns, view, colour, candidates: new Set(prune.candidates) });
    case 'json':
      return `${JSON.stringify(
        {
          schema: 'context-inspector/report',
          version: 1,
          report: reportJson(report),
          context: await exportContext(input),
        },
        null,
        2,
      )}\n`;
  }
}

function reportJson({
  summary,
  view,
  index,
  requests,
  cost,
  largest,
  cache,
  prune,
  sensitivity,
}: SessionReport) {
  return {
    title: summary.title,
    request: index,
    requests,
    tokens: view.total,
    window: view.window ?? null,
    partitions: view.partitions,
    notRecorded: view.notRecorded,
    frozen: { recorded: view.recorded ?? null, predicted: view.predicted },
    cost,
    problems: summary.problems,
    largestBlocks: largest,
    cache,
    prune: { options: prune.options, ruleSets: prune.rows },
    sensitivity,
  };
}
