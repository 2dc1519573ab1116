import type { TextReference } from './block';
import type { BlockList } from './blockList';
import type { CacheDiagnosis } from './cacheDiagnosis';
import type { RecordedWindow } from './contextWindow';
import type { PromptRole } from './labels';
import type { Protocol } from './protocol';

/** A message of the conversation: one user or tool message, or one reply of the model, with all its blocks. */
export interface TranscriptMessage {
  readonly role: PromptRole;
  /** The transcript's own id: message id, line uuid. */
  readonly id?: string;
  /** Milliseconds since 1970. */
  readonly timestamp?: number;
  /** The message is the summary with which a compaction replaced what it dropped. */
  readonly summary?: boolean;
}

/** Tokens that the provider reported for one request, in one convention: the three input parts add up to the whole input. */
export interface RecordedUsage {
  readonly input: number;
  readonly cacheRead: number;
  readonly cacheWrite: number;
  readonly output: number;
  /** Part of `output`, if the provider reports it separately. */
  readonly reasoning?: number;
  /** How long the provider was asked to keep what this request wrote, in seconds, where recorded. */
  readonly cacheLifetime?: number;
  /** Part of `cacheWrite` that was written for an hour, where the request wrote for shorter as well. */
  readonly cacheWriteHour?: number;
  /** US dollars that the agent recorded for it; 0 under a subscription, and where the agent knows no price. */
  readonly cost?: number;
  /** A recorded count cannot be a number of tokens, and is left out. */
  readonly isDamaged?: boolean;
}

/** Where the body of a request is recorded as it was sent. */
export interface RecordedBody {
  readonly api: Protocol;
  readonly text: TextReference;
}

/**
 * What an agent says about where a request came from. It notes what was in the context, so a skill or a server may still
 * stand there on later turns.
 */
export interface Attribution {
  readonly skill?: string;
  readonly plugin?: string;
  readonly agent?: string;
  readonly mcpServer?: string;
  /** The reasoning effort that was asked for, in the provider's word. */
  readonly effort?: string;
}

/** One API call. What the model saw is the first `length` blocks of the context number `context`, in wire order. */
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
  /** System prompt and tool schemas are in the context too: nothing the model saw is missing. */
  readonly complete: boolean;
  /** Reported output is known to be too low (Claude Code 2.1.12 – 2.1.50). */
  readonly outputDoubtful?: boolean;
  /** Positions in the context whose block carries a cache breakpoint (`cache_control`), ascending. */
  readonly breakpoints?: readonly number[];
  /** What the provider says about its cache, where it was asked. */
  readonly diagnosis?: CacheDiagnosis;
  readonly attribution?: Attribution;
  /** The session was resumed before it, by a new process of the agent. */
  readonly resumed?: boolean;
  /** The context window that the request had, where the transcript says it. */
  readonly window?: RecordedWindow;
  /** The body that was sent, where the transcript has it. */
  readonly body?: RecordedBody;
  readonly line: number;
}

/** A point where the agent replaced history by a summary, or cleared tool results (`clearing`). */
export interface Compaction {
  readonly kind: 'compaction' | 'clearing';
  /** The first request after it, an index into `Transcript.requests`; equal to their number if none followed. */
  readonly request: number;
  readonly thread: number;
  readonly trigger?: string;
  readonly tokensBefore?: number;
  readonly tokensAfter?: number;
  /** For a clearing: how many blocks the rewritten context had right away. */
  readonly contextLength?: number;
  readonly line: number;
}

/** A child agent whose tokens are its own. */
export interface Subagent {
  readonly id: string;
  /** Its thread in this file, where it was recorded here. */
  readonly thread?: number;
  /** The call that started it. */
  readonly callId?: string;
  readonly description?: string;
  /** Its total usage according to the parent's record. */
  readonly totalTokens?: number;
}

/** Something that could not be read or understood as expected; the rest of the file could. */
export const problemKinds = [
  'unparsableLine',
  'gluedLine',
  'truncatedLastLine',
  'unknownRecord',
  'malformedRecord',
  'duplicateRecord',
  'resultWithoutCall',
  'missingRequestContent',
  'cutText',
  'impossibleCount',
  'noRequests',
] as const;
export type ProblemKind = (typeof problemKinds)[number];

/** Problems of one kind: how many, and the line of the first. */
export interface Problem {
  readonly kind: ProblemKind;
  readonly line: number;
  readonly count: number;
}

/** Records that the model never saw, by the reason why they are not blocks. */
export interface LeftOut {
  readonly reason: string;
  readonly line: number;
  readonly count: number;
}

/** Kinds of records that the reader of a format does not know, so that nothing of them is shown. */
export interface Drift {
  /** The writer's version and the newest one that the reader was checked with, if the writer is newer. */
  readonly version?: string;
  readonly checked?: string;
  readonly kinds: readonly { readonly name: string; readonly count: number }[];
}

/** What a text of a client is made of: files of instructions, and its lists of skills and of agents. */
export const textPartKinds = ['memory', 'skill', 'agent'] as const;
export type TextPartKind = (typeof textPartKinds)[number];

/** A part of a block's text that has a name. `start` and `end` are offsets in UTF-16 units. */
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

/** The same as the transcript has it. */
export interface RecordedConversation extends Conversation {
  /** Where it is a session of its agent, in a store that holds many. `subagents` are the threads of those that it started. */
  readonly session?: {
    readonly id: string;
    readonly workingDirectory?: string;
    readonly subagents: readonly number[];
  };
}

/** A format in which a file can be read at the user's wish. */
export interface FormatChoice {
  readonly id: string;
  readonly name: string;
  /** The beginning of the file looks like it. */
  readonly fits: boolean;
}

/** A transcript as its format's adapter understood it. */
export interface Transcript {
  readonly format: string;
  readonly agent: { readonly name: string; readonly versions: readonly string[] };
  readonly title?: string;
  readonly sessionId?: string;
  readonly workingDirectory?: string;
  readonly blocks: BlockList;
  readonly messages: readonly TranscriptMessage[];
  /** Each context is a list of block numbers in wire order, only ever appended to; requests are prefixes of one. */
  readonly contexts: readonly (readonly number[])[];
  readonly requests: readonly RecordedRequest[];
  readonly compactions: readonly Compaction[];
  readonly subagents: readonly Subagent[];
  /** All conversations, where the file holds several (fine-tuning sets, captures, evaluation logs); empty otherwise. */
  readonly conversations: readonly RecordedConversation[];
  /** By block in ascending order, and by their place in it. */
  readonly parts: readonly TextPart[];
  readonly problems: readonly Problem[];
  readonly leftOut: readonly LeftOut[];
  /** Absent if all kinds of records are known. */
  readonly drift?: Drift;
  /** The other formats, for a file without requests. */
  readonly otherFormats?: readonly FormatChoice[];
  /** Length of what was read, in bytes, up to the end of the last complete record. */
  readonly bytesRead: number;
}
