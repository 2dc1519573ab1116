import * as v from 'valibot';
import { type Described, maybeNumber, texts } from '../core/base/schema';
import { cacheBreakCauses } from '../core/cache/cacheFinding';
import { comparisonSchema } from '../core/compare/comparison';
import { sessionDescription, sessionUsage } from '../core/finder/sessionDescription';
import type { AddedFolder } from '../core/finder/pathMapping';
import { recordedQuota } from '../core/model/quota';
import type { SessionFile } from '../core/finder/sessionList';
import type { IndexedFigures } from '../core/index/listedSession';
import type { UnpackLimits } from '../core/reading/decoders/unpacking';
import type { TokenFigure } from '../core/tokens/quality';
import { recordedCost } from '../core/tokens/recordedCost';
import type { UserModels } from '../core/tokens/userModels';
import { fromHost } from './page';
import type { ParamsOf, QuestionTable } from './rpc';
import { count } from './schema';
import { toolAnswer, toolQuestion } from './toolAnswer';

/** The start task of a worker that reads for the list of sessions instead of for an editor. */
export const sessionReadingTask = 'sessions';

/**
 * The current state of a session, from the newest request of its main conversation. Tokens; US dollars at list prices;
 * milliseconds since 1970. Unknown members are absent.
 */
export const liveStatus = v.strictObject({
  /** Has passed the gate. */
  ...texts('title', 'agent', 'model'),
  /** Requests of the main conversation, and input of the newest. */
  requests: v.number(),
  tokens: fromHost<TokenFigure>(),
  window: maybeNumber,
  /** The cached part of the input, and the time when the cache will probably expire. */
  cacheRead: maybeNumber,
  coldAt: maybeNumber,
  /** Cost of all requests of the file, and if it is a lower bound. */
  cost: maybeNumber,
  isLeast: v.boolean(),
  recordedCost: v.exactOptional(recordedCost),
  /** A recorded input that is doubted, with the reason. */
  doubt: v.exactOptional(v.string()),
  /** Input at which the agent last compacted automatically. */
  compactedAt: maybeNumber,
  /** The limits of the subscription, as last recorded. */
  quota: v.exactOptional(recordedQuota),
  /** Sentences about changes after the newest request; `tokens` are then those of the context that is left, if known. */
  after: v.array(v.string()),
  /** If requested: the newest request with a cache loss, by its index in the conversation, and the cause. */
  lost: v.exactOptional(v.strictObject({ request: v.number(), cause: v.picklist(cacheBreakCauses) })),
});
export type LiveStatus = Described<typeof liveStatus>;

const settings = { models: fromHost<UserModels>(), limits: fromHost<UnpackLimits>() };

/** Questions for the thread that reads sessions. Each has an answer in src/worker/sessionReading.ts. */
export const readingQuestions = {
  /** The descriptions, in the order of the files. */
  describe: {
    params: v.strictObject({ files: fromHost<readonly SessionFile[]>() }),
    result: v.array(sessionDescription),
  },
  /**
   * The facts for a list about a file that is read for its usage, with the data for the index. Fails if the file cannot
   * be read.
   */
  read: {
    params: v.strictObject({ file: fromHost<SessionFile>(), ...settings }),
    result: v.strictObject({
      description: sessionDescription,
      usage: sessionUsage,
      figures: fromHost<IndexedFigures>(),
    }),
  },
  /**
   * The current state of a session. When asked about the same file again, the thread reads only the added part. Fails
   * if the file cannot be read.
   */
  live: {
    params: v.strictObject({
      path: v.string(),
      /** True to find the place and cause of the last cache loss. */
      findsLoss: v.boolean(),
      ...settings,
    }),
    result: liveStatus,
  },
  /**
   * The two sessions side by side, or a request of each, by its 0-based index in the main conversation. Fails if one of
   * the files cannot be read or has no such request.
   */
  compare: {
    params: v.strictObject({
      paths: v.tuple([v.string(), v.string()]),
      requests: v.nullable(v.tuple([count, count])),
      ...settings,
    }),
    result: comparisonSchema,
  },
  /**
   * The answer of a tool for agents. `added`: folders with sessions besides those of the agents; `allFolders`: true if the
   * user allowed questions about all sessions; `searches`: false if the index is turned off.
   */
  contextTool: {
    params: v.strictObject({
      ...toolQuestion,
      added: fromHost<readonly AddedFolder[]>(),
      allFolders: v.boolean(),
      searches: v.boolean(),
      ...settings,
    }),
    result: toolAnswer,
  },
} as const satisfies QuestionTable;
export type ReadingParams<Name extends keyof typeof readingQuestions> = ParamsOf<
  typeof readingQuestions,
  Name
>;
