import type { Comparison } from '../core/compare/comparison';
import { describeSession } from '../core/finder/sessionText';
import { usageOf } from '../core/finder/readUsage';
import type { SessionDescription, SessionUsage } from '../core/finder/sessionDescription';
import type { SessionFile } from '../core/finder/sessionList';
import { readTranscript } from '../core/formats/readTranscript';
import { Gate } from '../core/sensitivity/gate';
import { lookUpWith } from '../core/tokens/userModels';
import { decoderTools } from '../node/database';
import { decodeText } from '../node/decodeText';
import { openFile } from '../node/fileByteSource';
import { secretScanner } from '../node/secretScannerOnDemand';
import { localFiles } from '../node/sessionFiles';
import { outlineFile } from '../node/outlineFile';
import { siblingFilesOf } from '../node/siblingFiles';
import type { LiveStatus, ReadingOrder } from '../protocol/sessionReading';
import { readComparison } from './compareReading';
import { LiveReading } from './liveReading';

const files = localFiles();

/** What titles, names and paths pass before they are shown. */
const gate = new Gate(secretScanner);

/** Reads sessions for the list of them. Rejects where the file of a usage cannot be read. */
export async function readForList(
  order: ReadingOrder,
): Promise<readonly SessionDescription[] | SessionUsage | LiveStatus | Comparison> {
  switch (order.kind) {
    case 'describe':
      return Promise.all(order.files.map(describe));
    case 'usage':
      return readUsage(order);
    case 'live':
      return live.read(order);
    case 'compare':
      return readComparison(order);
  }
}

const live = new LiveReading();

async function describe(file: SessionFile): Promise<SessionDescription> {
  return describeSession(file, await outlineFile(file, files), gate);
}

async function readUsage({
  file: { path },
  models,
  limits,
}: Extract<ReadingOrder, { kind: 'usage' }>): Promise<SessionUsage> {
  const source = await openFile(path);
  try {
    const result = await readTranscript(source, {
      usageOnly: true,
      decodeText,
      limits,
      tools: decoderTools,
      siblings: siblingFilesOf(path),
    });
    return result.ok ? usageOf(result.transcript, lookUpWith(models)) : {};
  } finally {
    await source.close();
  }
}
