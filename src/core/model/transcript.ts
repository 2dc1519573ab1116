import type { TextReference } from './block';
import type { BlockList } from './blockList';
import type { Billing } from './billing';
import type { CacheDiagnosis } from './cacheDiagnosis';
import type { RecordedWindow } from './contextWindow';
import type { PromptRole } from './labels';
import type { Protocol } from './protocol';
import type { QuotaWindow, RecordedQuota } from './quota';

/** A message of the conversation: one user or tool message, or one reply of the model, with all its blocks. */
export interface TranscriptMessage {
  readonly role: PromptRole;
  /** The transcript's own id: message id, line uuid. */
  readonly id?: string;
  /** Milliseconds since 1970. */
  readonly timestamp?: number;
  /** True for the summary of a compaction, which replaces the dropped messages. */
  readonly summary?: boolean;
}

/**
 * Tokens that the provider reported for one request, in one convention: the three input parts add up to the whole
 * input.
 */
export interface RecordedUsage {
  readonly input: number;
  readonly cacheRead: number;
  readonly cacheWrite: number;
  readonly output: number;
  /** Part of `output`, if the provider reports it separately. */
  readonly reasoning?: number;
  /** The requested lifetime of this request's cache writes, in seconds, if recorded. */
  readonly cacheLifetime?: number;
  /** The part of `cacheWrite` with a lifetime of an hour, if the request also wrote for shorter. */
  readonly cacheWriteHour?: number;
  /** US dollars that the agent recorded for it; 0 under a subscription, and where the agent knows no price. */
  readonly cost?: number;
  /** Absent if only the tokens above are billed, on standard terms. */
  readonly billing?: Billing;
  /** True if a recorded count cannot be a number of tokens and was left out. */
  readonly isDamaged?: boolean;
}

/** The place of a request's body as it was sent. */
export interface RecordedBody {
  readonly api: Protocol;
  readonly text: TextReference;
}

/**
 * An agent's note about the origin of a request. It describes the content of the context, so a skill or a server may
 * still be there in later turns.
 */
export interface Attribution {
  readonly skill?: string;
  readonly plugin?: string;
  readonly agent?: string;
  readonly mcpServer?: string;
  /** The requested reasoning effort, in the provider's word. */
  readonly effort?: string;
}

/**
 * One API call. The content that the model saw is the first `length` blocks of the context number `context`, in wire
 * order.
 */
export interface RecordedRequest {
  readonly context: number;
  readonly length: number;
  /** Thread 0 is the main conversation; others are subagents recorded in the same file. */
  readonly thread: number;
  readonly id?: string;
  /** Milliseconds since 1970. */
  readonly timestamp?: number;
  readonly model?: string;
  readonly usage?: RecordedUsage;
  /** Numbers of the blocks of the reply, in order. */
  readonly reply: readonly number[];
  /** True if system prompt and tool schemas are in the context too: everything that the model saw is recorded. */
  readonly complete: boolean;
  /** True if the reported output is known to be too low (Claude Code 2.1.12 – 2.1.50). */
  readonly outputDoubtful?: boolean;
  /** Positions in the context of blocks with a cache breakpoint (`cache_control`), ascending. */
  readonly breakpoints?: readonly number[];
  /** The provider's report on its cache, if it was asked. */
  readonly diagnosis?: CacheDiagnosis;
  readonly attribution?: Attribution;
  /** True if a new process of the agent resumed the session before the request. */
  readonly resumed?: boolean;
  /** True if the reply is a summary that replaces the conversation, not a part of it. */
  readonly summarizes?: boolean;
  /** The context window of the request, if the transcript has it. */
  readonly window?: RecordedWindow;
  /** The body that was sent, if the transcript has it. */
  readonly body?: RecordedBody;
  readonly line: number;
}

/** A point where the agent replaced history with a summary, or cleared tool results (`clearing`). */
export interface Compaction {
  readonly kind: 'compaction' | 'clearing';
  /** The first request after it, an index into `Transcript.requests`; equal to their number if none followed. */
  readonly request: number;
  readonly thread: number;
  readonly trigger?: string;
  /** True if the conversation was reset: the earlier messages are gone, without a summary. */
  readonly isReset?: true;
  readonly tokensBefore?: number;
  readonly tokensAfter?: number;
  /** For a clearing: number of blocks of the rewritten context right after it. */
  readonly contextLength?: number;
  readonly line: number;
}

/**
 * The changes to the main conversation that are recorded after its newest request: the state from which the next
 * request will start.
 */
export interface AfterNewest {
  /** How the context was changed last. `rewind`: its end was removed, or another branch was chosen. */
  readonly change?: Compaction['kind'] | 'rewind';
  /** The agent's own figure for the tokens that are left. It may lack the system text and the tools. */
  readonly stated?: number;
  /** Numbers of the blocks of the context after the change, as far as known. */
  readonly blocks?: readonly number[];
  /** Tokens that were removed from a part of the conversation that is not in this file. */
  readonly removedElsewhere?: number;
  /**
   * True if the conversation began in another file and this is its first compaction here: what the requests before it
   * hold beyond their blocks is not only system text and tools.
   */
  readonly lacksHistory?: true;
  /** The model that was chosen in place of that of the newest request. */
  readonly model?: string;
}

