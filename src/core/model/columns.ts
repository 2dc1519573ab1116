import type { ModelRow } from './modelRow';
import type { TextList } from './textTable';
import type { Compaction, Conversation, LeftOut, Problem, Subagent } from './transcript';

/**
 * A session as columns: what crosses from the worker to the webview once, and what every view, sum and prune plan is
 * computed from, in the webview as in the command line. Row i of the block columns is block i of the transcript.
 * Enumerations are indices into their arrays in model/labels.ts and model/transcript.ts; strings are indices into
 * `strings`, where 0 reads as the empty string and stands for none.
 */
export interface BlockColumns {
  readonly role: Uint8Array;
  readonly contentType: Uint8Array;
  readonly kind: Uint8Array;
  readonly provenance: Uint8Array;
  readonly partition: Uint8Array;
  /** Index into sensitivityLabels; public until the scan is through. */
  readonly sensitivity: Uint8Array;
  /** Number of sensitivity findings. */
  readonly findings: Uint16Array;
  /** Tokens by the model family's tokenizer, uncalibrated; an estimate from the size where `counted` is 0. */
  readonly tokens: Uint32Array;
  readonly counted: Uint8Array;
  readonly characters: Uint32Array;
  readonly bytes: Uint32Array;
  /** 1-based line in the transcript. */
  readonly line: Uint32Array;
  readonly label: Uint32Array;
  readonly tool: Uint32Array;
  readonly callId: Uint32Array;
  readonly path: Uint32Array;
  /** The first block of the same content: equal for equal contents. */
  readonly content: Uint32Array;
  /** The content hash in two words. */
  readonly hashHigh: Uint32Array;
  readonly hashLow: Uint32Array;
  readonly message: Uint32Array;
  /** The paired call or result, -1 where there is none. */
  readonly pair: Int32Array;
  /** Bits of `blockFlags`. */
  readonly flags: Uint8Array;
  /** The first request whose context holds the block, -1 if none. */
  readonly firstRequest: Int32Array;
  /** In how many requests of its thread it was sent. */
  readonly requestCount: Uint32Array;
  /** Milliseconds since 1970, NaN where not recorded. */
  readonly timestamp: Float64Array;
}

/** One row a request, of all threads, in file order. */
export interface RequestColumns {
  readonly context: Uint32Array;
  readonly length: Uint32Array;
  readonly thread: Uint16Array;
  readonly timestamp: Float64Array;
  readonly model: Uint32Array;
  /** Recorded tokens; meaningful where the `recorded` bit is set. */
  readonly input: Uint32Array;
  readonly cacheRead: Uint32Array;
  readonly cacheWrite: Uint32Array;
  readonly output: Uint32Array;
  /** Tokens of the reply's blocks by the model family's tokenizer, uncalibrated. */
  readonly replyTokens: Uint32Array;
  /** How long the provider was asked to keep what the request wrote, in seconds; 0 where not recorded. */
  readonly cacheLifetime: Uint32Array;
  /** Part of `cacheWrite` that was written for an hour. */
  readonly cacheWriteHour: Uint32Array;
  /** Bits of `requestFlags`. */
  readonly flags: Uint8Array;
  /** Context window in tokens, 0 where unknown. */
  readonly window: Uint32Array;
  /** Leading blocks that equal an earlier request and that its provider could still have cached. */
  readonly predictedBlocks: Uint32Array;
  /** Index into predictionReasons: why the prediction ends where it ends. */
  readonly predictionReason: Uint8Array;
  /** The earlier request that the predicted blocks equal, -1 where there is none. */
  readonly predictedFrom: Int32Array;
  /** Recorded tokens for one token of the tokenizer, and its relative error. */
  readonly scale: Float32Array;
  readonly scaleError: Float32Array;
  /** Leading turns frozen by the upstream's rule for `frozenPrefixLen`; -1 where absent. */
  readonly frozenPrefixLen: Int32Array;
  readonly line: Uint32Array;
}

export const requestFlags = {
  recorded: 1,
  complete: 2,
  outputDoubtful: 4,
  fittedScale: 8,
  counted: 16,
} as const;

/** Why the predicted prefix ends where it ends. */
export const predictionReasons = [
  'firstRequest',
  'extendsPrevious',
  'earlierRequest',
  'contentChanged',
  'compaction',
  'modelChanged',
  'lifetimeExpired',
  'belowMinimum',
  'lookbackExceeded',
] as const;
export type PredictionReason = (typeof predictionReasons)[number];

export interface SessionColumns {
  readonly strings: TextList;
  readonly blocks: BlockColumns;
  readonly contexts: readonly Uint32Array[];
  readonly requests: RequestColumns;
  /** Recorded breakpoints: positions in the context, for the requests that have any. */
  readonly breakpoints: readonly { readonly request: number; readonly positions: readonly number[] }[];
}

/** What the header and the lists show: small, and sent with the columns. */
export interface SessionSummary {
  readonly format: string;
  readonly agent: { readonly name: string; readonly versions: readonly string[] };
  readonly title: string;
  readonly model: string;
  /** What is known of the models that the requests name; a model that is not known has no entry. */
  readonly models: readonly { readonly id: string; readonly row: ModelRow }[];
  readonly messages: number;
  readonly compactions: readonly Compaction[];
  readonly subagents: readonly Subagent[];
  /** All conversations where the file holds several that have nothing to do with each other; empty otherwise. */
  readonly conversations: readonly Conversation[];
  readonly problems: readonly Problem[];
  readonly leftOut: readonly LeftOut[];
  /** The tokenizer behind `BlockColumns.tokens`. */
  readonly encoding: string;
}

export interface Session {
  readonly summary: SessionSummary;
  readonly columns: SessionColumns;
}
