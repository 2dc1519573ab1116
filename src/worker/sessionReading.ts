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
import type { AnswersOf } from '../protocol/rpc';
import type { ReadingParams, readingQuestions } from '../protocol/sessionReading';
import { readComparison } from './compareReading';
import { LiveReading } from './liveReading';

const files = localFiles();

/** What titles, names and paths pass before they are shown. */
const gate = new Gate(secretScanner);

const live = new LiveReading();

/** The answers of a thread that reads sessions outside of editors. A failure is one sentence that can be shown. */
export const readingAnswers: AnswersOf<typeof readingQuestions, undefined> = {
  describe: (_, { files }) => Promise.all(files.map(describe)),
  usage: (_, params) => readUsage(params),
  live: (_, params) => live.read(params),
  compare: (_, params) => readComparison(params),
};

async function describe(file: SessionFile): Promise<SessionDescription> {
  return describeSession(file, await outlineFile(file, files), gate);
}

async function readUsage({ file: { path }, models, limits }: ReadingParams<'usage'>): Promise<SessionUsage> {
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
