import type { SessionSummary } from '../core/model/columns';
import type { UserModels } from '../core/tokens/userModels';
import type { AskQuestions } from './asking';
import type { Answer, ExportChoice, Progress, WebviewQuestions } from './messages';
import type { ColumnUpdate } from './columnUpdate';
import type { PackedColumns } from './packedColumns';

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

/** Where a block stands in the transcript, and what it was read from. */
export interface BlockPlace {
  /** 1-based line, and the bytes of the block's record. */
  readonly line: number;
  readonly offset: number;
  readonly length: number;
  /** The file that the content was read from, as the transcript names it. */
  readonly path?: string;
  readonly workingDirectory?: string;
}

/** What an export wrote: for a pruned copy, the results that were pruned, and those that had to stay. */
export interface ExportOutcome {
  readonly pruned: number;
  readonly stayed: number;
}

/** Questions of the host, beside those of the webview that it passes on. */
export interface WorkerQuestions extends WebviewQuestions, AskQuestions {
  readonly place: { readonly params: { readonly block: number }; readonly result: BlockPlace };
  /** Writes an export to a local file. */
  readonly export: {
    readonly params: Omit<ExportChoice, 'ask'> & {
      readonly path: string;
      readonly overwrite: boolean;
      /** The transcript's own path, which is never written over. */
      readonly notOver: string;
      readonly keepSecrets: boolean;
    };
    readonly result: ExportOutcome;
  };
  /** The whole record that a block stands in: its text as recorded, in full. */
  readonly record: { readonly params: { readonly block: number }; readonly result: string };
}

export type WorkerQuestion = {
  [Name in keyof WorkerQuestions]: { readonly name: Name; readonly params: WorkerQuestions[Name]['params'] };
}[keyof WorkerQuestions];

/** All of a session: at first, and where what has changed since is no addition. */
export interface SessionState {
  readonly type: 'session';
  /** Counted up with each update. */
  readonly revision: number;
  readonly summary: SessionSummary;
  readonly columns: PackedColumns;
  /** Work that still goes on in the background; absent when every figure is final. */
  readonly pending?: 'measuring';
}

/** What is other than in the revision before: better figures, or what the file has got since. */
export interface SessionUpdate {
  readonly type: 'update';
  readonly revision: number;
  readonly summary: Partial<SessionSummary>;
  readonly columns: ColumnUpdate;
  readonly pending?: 'measuring';
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
