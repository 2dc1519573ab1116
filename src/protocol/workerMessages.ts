import type { UserModels } from '../core/tokens/userModels';
import type { Answer, Progress, SessionState, SessionUpdate } from './sessionMessages';
import type { WorkerQuestion } from './workerQuestions';

/** Where the worker finds the transcript: it reads a local file itself, bytes from elsewhere are handed to it. */
export type TranscriptInput =
  | { readonly kind: 'file'; readonly path: string }
  | { readonly kind: 'bytes'; readonly bytes: Uint8Array<ArrayBuffer> };

/** What the worker is started with. */
export interface WorkerStart {
  /** Where measures are kept from one opening to the next. */
  readonly cacheFolder: string;
  /** The program's version: another one measures anew. */
  readonly version: string;
}

export type ToWorkerMessage =
  /** Reads the transcript, or reads it again; work on an earlier reading stops, its session answers until the new one is there. */
  | { readonly type: 'open'; readonly fileName: string; readonly input: TranscriptInput }
  /** What the user says of models, for every reading from now on; the one that is shown is shown again. */
  | { readonly type: 'models'; readonly models: UserModels }
  /** Sends all of the session once more, for a page that has nothing yet; nothing where there is no session. */
  | { readonly type: 'show' }
  /** Answered exactly once, with the same id. */
  | { readonly type: 'question'; readonly id: number; readonly question: WorkerQuestion };

export type FromWorkerMessage =
  | { readonly type: 'progress'; readonly progress: Progress }
  | SessionState
  | SessionUpdate
  | { readonly type: 'failed'; readonly sentence: string }
  | Answer;
