import type { RecordedQuota } from './quota';
import type { Columns } from '../base/typedColumns';
import type { blockTypes, requestTypes } from './columnSchema';
import type { ModelRow } from './modelRow';
import type { TextList } from './textTable';
import type {
  AfterNewest,
  Compaction,
  Conversation,
  Drift,
  FormatChoice,
  LeftOut,
  Problem,
  RecordedAgent,
  Subagent,
  TextPart,
} from './transcript';
import type { UsageFigures } from './usageFigures';

/**
 * A session as columns, sent once from the worker to the webview. Every view, sum and prune plan is computed from them,
 * in the webview and on the command line alike. See columnSchema.ts for the content of each column.
 */
export type BlockColumns = Columns<typeof blockTypes>;
export type RequestColumns = Columns<typeof requestTypes>;

export const requestFlags = {
  recorded: 1,
  complete: 2,
  outputDoubtful: 4,
  fittedScale: 8,
  counted: 16,
  resumed: 32,
  /** The recorded input is doubted; see `doubtedTotals`. */
  doubted: 64,
  /** The reply is a summary that replaces the conversation, not a part of it. */
  summarizes: 128,
} as const;

/** Reasons why the predicted prefix ends. */
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
  /** The texts that columns of type `text` refer to. 0 is the empty string and means none. */
  readonly strings: TextList;
  readonly blocks: BlockColumns;
  readonly contexts: readonly Uint32Array[];
  readonly requests: RequestColumns;
  /** Recorded breakpoints: positions in the context, for requests with breakpoints. */
  readonly breakpoints: readonly { readonly request: number; readonly positions: readonly number[] }[];
}

/** The facts for the header and the lists. Small, and sent with the columns. */
export interface SessionSummary {
  readonly format: string;
  readonly agent: RecordedAgent;
  readonly title: string;
  readonly model: string;
  /** The known facts about the models of the requests, and of the next one. Unknown models have no entry. */
  readonly models: readonly { readonly id: string; readonly row: ModelRow }[];
  readonly messages: number;
  /** See `sessionTimes`. */
  readonly began?: number;
  readonly ended?: number;
  readonly compactions: readonly Compaction[];
  /** Absent if the conversation only grew after its newest request. */
  readonly after?: AfterNewest;
  readonly quota?: RecordedQuota;
  readonly subagents: readonly Subagent[];
  /** The subagents with files of their own that could be read, and their usage together. Absent if there are none. */
  readonly subagentFiles?: { readonly files: number; readonly figures: UsageFigures };
  /** All conversations if the file holds several unrelated ones; empty otherwise. */
  readonly conversations: readonly Conversation[];
  /** The parts of the client's texts, at their places; see `Transcript.parts`. */
  readonly parts?: readonly TextPart[];
  readonly problems: readonly Problem[];
  readonly leftOut: readonly LeftOut[];
  /** Absent if all kinds of records are known. */
  readonly drift?: Drift;
  /** The other formats in which the file can be read, if it has no requests. */
  readonly otherFormats?: readonly FormatChoice[];
  /** The tokenizer behind `BlockColumns.tokens`. */
  readonly encoding: string;
}

export interface Session {
  readonly summary: SessionSummary;
  readonly columns: SessionColumns;
}
