import type { Finding } from './tryInput';

/** What the main process asks a worker. */
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
  /** Ends the range after the input that is being tried. */
  | { readonly type: 'stop' }
  /** Keys of findings that need no further example. */
  | { readonly type: 'known'; readonly key: string };

/** What a worker answers. */
export type FromWorker =
  | { readonly type: 'ready' }
  /** Before each input, so that it is known what a worker hangs at or dies of. */
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
      /** The first number that was not tried. */
      readonly next: number;
      readonly opened: number;
      /** How often each output was made. */
      readonly made: Readonly<Record<string, number>>;
    };
