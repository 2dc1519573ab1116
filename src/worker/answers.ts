import { defined } from '../core/base/defined';
import { cacheQuestions } from '../core/questions/cacheQuestions';
import { renderedSummary } from '../core/questions/renderedRequest';
import { stabilityOf } from '../core/questions/stabilityOf';
import type { SecretScanner } from '../core/sensitivity/scanner';
import type { TranscriptSession } from '../core/session/transcriptSession';
import type { AnswersOf } from '../protocol/questions';
import type { BlockPlace, workerQuestions } from '../protocol/workerQuestions';
import { compareReply, sentRequest } from './askAnswers';
import { writeExport } from './writeExport';

/** What questions are answered from: the newest reading that is complete. */
export interface AnswerSource {
  readonly session: TranscriptSession;
  /** Work that is still to do. */
  readonly pending?: 'measuring' | undefined;
  readonly scanner: SecretScanner;
  /** Shows the session again: its figures have changed. */
  readonly show: () => void;
}

/** The worker's answer to each question. Those that fail say why in one sentence. */
export const answers: AnswersOf<typeof workerQuestions, AnswerSource> = {
  blockText: ({ session }, { block, start, length, reveal }) =>
    session.blockText(block, start, length, reveal),
  rendered: ({ session }, { request }) => renderedSummary(session, request),
  stability: ({ session }, { request }) => stabilityOf(session, request),
  cacheReport: ({ session }) => cacheQuestions(session).report(),
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
  place: ({ session }, { block }) => placeOf(session, block),
  export: ({ session, pending, scanner }, params) => {
    if (pending !== undefined) {
      throw new Error('The figures are not final yet; export again in a moment.');
    }
    return writeExport(session, params, scanner);
  },
  record: async ({ session }, { block }) => {
    const { offset, length } = placeOf(session, block);
    // Of a packed file, the record as it is when unpacked.
    const bytes = await session.source.read(offset, length);
    if (bytes.length === 0 || bytes.includes(0)) {
      throw new Error('A record of a database cannot be shown as text.');
    }
    return new TextDecoder().decode(bytes);
  },
};

function placeOf({ transcript }: TranscriptSession, index: number): BlockPlace {
  const block = transcript.blocks.at(index);
  if (block === undefined) {
    throw new Error(`There is no block ${index}.`);
  }
  return {
    ...block.source,
    ...defined({ path: block.path, workingDirectory: transcript.workingDirectory }),
  };
}
