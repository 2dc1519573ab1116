import { describeSession } from '../core/finder/sessionText';
import type { SessionDescription } from '../core/finder/sessionDescription';
import type { SessionFile } from '../core/finder/sessionList';
import { listedSession } from '../core/index/listedSession';
import { Gate } from '../core/sensitivity/gate';
import { lookUpWith } from '../core/tokens/userModels';
import { readForIndex } from '../node/index/indexReading';
import { secretScanner } from '../node/secrets/secretScannerOnDemand';
import { localFiles } from '../node/sessions/sessionFiles';
import { outlineFile } from '../node/sessions/outlineFile';
import type { AnswersOf } from '../protocol/rpc';
import type { ReadingParams, readingQuestions } from '../protocol/sessionReading';
import { answerAboutSessions } from './contextTools';
import { readComparison } from './compareReading';
import { LiveReading } from './liveReading';

const files = localFiles();

/** The gate for titles, names and paths before they are shown. */
const gate = new Gate(secretScanner);

const live = new LiveReading();

/** The answers of a thread that reads sessions outside of editors. A failure is one sentence that can be shown. */
export const readingAnswers: AnswersOf<typeof readingQuestions, undefined> = {
  describe: (_, { files }) => Promise.all(files.map(describe)),
  read: (_, params) => read(params),
  live: (_, params) => live.read(params),
  compare: (_, params) => readComparison(params),
  contextTool: (_, params) => answerAboutSessions(params),
};

async function describe(file: SessionFile): Promise<SessionDescription> {
  return describeSession(file, await outlineFile(file, files), gate);
}

async function read({ file, models, limits }: ReadingParams<'read'>) {
  for await (const part of readForIndex({ file, words: false, subagents: true, limits })) {
    if (part.kind === 'session') {
      const { session, requests, subagents } = part;
      const figures = { session, requests };
      return { ...(await listedSession(file, figures, lookUpWith(models), gate, subagents)), figures };
    }
  }
  throw new Error('Nothing was read of the file.');
}
