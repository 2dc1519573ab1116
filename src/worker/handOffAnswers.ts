import { randomUUID } from 'node:crypto';
import { homedir } from 'node:os';
import { translate } from '../core/base/translate';
import { type HandOff, handOff, writtenSession } from '../core/handOff/handOff';
import { manifestLines } from '../core/handOff/manifestWords';
import { targetFacts } from '../core/handOff/targets';
import { defaultPruneOptions } from '../core/model/pruneConfig';
import type { SecretScanner } from '../core/sensitivity/scanner';
import type { TranscriptSession } from '../core/session/transcriptSession';
import { figure } from '../core/tokens/qualityWords';
import { noRequest } from '../core/view/requestNames';
import { writeNewFile } from '../node/files/newFile';
import { handOffPath, makeFolderOf, resumeCommand } from '../node/sessions/handOffFile';
import type { HandOffManifest, WorkerParams, WrittenHandOff } from '../protocol/workerQuestions';

/** The plan that was shown last. It is written as it was shown, even if the transcript has grown since. */
let shown: { readonly number: number; readonly plan: HandOff } | undefined;
let plans = 0;

/** Plans a hand-off of a session that has been counted and scanned. Rejects with one sentence that can be shown. */
export async function planHandOff(
  session: TranscriptSession,
  params: WorkerParams<'planHandOff'>,
  scanner: SecretScanner,
): Promise<HandOffManifest> {
  const { request, isWhole, target, rules, budget, keepSecrets, path, workingDirectory } = params;
  const plan = await handOff(session, target, {
    request,
    isWhole,
    prune: rules === undefined ? undefined : defaultPruneOptions(rules),
    budget,
    model: undefined,
    redactWith: keepSecrets ? undefined : scanner,
    path,
    workingDirectory: workingDirectory ?? homedir(),
    time: Date.now(),
    newId: randomUUID,
  });
  if (!plan.ok) {
    throw new Error(
      plan.reason === 'noRequest'
        ? noRequest(request)
        : translate('The request has nothing that can be handed off.'),
    );
  }
  plans += 1;
  shown = { number: plans, plan };
  const { manifest } = plan;
  return {
    plan: plans,
    lines: [...manifestLines(manifest)],
    total: figure(manifest.tokens),
    canInstall: targetFacts[target].folder !== undefined,
  };
}

/** Writes the plan that was shown. Rejects with one sentence that can be shown. */
export async function writeHandOff({
  plan: number,
  folder,
  notOver,
}: WorkerParams<'writeHandOff'>): Promise<WrittenHandOff> {
  if (shown?.number !== number) {
    throw new Error(translate('The session was read again since. Hand it off again.'));
  }
  const { plan } = shown;
  const place = folder === undefined ? ({ kind: 'agent' } as const) : ({ kind: 'folder', folder } as const);
  const path = handOffPath(plan, place);
  if (path === undefined) {
    throw new Error(translate('{0} adds sessions itself. Save the session to a folder.', plan.facts.agent));
  }
  await makeFolderOf(path);
  await writeNewFile(path, writtenSession(plan), { overwrite: false, notOver });
  return { path, resume: resumeCommand(plan, path, place) };
}
