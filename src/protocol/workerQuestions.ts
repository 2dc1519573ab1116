import * as v from 'valibot';
import { colourModes } from '../core/drawing/palette';
import { conversationPart, conversationSchema } from '../core/model/conversation';
import { exportForms, exportKinds, shareLevels } from '../core/model/exportForm';
import { handOffTargets } from '../core/handOff/targetNames';
import { pruneRuleSets } from '../core/model/pruneConfig';
import { askOrder, shownComparison, tokenFigure } from './askMessages';
import { sessionQuestions } from './questions';
import type { Ask, ParamsOf, QuestionOf, QuestionTable } from './rpc';
import { toolAnswer, toolQuestion } from './toolAnswer';
import { count, type Described, numbers, pruneOptions } from './schema';

/** A request as the worker prepares it for sending. */
const sentRequest = v.object({
  conversation: conversationSchema,
  /** Tokens to send, without the part that the transcript does not contain. */
  tokens: tokenFigure,
  /** Number of these tokens that the cache should provide, as predicted for the recorded request. */
  predictedRead: v.number(),
  /** The provider's id of the previous reply, if recorded. */
  replyBefore: v.optional(v.string()),
  /** The blocks, the largest first. */
  order: v.array(v.number()),
  /** Empty if none is recorded. */
  recordedModel: v.string(),
  /** True if nothing in the request was pruned or redacted. */
  isAsRecorded: v.boolean(),
});
export type SentRequest = Described<typeof sentRequest>;

/** The place of a block in the transcript, and the file that its content came from. */
const blockPlace = v.object({
  /** 1-based line, and the bytes of the block's record. */
  ...numbers('line', 'offset', 'length'),
  /** The file that the content came from, as named in the transcript. */
  path: v.exactOptional(v.string()),
  /** The 1-based line of that file at which the content begins, if the content shows it. */
  fileLine: v.exactOptional(v.number()),
  workingDirectory: v.exactOptional(v.string()),
});
export type BlockPlace = Described<typeof blockPlace>;

/** The export to make. */
export const exportChoice = {
  form: v.picklist(exportForms),
  request: count,
  options: pruneOptions,
  colour: v.picklist(colourModes),
};

/**
 * The result of an export: for a pruned copy, the number of pruned results and of those that could not be pruned; for a
 * twin, the replaced and kept content.
 */
const exportOutcome = v.object({
  ...numbers('pruned', 'stayed'),
  twin: v.exactOptional(
    v.object(numbers('texts', 'names', 'numbers', 'images', 'kept', 'words', 'inexactTexts')),
  ),
});
export type ExportOutcome = Described<typeof exportOutcome>;

/** A planned hand-off. */
const handOffManifest = v.object({
  /** The number of the plan. */
  plan: count,
  /** The manifest, for people. */
  lines: v.array(v.string()),
  /** The tokens of its first request, with their quality. */
  total: v.string(),
  /** True if sessions can be written to the agent's own folder. */
  canInstall: v.boolean(),
});
export type HandOffManifest = Described<typeof handOffManifest>;

/** A written session, and the command that resumes it; null if its agent does not find it there. */
const writtenHandOff = v.object({ path: v.string(), resume: v.nullable(v.string()) });
export type WrittenHandOff = Described<typeof writtenHandOff>;

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
  /** Applies the provider's count of a request. The answer is true if it was applied. */
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
  /** Stops the export to this path. Its own answer is then a failure. */
  stopExport: { params: v.strictObject({ path: v.string() }), result: v.null() },
  /** The content of a report, a drawing or the JSON of a request at each level. */
  sharePreviews: {
    params: v.strictObject({ ...exportChoice, form: v.picklist(exportKinds) }),
    result: v.array(sharePreview),
  },
  /** Plans a hand-off, and writes nothing. */
  planHandOff: {
    params: v.strictObject({
      request: count,
      /** True for everything up to the end of the conversation. */
      isWhole: v.boolean(),
      target: v.picklist(handOffTargets),
      rules: v.exactOptional(v.picklist(pruneRuleSets)),
      /** Tokens. */
      budget: v.exactOptional(count),
      keepSecrets: v.boolean(),
      /** The transcript's own path. */
      path: v.string(),
      /** Of the workspace, for a session that records none. */
      workingDirectory: v.exactOptional(v.string()),
    }),
    result: handOffManifest,
  },
  /** Writes the plan that was shown last as a new file: to a folder, or to the one where the agent keeps its sessions. */
  writeHandOff: {
    params: v.strictObject({ plan: count, folder: v.exactOptional(v.string()), notOver: v.string() }),
    result: writtenHandOff,
  },
  /** The answer of a tool for agents about this session. `path`: of its file; its name if it is not on this disk. */
  contextTool: { params: v.strictObject({ ...toolQuestion, path: v.string() }), result: toolAnswer },
  /** The complete text of the record that contains a block. */
  record: { params: atBlock, result: v.string() },
} as const satisfies QuestionTable;

export type WorkerQuestionName = keyof typeof workerQuestions;
export type WorkerParams<Name extends WorkerQuestionName> = ParamsOf<typeof workerQuestions, Name>;
export type WorkerQuestion = QuestionOf<typeof workerQuestions>;
/** Asks the worker. Rejects with one sentence that can be shown. */
export type AskWorker = Ask<typeof workerQuestions>;
