import * as v from 'valibot';
import { colourModes } from '../core/drawing/palette';
import { conversationPart, conversationSchema } from '../core/model/conversation';
import { exportForms, exportKinds, shareLevels } from '../core/model/exportForm';
import { askOrder, shownComparison, tokenFigure } from './askMessages';
import { sessionQuestions } from './questions';
import type { Ask, ParamsOf, QuestionOf, QuestionTable } from './rpc';
import { count, type Described, numbers, pruneOptions } from './schema';

/** A request that is to be sent, as the worker prepares it. */
const sentRequest = v.object({
  conversation: conversationSchema,
  /** Tokens of what is sent, without the part that the transcript does not contain. */
  tokens: tokenFigure,
  /** How many of them the cache should provide, as predicted for the recorded request. */
  predictedRead: v.number(),
  /** The provider's id of the reply before, where it is recorded. */
  replyBefore: v.optional(v.string()),
  /** The blocks, the largest first. */
  order: v.array(v.number()),
  /** Empty if none is recorded. */
  recordedModel: v.string(),
  /** Nothing of the request was pruned or redacted. */
  isAsRecorded: v.boolean(),
});
export type SentRequest = Described<typeof sentRequest>;

/** Where a block is in the transcript, and the file that its content came from. */
const blockPlace = v.object({
  /** 1-based line, and the bytes of the block's record. */
  ...numbers('line', 'offset', 'length'),
  /** The file that the content came from, as named in the transcript. */
  path: v.exactOptional(v.string()),
  /** The 1-based line of that file at which the content begins, where the content says so. */
  fileLine: v.exactOptional(v.number()),
  workingDirectory: v.exactOptional(v.string()),
});
export type BlockPlace = Described<typeof blockPlace>;

/** What to export. */
export const exportChoice = {
  form: v.picklist(exportForms),
  request: count,
  options: pruneOptions,
  colour: v.picklist(colourModes),
};

/**
 * The outcome of an export: for a pruned copy, how many results were pruned and how many had to stay; for a twin, what was
 * replaced and what was kept.
 */
const exportOutcome = v.object({
  ...numbers('pruned', 'stayed'),
  twin: v.exactOptional(
    v.object(numbers('texts', 'names', 'numbers', 'images', 'kept', 'words', 'inexactTexts')),
  ),
});
export type ExportOutcome = Described<typeof exportOutcome>;

const sharePreview = v.object({
  level: v.picklist(shareLevels),
  ...numbers('texts', 'labels', 'tools', 'models', 'secrets', 'replaced'),
});

const atBlock = v.strictObject({ block: count });

/** All questions for the worker. The host's own ones are entries here, with answers in src/worker/answers.ts. */
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
      /** The transcript's own path, which is never overwritten. */
      notOver: v.string(),
      level: v.picklist(shareLevels),
    }),
    result: exportOutcome,
  },
  /** Stops the export that is being written to this path; its own answer is then a failure. */
  stopExport: { params: v.strictObject({ path: v.string() }), result: v.null() },
  /** What a report, a drawing or the JSON of a request would hold at each level. */
  sharePreviews: {
    params: v.strictObject({ ...exportChoice, form: v.picklist(exportKinds) }),
    result: v.array(sharePreview),
  },
  /** The complete text of the record that contains a block. */
  record: { params: atBlock, result: v.string() },
} as const satisfies QuestionTable;

export type WorkerQuestionName = keyof typeof workerQuestions;
export type WorkerParams<Name extends WorkerQuestionName> = ParamsOf<typeof workerQuestions, Name>;
export type WorkerQuestion = QuestionOf<typeof workerQuestions>;
/** Asks the worker. Rejects with one sentence that can be shown. */
export type AskWorker = Ask<typeof workerQuestions>;
