import * as v from 'valibot';
import { type Described, maybeNumber, numbers, texts } from '../core/base/schema';
import { cacheBreakCauses } from '../core/cache/cacheFinding';
import { comparisonSchema } from '../core/compare/comparison';
import { sessionDescription, sessionUsage } from '../core/finder/sessionDescription';
import type { SessionFile } from '../core/finder/sessionList';
import type { IndexedFigures } from '../core/index/listedSession';
import type { UnpackLimits } from '../core/reading/decoders/unpacking';
import { recordedCost } from '../core/tokens/recordedCost';
import type { UserModels } from '../core/tokens/userModels';
import { fromHost } from './page';
import type { ParamsOf, QuestionTable } from './rpc';
import { count } from './schema';

/** The task that a worker is started with when it reads for the list of sessions instead of for an editor. */
export const sessionReadingTask = 'sessions';

/**
 * What the newest request of a session's main conversation says about now. Tokens; US dollars at list prices; milliseconds
 * since 1970. What is not known is absent.
 */
export const liveStatus = v.strictObject({
  /** Has passed the gate. */
  ...texts('title', 'agent', 'model'),
  /** Requests of the main conversation, and input of the newest. */
  ...numbers('requests', 'input'),
  window: maybeNumber,
  /** Of the input, what was read from the cache, and when that will probably be gone. */
  cacheRead: maybeNumber,
  coldAt: maybeNumber,
  /** Of all requests of the file, and whether it is a lower bound. */
  cost: maybeNumber,
  isLeast: v.boolean(),
  recordedCost: v.exactOptional(recordedCost),
  /** Input at which the agent compacted by itself the last time. */
  compactedAt: maybeNumber,
  /** Where that was asked for: the newest request that lost the cache, by its index in the conversation, and why. */
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
  /** What a list says of a file that is read for its usage, with what the index keeps of it. Fails if it cannot be read. */
  read: {
    params: v.strictObject({ file: fromHost<SessionFile>(), ...settings }),
    result: v.strictObject({
      description: sessionDescription,
      usage: sessionUsage,
      figures: fromHost<IndexedFigures>(),
    }),
  },
  /**
   * What the session is doing. A thread that is asked again about the same file reads only what was added. Fails if the file
   * cannot be read.
   */
  live: {
    params: v.strictObject({
      path: v.string(),
      /** Whether to find out where and why the cache was lost. */
      findsLoss: v.boolean(),
      ...settings,
    }),
    result: liveStatus,
  },
  /**
   * The two sessions side by side, or a request of each, by its 0-based index in the main conversation. Fails if one of the
   * files cannot be read or has no such request.
   */
  compare: {
    params: v.strictObject({
      paths: v.tuple([v.string(), v.string()]),
      requests: v.nullable(v.tuple([count, count])),
      ...settings,
    }),
    result: comparisonSchema,
  },
} as const satisfies QuestionTable;
export type ReadingParams<Name extends keyof typeof readingQuestions> = ParamsOf<
  typeof readingQuestions,
  Name
>;
