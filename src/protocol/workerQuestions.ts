import * as v from 'valibot';
import { isObject, type JsonObject } from '../core/base/json';
import { colourModes } from '../core/drawing/palette';
import { protocols, type Conversation, type ConversationPart } from '../core/model/conversation';
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
import { count, numbers, pruneOptions, schemaOf, texts, type Described } from './schema';

const blocks = v.array(v.number());
const native = v.optional(
  v.object({ protocol: v.picklist(protocols), item: v.custom<JsonObject>(isObject) }),
);
const picture = v.variant('kind', [
  v.object({ kind: v.literal('data'), ...texts('mediaType', 'data') }),
  v.object({ kind: v.literal('url'), url: v.string() }),
]);
const ofPart = { blocks, native };

const conversationPart = schemaOf<ConversationPart>()(
  v.variant('kind', [
    v.object({ kind: v.literal('text'), text: v.string(), ...ofPart }),
    v.object({ kind: v.literal('thinking'), text: v.string(), ...ofPart }),
    v.object({ kind: v.literal('call'), ...texts('id', 'name'), input: v.unknown(), ...ofPart }),
    v.object({
      kind: v.literal('result'),
      ...texts('callId', 'name', 'text'),
      isError: v.boolean(),
      pictures: v.array(picture),
      ...ofPart,
    }),
    v.object({ kind: v.literal('picture'), picture, ...ofPart }),
    v.object({ kind: v.literal('other'), ...ofPart }),
  ]),
);

const conversation = schemaOf<Conversation>()(
  v.object({
    system: v.array(conversationPart),
    tools: v.array(
      v.object({
        ...texts('name', 'description'),
        schema: v.custom<JsonObject>(isObject),
        inferred: v.boolean(),
        ...ofPart,
      }),
    ),
    turns: v.array(
      v.object({ role: v.picklist(['system', 'user', 'assistant']), parts: v.array(conversationPart) }),
    ),
    breakpoints: blocks,
    summaries: v.exactOptional(blocks),
    notes: v.array(v.string()),
  }),
);

/** What the worker makes of a request that is to be sent. */
const sentRequest = v.object({
  conversation,
  /** Of what is sent: without what the transcript does not hold. */
  tokens: tokenFigure,
  /** The cache's part of it by the prediction for the recorded request. */
  predictedRead: v.number(),
  /** The blocks, the largest first. */
  order: blocks,
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
