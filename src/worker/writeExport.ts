import { randomUUID } from 'node:crypto';
import { translate } from '../core/base/translate';
import { exportText } from '../core/export/exports';
import { prunedCopy } from '../core/export/prunedCopy';
import { anonymisedTwin } from '../core/export/twin/anonymisedTwin';
import { type SharePreview, sharePreviews } from '../core/export/sharePreview';
import { prunePreview } from '../core/prune/prunePreview';
import type { SecretScanner } from '../core/sensitivity/scanner';
import type { TranscriptSession } from '../core/session/transcriptSession';
import { buildRequestView } from '../core/view/requestView';
import { rewriteDatabase } from '../node/databases/database';
import { unpackZstd } from '../node/files/unpackZstd';
import { textChunks, writeNewFile } from '../node/files/newFile';
import type { ExportOutcome, WorkerParams } from '../protocol/workerQuestions';

/** Paths of the exports that the user has stopped. */
const stopped = new Set<string>();

/** Stops the export to a path. */
export function stopExport(path: string): null {
  stopped.add(path);
  return null;
}

/** Writes an export of a session that has been counted and scanned. Rejects with one sentence that can be shown. */
export async function writeExport(
  session: TranscriptSession,
  params: WorkerParams<'export'>,
  scanner: SecretScanner,
): Promise<ExportOutcome> {
  const { form, request, options, colour, level, path, overwrite, notOver } = params;
  stopped.delete(path);
  const isCancelled = (): boolean => stopped.has(path);
  if (form === 'twin') {
    const twin = await writeNewFile(
      path,
      anonymisedTwin({ session, rewriteDatabase, unpackZstd, isCancelled }),
      {
        overwrite,
        notOver,
      },
    );
    return { pruned: 0, stayed: 0, twin };
  }
  if (form !== 'prunedCopy') {
    const text = await exportText(form, {
      session,
      request,
      options,
      colour,
      scanner,
      level,
      identity: identity(),
    });
    await writeNewFile(path, textChunks(text), { overwrite, notOver });
    return { pruned: 0, stayed: 0 };
  }
  const { columns } = session.toSession();
  const { plan } = prunePreview(columns, buildRequestView(columns, request), options);
  if (!plan.executes) {
    throw new Error(translate('Nothing would be pruned, so no copy was written.'));
  }
  const copy = await prunedCopy({
    session,
    request,
    options,
    candidates: plan.candidates,
    notices: plan.notices,
    redactWith: level === 'full' ? undefined : scanner,
    isCancelled,
  });
  if (!copy.ok) {
    throw new Error(copy.sentence);
  }
  const { pruned } = await writeNewFile(path, copy.bytes, {
    overwrite,
    notOver,
    check: copy.readBack,
  });
  return { pruned, stayed: plan.candidates.length - pruned };
}

/** The content of each export, for a session that has been counted and scanned. */
export function previewExport(
  session: TranscriptSession,
  { form, request, options, colour }: WorkerParams<'sharePreviews'>,
  scanner: SecretScanner,
): Promise<readonly SharePreview[]> {
  return sharePreviews(form, { session, request, options, colour, scanner, identity: identity() });
}

function identity() {
  return { irId: randomUUID(), createdAt: new Date().toISOString() };
}
