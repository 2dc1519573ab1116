import type { TranscriptSession } from '../session/transcriptSession';
import { idealLayout } from '../stability/idealLayout';
import type { BreakpointPlan } from '../stability/breakpointPlan';
import type { Planner } from '../stability/planWords';
import { stablePrefixFingerprint } from '../stability/prefixFingerprint';
import { type StabilityReport, stabilityReport } from '../stability/stabilityReport';
import { noRequest } from '../view/requestNames';
import type { StabilityAnswer } from './answers';
import { relayReport } from './relayReport';

/**
 * The stability of a request's context over the previous requests, and the plan of a planner. Reads the texts of the
 * stable prefix. Rejects if there is no such request.
 */
export async function stabilityOf(
  session: TranscriptSession,
  request: number,
  planner: Planner,
): Promise<StabilityAnswer> {
  if (session.transcript.requests[request] === undefined) {
    throw new Error(noRequest(request));
  }
  const {
    columns,
    summary: { models },
  } = session.toSession();
  const own = stabilityReport(columns, models, request);
  const { report, fingerprint } =
    planner === 'own' ? await withFingerprint(session, own) : await relayReport(session, request);
  return {
    planner,
    report,
    layout: idealLayout(columns, models, own),
    ...(fingerprint === undefined ? {} : { fingerprint }),
  };
}

/** Only the plan of a planner. One of the two planners reads no texts. */
export async function planOf(
  session: TranscriptSession,
  request: number,
  planner: Planner,
): Promise<BreakpointPlan> {
  const {
    columns,
    summary: { models },
  } = session.toSession();
  return planner === 'own'
    ? stabilityReport(columns, models, request).plan
    : (await relayReport(session, request)).report.plan;
}

async function withFingerprint(session: TranscriptSession, report: StabilityReport) {
  const { columns } = session.toSession();
  const texts = await session.requestTexts(report.request, report.stablePrefixBlocks);
  const fingerprint = stablePrefixFingerprint(
    columns,
    report.request,
    texts.map(({ text }) => text),
  );
  return { report, fingerprint };
}
