import { basename } from 'node:path';
import { compareSessions } from '../core/compare/compareSessions';
import type { Comparison } from '../core/compare/comparison';
import { openTranscript } from '../core/session/openTranscript';
import type { TranscriptSession } from '../core/session/transcriptSession';
import { decoderTools } from '../node/database';
import { decodeText } from '../node/decodeText';
import { openFile } from '../node/fileByteSource';
import { hashText } from '../node/hashText';
import { secretScanner } from '../node/secretScannerOnDemand';
import { siblingFilesOf } from '../node/siblingFiles';
import type { ReadingOrder } from '../protocol/sessionReading';

type CompareOrder = Extract<ReadingOrder, { kind: 'compare' }>;

/** Two whole sessions side by side. Rejects where one of the files cannot be read. */
export function readComparison(order: CompareOrder): Promise<Comparison> {
  const [one, other] = order.paths;
  return withSession(one, order, first =>
    withSession(other, order, async second => {
      await first.measure();
      await second.measure();
      return compareSessions({ session: first, request: undefined }, { session: second, request: undefined });
    }),
  );
}

async function withSession<Result>(
  path: string,
  { models, limits }: CompareOrder,
  work: (session: TranscriptSession) => Promise<Result>,
): Promise<Result> {
  const source = await openFile(path);
  try {
    const opened = await openTranscript(source, {
      fileName: basename(path),
      scanner: secretScanner,
      decodeText,
      hashText,
      mayGrow: false,
      tools: decoderTools,
      siblings: siblingFilesOf(path),
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
