import { entryOf } from '../base/entryOf';
import type { SessionColumns } from '../model/columns';
import type { TranscriptSession } from '../session/transcriptSession';
import { sightReport } from '../sight/sightOf';
import type { SightReport } from '../sight/sightReport';

const reports = new WeakMap<SessionColumns, Promise<SightReport>>();

/** The sight audit of a session, made once for each version of its columns. */
export function sightOf(session: TranscriptSession): Promise<SightReport> {
  const { columns } = session.toSession();
  const report = entryOf(reports, columns, () => sightReport(session));
  report.catch(() => reports.delete(columns));
  return report;
}
