import { translate } from '../base/translate';
import type { TranscriptSession } from '../session/transcriptSession';
import { idealLayout } from '../stability/idealLayout';
import { stablePrefixFingerprint } from '../stability/prefixFingerprint';
import { stabilityReport } from '../stability/stabilityReport';
import type { StabilityAnswer } from './answers';

/**
 * The stability of a request's context over the requests before it; reads the texts of the stable prefix. Rejects where
 * there is no such request.
 */
export async function stabilityOf(session: TranscriptSession, request: number): Promise<StabilityAnswer> {
  if (session.transcript.requests[request] === undefined) {
    throw new Error(translate('There is no request {0}.', request));
  }
  const {
    columns,
    summary: { models },
  } = session.toSession();
  const report = stabilityReport(columns, models, request);
  const texts = await session.requestTexts(request, report.stablePrefixBlocks);
  const fingerprint = stablePrefixFingerprint(
    columns,
    request,
    texts.map(({ text }) => text),
  );
  return {
    report,
    layout: idealLayout(columns, models, report),
    ...(fingerprint === undefined ? {} : { fingerprint }),
  };
}