/** A child agent with its own tokens. */
export interface Subagent {
  readonly id: string;
  /** Its thread in this file, if it was recorded here. */
  readonly thread?: number;
  /** The call that started it. */
  readonly callId?: string;
  readonly description?: string;
  /** Its total usage according to the parent's record. */
  readonly totalTokens?: number;
}

/** A part of the file that could not be read or understood as expected. The rest could. */
export const problemKinds = [
  'unparsableLine',
  'gluedLine',
  'truncatedLastLine',
  'unknownRecord',
  'malformedRecord',
  'duplicateRecord',
  'resultWithoutCall',
  'missingRequestContent',
  'missingHistory',
  'unrecordedCalls',
  'cutText',
  'impossibleCount',
  'noRequests',
] as const;
export type ProblemKind = (typeof problemKinds)[number];

/** Problems of one kind: their number, and the line of the first. */
export interface Problem {
  readonly kind: ProblemKind;
  readonly line: number;
  readonly count: number;
  /** The size at least of what is missing, in bytes, if it is known. */
  readonly bytes?: number;
}

/** Records that the model never saw, by the reason why they are not blocks. */
export interface LeftOut {
  readonly reason: string;
  readonly line: number;
  readonly count: number;
}

/** Kinds of records that the reader of a format does not know. Nothing of them is shown. */
export interface Drift {
  /** The writer's version and the newest one that the reader was checked with, if the writer is newer. */
  readonly version?: string;
  readonly checked?: string;
  readonly kinds: readonly { readonly name: string; readonly count: number }[];
}

/** The parts of a client's text: instruction files, and its lists of skills and agents. */
export const textPartKinds = ['memory', 'skill', 'agent'] as const;
export type TextPartKind = (typeof textPartKinds)[number];

/** A named part of a block's text. `start` and `end` are offsets in UTF-16 units. */
export interface TextPart {
  /** The first block with this content. */
  readonly block: number;
  readonly kind: TextPartKind;
  /** The path of the file, the name of the skill or the agent. */
  readonly name: string;
  readonly start: number;
  readonly end: number;
}

/** One of several unrelated conversations in a file; its requests are those of `thread`. */
export interface Conversation {
  readonly thread: number;
  readonly title: string;
}

/** A conversation in the form of the transcript. */
export interface RecordedConversation extends Conversation {
  /** Present for a session of an agent in a store with many. `subagents` are the threads that it started. */
  readonly session?: {
    readonly id: string;
    readonly workingDirectory?: string;
    readonly subagents: readonly number[];
  };
}

/** A format that the user can choose for a file. */
export interface FormatChoice {
  readonly id: string;
  readonly name: string;
  /** True if the beginning of the file looks like this format. */
  readonly fits: boolean;
}

export interface VersionRun {
  readonly version: number;
  readonly request: number;
}

/** The agent that wrote a transcript. */
export interface RecordedAgent {
  readonly name: string;
  readonly versions: readonly string[];
  /** If its version changed: each version that wrote, an index into `versions`, with the number of requests before. */
  readonly runs?: readonly VersionRun[];
}

/** A transcript as read by the adapter of its format. */
export interface Transcript {
  readonly format: string;
  readonly agent: RecordedAgent;
  readonly title?: string;
  readonly sessionId?: string;
  readonly workingDirectory?: string;
  readonly blocks: BlockList;
  readonly messages: readonly TranscriptMessage[];
  /** Each context is a list of block numbers in wire order, only ever appended to; requests are prefixes of one. */
  readonly contexts: readonly (readonly number[])[];
  readonly requests: readonly RecordedRequest[];
  readonly compactions: readonly Compaction[];
  /** Absent if the conversation only grew after its newest request. */
  readonly after?: AfterNewest;
  /** The limits of a subscription, as last recorded. */
  readonly quota?: RecordedQuota;
  /** Every window of time with a limit that was recorded, as it was last recorded. */
  readonly quotaWindows: readonly QuotaWindow[];
  readonly subagents: readonly Subagent[];
  /** All conversations if the file has several (fine-tuning sets, captures, evaluation logs); empty otherwise. */
  readonly conversations: readonly RecordedConversation[];
  /** Sorted by block, then by position in the block. */
  readonly parts: readonly TextPart[];
  readonly problems: readonly Problem[];
  readonly leftOut: readonly LeftOut[];
  /** Absent if all kinds of records are known. */
  readonly drift?: Drift;
  /** The other formats, for a file without requests. */
  readonly otherFormats?: readonly FormatChoice[];
  /** Length of the read content in bytes, up to the end of the last complete record. */
  readonly bytesRead: number;
}
