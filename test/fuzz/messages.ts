import type { Finding } from './tryInput';

/** The main process's messages to a worker. */
export type ToWorker =
  | {
      readonly type: 'try';
      readonly seed: number;
      /** Checks whose findings are left out. */
      readonly without: readonly string[];
      /** Outputs that are left out. */
      readonly skip: readonly string[];
      /** Numbers of inputs, `to` excluded. */
      readonly from: number;
      readonly to: number;
    }
  /** Ends the range after the current input. */
  | { readonly type: 'stop' }
  /** Keys of findings that need no further example. */
  | { readonly type: 'known'; readonly key: string };

/** A worker's messages. */
export type FromWorker =
  | { readonly type: 'ready' }
  /** Sent before each input, to identify the input at which a worker hangs or crashes. */
  | { readonly type: 'at'; readonly number: number; readonly format: string }
  | {
      readonly type: 'found';
      readonly number: number;
      readonly finding: Finding;
      readonly story: string;
      readonly bytes: Uint8Array;
    }
  | {
      readonly type: 'done';
      /** The first untried number. */
      readonly next: number;
      readonly opened: number;
      /** The number of times that each output was made. */
      readonly made: Readonly<Record<string, number>>;
    };
