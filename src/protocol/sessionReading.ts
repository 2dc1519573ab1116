import * as v from 'valibot';
import { type Described, maybeNumber, numbers, texts } from '../core/base/schema';
import { cacheBreakCauses } from '../core/cache/cacheFinding';
import { comparisonSchema } from '../core/compare/comparison';
import { sessionDescription, sessionUsage } from '../core/finder/sessionDescription';
import type { SessionFile } from '../core/finder/sessionList';
import type { UnpackLimits } from '../core/reading/decoders/unpacking';
import type { UserModels } from '../core/tokens/userModels';

/** The task that a worker is started with when it reads for the list of sessions instead of for an editor. */
export const sessionReadingTask = 'sessions';

/** What the host asks the worker that reads for the list of sessions. Each order is answered once, with the same id. */
export type ReadingOrder =
  /** Answered with the descriptions, in the order of the files. */
  | { readonly kind: 'describe'; readonly files: readonly SessionFile[] }
  /** Answered with the usage. Fails if the file cannot be read. */
  | {
      readonly kind: 'usage';
      readonly file: SessionFile;
      readonly models: UserModels;
      readonly limits: UnpackLimits;
    }
  /**
   * Answered with what the session is doing. A thread that is asked again about the same file reads only what was added.
   * Fails if the file cannot be read.
   */
  | {
      readonly kind: 'live';
      readonly path: string;
      /** Whether to find out where and why the cache was lost. */
      readonly findsLoss: boolean;
      readonly models: UserModels;
      readonly limits: UnpackLimits;
    }
  /**
   * Answered with the two sessions side by side, or with a request of each, by its 0-based index in the main conversation.
   * Fails if one of the files cannot be read or has no such request.
   */
  | {
      readonly kind: 'compare';
      readonly paths: readonly [string, string];
      readonly requests: readonly [number, number] | undefined;
      readonly models: UserModels;
      readonly limits: UnpackLimits;
    };

export type ReadingMessage = ReadingOrder & { readonly id: number };

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
  /** Input at which the agent compacted by itself the last time. */
  compactedAt: maybeNumber,
  /** Where that was asked for: the newest request that lost the cache, by its index in the conversation, and why. */
  lost: v.exactOptional(v.strictObject({ request: v.number(), cause: v.picklist(cacheBreakCauses) })),
});
export type LiveStatus = Described<typeof liveStatus>;

/** The answers to the orders. */
export const readingAnswers = {
  describe: v.array(sessionDescription),
  usage: sessionUsage,
  live: liveStatus,
  compare: comparisonSchema,
} as const;
