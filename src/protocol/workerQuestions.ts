import * as v from 'valibot';
import { colourModes } from '../core/drawing/palette';
import { conversationPart, conversationSchema } from '../core/model/conversation';
import { exportForms } from '../core/model/exportForm';
import { askOrder, shownComparison, tokenFigure } from './askMessages';
import {
  sessionQuestions,
  type Asked,
  type ParamsOf,
  type QuestionOf,
  type QuestionTable,
  type ResultOf,
} from './questions';
import { count, numbers, pruneOptions, type Described } from './schema';

/** What the worker makes of a request that is to be sent. */
const sentRequest = v.object({
  conversation: conversationSchema,
  /** Of what is sent: without what the transcript does not hold. */
  tokens: tokenFigure,
  /** The cache's part of it by the prediction for the recorded request. */
  predictedRead: v.number(),
  /** The blocks, the largest first. */
  order: v.array(v.number()),
  /** Empty where none is recorded. */
  recordedModel: v.string(),
  /** Nothing of the request was pruned or redacted. */
  isAsRecorded: v.boolean(),
});
export type SentRequest = Described<typeof sentRequest>;

/** Where a block stands in the transcript, and what it was read from. */
const blockPlace = v.object({
  /** 1-based line, and the bytes of the block's record. */
  ...numbers('line', 'offset', 'length'),
  /** The file that the content was read from, as the transcript names it. */
  path: v.exactOptional(v.string()),
  workingDirectory: v.exactOptional(v.string()),
});
export type BlockPlace = Described<typeof blockPlace>;

/** What is to be exported. */
export const exportChoice = {
  form: v.picklist(exportForms),
  request: count,
  options: pruneOptions,
  colour: v.picklist(colourModes),
};

/** What an export wrote: for a pruned copy, the results that were pruned, and those that had to stay. */
const exportOutcome = v.object(numbers('pruned', 'stayed'));
export type ExportOutcome = Described<typeof exportOutcome>;

const atBlock = v.strictObject({ block: count });

/** All that the worker answers. A question of the host's own is an entry here, and its answer in src/worker/answers.ts. */
export const workerQuestions = {
  ...sessionQuestions,
  sentRequest: {
    params: v.pick(askOrder, ['request', 'prune', 'keepSecrets']),
    result: sentRequest,
  },
  compareReply: {
    params: v.strictObject({ request: count, parts: v.array(conversationPart), keepSecrets: v.boolean() }),
    result: shownComparison,
  },
  /** Takes the provider's count of a request; the answer says whether it was taken. */
  countedInput: { params: v.strictObject({ request: count, tokens: count }), result: v.boolean() },
  place: { params: atBlock, result: blockPlace },
  /** Writes an export to a local file. */
  export: {
    params: v.strictObject({
      ...exportChoice,
      path: v.string(),
      overwrite: v.boolean(),
      /** The transcript's own path, which is never written over. */
      notOver: v.string(),
      keepSecrets: v.boolean(),
    }),
    result: exportOutcome,
  },
  /** The whole record that a block stands in: its text as recorded, in full. */
  record: { params: atBlock, result: v.string() },
} as const satisfies QuestionTable;

export type WorkerQuestionName = keyof typeof workerQuestions;
export type WorkerParams<Name extends WorkerQuestionName> = ParamsOf<typeof workerQuestions, Name>;
export type WorkerResult<Name extends WorkerQuestionName> = ResultOf<typeof workerQuestions, Name>;
export type WorkerQuestion = QuestionOf<typeof workerQuestions>;
/** Asks the worker. Rejects with one sentence that can be shown. */
export type AskWorker = <Name extends WorkerQuestionName>(
  question: Asked<typeof workerQuestions, Name>,
) => Promise<WorkerResult<Name>>;
