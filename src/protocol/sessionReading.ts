import * as v from 'valibot';
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
    };

export type ReadingMessage = ReadingOrder & { readonly id: number };

/** The answers to the orders. */
export const readingAnswers = { describe: v.array(sessionDescription), usage: sessionUsage } as const;
