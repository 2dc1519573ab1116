import { defined } from '../core/base/defined';
import { translate } from '../core/base/translate';
import { sensitiveItemsIn } from '../core/exposure/secretPlaces';
import { insightsOf } from '../core/insights/insightsOf';
import { cacheQuestions } from '../core/questions/cacheQuestions';
import { findInBlock, findPart } from '../core/questions/findTexts';
import { renderedSummary } from '../core/questions/renderedRequest';
import { sightOf } from '../core/questions/sightQuestion';
import { stabilityOf } from '../core/questions/stabilityOf';
import { textDifferenceOf } from '../core/questions/textDifference';
import { wasteOf, wasteText } from '../core/questions/wasteQuestion';
import type { SecretScanner } from '../core/sensitivity/scanner';
import type { TranscriptSession } from '../core/session/transcriptSession';
import { fileLineOf } from '../core/sight/fileLine';
import { runWithin } from '../node/threads/runWithin';
import type { AnswersOf } from '../protocol/rpc';
import type { BlockPlace, workerQuestions } from '../protocol/workerQuestions';
import { answerAboutOpen } from './contextTools';
import { compareReply, sentRequest } from './askAnswers';
import { planHandOff, writeHandOff } from './handOffAnswers';
import { previewExport, stopExport, writeExport } from './writeExport';

/** The source of all answers: the newest complete reading. */
export interface AnswerSource {
  readonly session: TranscriptSession;
  /** The remaining work. */
  readonly pending?: 'measuring' | undefined;
  readonly scanner: SecretScanner;
  /** Shows the session again after its figures have changed. */
  readonly show: () => void;
}

/** The worker's answer to each question. A failure is one sentence that can be shown. */
export const answers: AnswersOf<typeof workerQuestions, AnswerSource> = {
  blockText: ({ session }, { block, offset, reveal }) => session.blockText(block, offset, reveal),
  wholeText: async ({ session }, { block, reveal }) => ({ text: await session.wholeText(block, reveal) }),
  textDifference: ({ session }, { before, after }) => textDifferenceOf(session, before, after),
  blockImage: ({ session }, { block }) => session.blockImage(block),
  find: ({ session }, params) => findPart(session, params, runWithin),
  findInBlock: ({ session }, params) => findInBlock(session, params, runWithin),
  rendered: ({ session }, { request }) => renderedSummary(session, request),
  stability: ({ session }, { request, planner }) => stabilityOf(session, request, planner),
  sensitiveItems: ({ session }) => sensitiveItemsIn(session),
  sight: ({ session }) => sightOf(session),
  insights: ({ session }, { isQuick, options }) => insightsOf(session, options, { isQuick }),
  cacheReport: ({ session }) => cacheQuestions(session).report(),
  waste: ({ session }) => wasteOf(session),
  wasteText: async ({ session }, { hidden }) => ({ text: await wasteText(session, hidden) }),
  pruneReplay: ({ session }, { request, options }) => cacheQuestions(session).pruneReplay(request, options),
  bestMoment: ({ session }, { request, options }) => cacheQuestions(session).bestMoment(request, options),
  bestOptions: ({ session }, { request, options }) => cacheQuestions(session).bestOptions(request, options),
  sentRequest: ({ session, scanner }, params) => sentRequest(session, params, scanner),
  compareReply: ({ session, scanner }, params) => compareReply(session, params, scanner),
  countedInput: ({ session, show }, { request, tokens }) => {
    const isTaken = session.setCountedInput(request, tokens);
    if (isTaken) {
      show();
    }
    return isTaken;
  },
  place: async ({ session }, { block }) => ({
    ...placeOf(session, block),
    ...defined({ fileLine: await fileLineOf(session, block) }),
  }),
  export: ({ session, pending, scanner }, params) => {
    expectFinal(pending);
    return writeExport(session, params, scanner);
  },
  stopExport: (_, { path }) => stopExport(path),
  sharePreviews: ({ session, pending, scanner }, params) => {
    expectFinal(pending);
    return previewExport(session, params, scanner);
  },
  planHandOff: ({ session, pending, scanner }, params) => {
    expectFinal(pending);
    return planHandOff(session, params, scanner);
  },
  writeHandOff: (_, params) => writeHandOff(params),
  contextTool: ({ session, pending, scanner }, params) => {
    expectFinal(pending);
    return answerAboutOpen(session, scanner, params);
  },
  record: async ({ session }, { block }) => {
    const { offset, length } = placeOf(session, block);
    // The record of a compressed file is decompressed.
    const bytes = await session.source.read(offset, length);
    if (bytes.length === 0 || bytes.includes(0)) {
      throw new Error(translate('Database records cannot be shown as text.'));
    }
    return new TextDecoder().decode(bytes);
  },
};

function expectFinal(pending: AnswerSource['pending']): void {
  if (pending !== undefined) {
    throw new Error(translate('The figures are not final yet. Try again in a moment.'));
  }
}

function placeOf({ transcript }: TranscriptSession, index: number): BlockPlace {
  const block = transcript.blocks.at(index);
  if (block === undefined) {
    throw new Error(translate('Block {0} does not exist.', index));
  }
  return {
    ...block.source,
    ...defined({ path: block.path, workingDirectory: transcript.workingDirectory }),
  };
}
