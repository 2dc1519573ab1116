import { basename } from 'node:path';
import { translate } from '../core/base/translate';
import { type Compared, compareSessions } from '../core/compare/compareSessions';
import type { Comparison } from '../core/compare/comparison';
import type { TranscriptSession } from '../core/session/transcriptSession';
import { requestNumber, requestsOfConversation } from '../core/view/requestNames';
import { openFile } from '../node/files/fileByteSource';
import { secretScanner } from '../node/secrets/secretScannerOnDemand';
import { openOnDisk } from '../node/sessions/openOnDisk';
import type { ReadingParams } from '../protocol/sessionReading';

type CompareOrder = ReadingParams<'compare'>;

/** Two sessions, or a request of each, side by side. Rejects if a file cannot be read or has no such request. */
export function readComparison(order: CompareOrder): Promise<Comparison> {
  const [one, other] = order.paths;
  const { requests } = order;
  return withSession(one, order, first =>
    withSession(other, order, async second => {
      await first.measure();
      await second.measure();
      return compareSessions(compared(one, first, requests?.[0]), compared(other, second, requests?.[1]));
    }),
  );
}

/** A session and the chosen request by its index in the main conversation. Without a request, the whole session. */
function compared(path: string, session: TranscriptSession, index: number | undefined): Compared {
  const request =
    index === undefined ? undefined : requestsOfConversation(session.transcript.requests, 0)[index];
  if (index !== undefined && request === undefined) {
    throw new Error(`${basename(path)}: ${translate('Request {0} does not exist.', requestNumber(index))}`);
  }
  return { session, request };
}

async function withSession<Result>(
  path: string,
  { models, limits }: CompareOrder,
  work: (session: TranscriptSession) => Promise<Result>,
): Promise<Result> {
  const source = await openFile(path);
  try {
    const opened = await openOnDisk(path, source, {
      scanner: secretScanner,
      mayGrow: false,
      readsSubagents: true,
      limits,
      models,
    });
    if (!opened.ok) {
      throw new Error(`${basename(path)}: ${opened.sentence}`);
    }
    return await work(opened.session);
  } finally {
    await source.close();
  }
}
