import type { FormatChoice } from '../core/model/transcript';
import type { UnpackLimits } from '../core/reading/decoders/unpacking';
import type { UserModels } from '../core/tokens/userModels';
import type { Answer, QuestionMessage } from './rpc';
import type { Progress, SessionState, SessionUpdate } from './sessionMessages';
import type { workerQuestions } from './workerQuestions';

/** The source of the transcript: a local file that the worker reads itself, or the bytes of a file from elsewhere. */
export type TranscriptInput =
  | { readonly kind: 'file'; readonly path: string }
  | { readonly kind: 'bytes'; readonly bytes: Uint8Array<ArrayBuffer> };

/** The start data of the worker. */
export interface WorkerStart {
  /** The folder with measures for the next opening. */
  readonly cacheFolder: string;
  /** The program's version. Measures of other versions are not used. */
  readonly version: string;
}

export type ToWorkerMessage =
  /**
   * Reads the transcript, or reads it again. Stops work on the earlier reading, whose session answers until the new one
   * is read.
   */
  | {
      readonly type: 'open';
      readonly fileName: string;
      readonly input: TranscriptInput;
      readonly limits?: UnpackLimits;
      /** The id of the format that the user chose. */
      readonly format?: string | undefined;
    }
  /** The user's settings for models, for the current session, which is shown again, and all later ones. */
  | { readonly type: 'models'; readonly models: UserModels }
  /** Sends the whole session again, for a new page; nothing if there is no session. */
  | { readonly type: 'show' }
  | QuestionMessage<typeof workerQuestions>;

export type FromWorkerMessage =
  | { readonly type: 'progress'; readonly progress: Progress }
  | SessionState
  | SessionUpdate
  | {
      readonly type: 'failed';
      readonly sentence: string;
      /** The formats that the user can choose if none was recognised. */
      readonly formats?: readonly FormatChoice[] | undefined;
    }
  | Answer;
