import { drawingFile } from '../drawing/drawingSvg';
import type { ColourMode } from '../drawing/palette';
import type { ExportKind, ShareLevel } from '../model/exportForm';
import type { PruneOptions } from '../model/pruneConfig';
import { prunedBy } from '../prune/plan';
import { Gate } from '../sensitivity/gate';
import type { SecretScanner } from '../sensitivity/scanner';
import type { TranscriptSession } from '../session/transcriptSession';
import { exportContext } from './contextExport';
import { htmlReport } from './htmlReport';
import { learnRequest } from './redactSession';
import { reportDocument } from './reportDocument';
import { reportJson } from './reportJson';
import { type Disclosure, sessionReport } from './sessionReport';
import { valuePart } from './valuePart';

export interface ExportInput {
  readonly session: TranscriptSession;
  readonly request: number;
  readonly options: PruneOptions;
  readonly colour: ColourMode;
  readonly scanner: SecretScanner;
  /**
   * The level of texts. Page and drawing have no texts except labels, which are masked at every level. JSON of figures
   * has no context.
   */
  readonly level: ShareLevel;
  readonly identity: { readonly irId: string; readonly createdAt: string };
}

/**
 * The text of an export: the report as a page, the drawing, or everything as JSON (`{schema:
 * "context-inspector/report", version, report, context}`; see SessionReport and exportContext). The session must be
 * counted and scanned. Rejects with one sentence if the text would contain a secret.
 */
export async function exportText(kind: ExportKind, input: ExportInput): Promise<string> {
  const { session, request, scanner, level } = input;
  if (level === 'full') {
    return writtenExport(kind, input, { level });
  }
  const gate = new Gate(scanner, { takesOut: 'everything sensitive', remembers: true, partOf: valuePart });
  await learnRequest(session, request, gate);
  const text = await writtenExport(kind, input, { level, gate });
  gate.check(text);
  return text;
}

async function writtenExport(kind: ExportKind, input: ExportInput, disclosure: Disclosure): Promise<string> {
  const { session, request, options, colour, scanner, identity } = input;
  const report = await sessionReport(session, request, options, scanner, disclosure);
  const { summary, columns, view, preview } = report;
  const gate = disclosure.level === 'full' ? undefined : disclosure.gate;
  switch (kind) {
    case 'html':
      return htmlReport(reportDocument(report, identity.createdAt));
    case 'svg':
      return drawingFile({ summary, columns, view, colour, candidates: new Set(prunedBy(preview.plan)) });
    case 'json':
      return jsonText(
        {
          schema: 'context-inspector/report',
          version: 1,
          report: reportJson(report),
          context: disclosure.level === 'figures' ? null : await exportContext(input, gate),
        },
        gate,
      );
  }
}

async function jsonText(value: object, gate: Gate | undefined): Promise<string> {
  const text = JSON.stringify(value, null, 2);
  return `${(await gate?.json(text)) ?? text}\n`;
}
