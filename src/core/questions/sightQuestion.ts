import { entryOf } from '../base/entryOf';
import type { SessionColumns } from '../model/columns';
import type { TranscriptSession } from '../session/transcriptSession';
import { auditSight, type SightAudit } from '../sight/sightOf';
import type { SightReport } from '../sight/sightReport';

const audits = new WeakMap<SessionColumns, Promise<SightAudit>>();

/** The sight audit of a session, made once for each version of its columns. */
export function sightAuditOf(session: TranscriptSession): Promise<SightAudit> {
  const { columns } = session.toSession();
  const audit = entryOf(audits, columns, () => auditSight(session));
  audit.catch(() => audits.delete(columns));
  return audit;
}

/** The report of the audit. */
export async function sightOf(session: TranscriptSession): Promise<SightReport> {
  return (await sightAuditOf(session)).report;
}
