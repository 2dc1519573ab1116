import type { BlockList } from './blockList';
import type { BlockContentType, PartitionName, PromptRole, ProvenanceLabel } from './labels';

/** Where a record or a value stands in the transcript file. `line` is 1-based; `offset` and `length` are bytes. */
export interface SourceRange {
  readonly line: number;
  readonly offset: number;
  readonly length: number;
}

/** Keys and indices that lead from a parsed JSON record to one value in it. */
export type ValuePath = readonly (string | number)[];

/**
 * Where a block's exact original text is. Texts stay in the file; they are read on demand, so that a transcript costs
 * memory by its number of blocks and not by its size.
 * - `string`: the string at `path`, or its UTF-16 range `start`..`end`
 * - `json`: the value at `path` as compact JSON (a tool call, a tool schema)
 * - `parts`: the `text` members of the content list at `path`, joined by a newline
 * - `joined`: the texts of the parts, one after the other (a reply that was recorded in deltas)
 * - `derived`: the string at `path`, decoded (`via`, see formats/derivedValue.ts), and in what comes out the value at `inner`,
 *   a string as it is and anything else as compact JSON; `start`..`end` is a range of that string, and `readAs` says that a
 *   string too is meant as JSON, or that a content list is meant as its `parts`
 * - `literal`: text that the agent put in the place of recorded text, e.g. the notice for a cleared tool result
 */
export type TextReference =
  | {
      readonly kind: 'string';
      readonly record: SourceRange;
      readonly path: ValuePath;
      readonly start?: number;
      readonly end?: number;
    }
  | { readonly kind: 'json'; readonly record: SourceRange; readonly path: ValuePath }
  | { readonly kind: 'parts'; readonly record: SourceRange; readonly path: ValuePath }
  | { readonly kind: 'joined'; readonly parts: readonly TextReference[] }
  | {
      readonly kind: 'derived';
      readonly record: SourceRange;
      readonly path: ValuePath;
      readonly via: DerivedKind;
      readonly inner: ValuePath;
      readonly start?: number;
      readonly end?: number;
      readonly readAs?: 'json' | 'parts';
    }
  | { readonly kind: 'literal'; readonly text: string };

/** How a recorded string is decoded before a block's text is found in it. */
export const derivedKinds = [
  'json',
  'anthropicStream',
  'openaiStream',
  'responsesStream',
  'geminiStream',
  'base64Body',
  'clineResult',
] as const;
export type DerivedKind = (typeof derivedKinds)[number];

/** What a block is, in the words of the interface; finer than BlockContentType, which is the Prompt IR's. */
export const blockKinds = [
  'systemPrompt',
  'toolSchema',
  'prompt',
  'injected',
  'assistant',
  'thinking',
  'toolCall',
  'toolResult',
  'image',
  'summary',
  'structuredOutput',
  'other',
] as const;
export type BlockKind = (typeof blockKinds)[number];

/** Sizes of a block's text: UTF-16 units and UTF-8 bytes. For an image `bytes` is the size of its encoded data and `characters` 0. */
export interface TextSize {
  readonly characters: number;
  readonly bytes: number;
}

/** One piece of content as the model saw it, and where it came from. Its number is its index in `Transcript.blocks`. */
export interface Block {
  readonly role: PromptRole;
  readonly contentType: BlockContentType;
  readonly kind: BlockKind;
  readonly provenance: ProvenanceLabel;
  readonly partition: PartitionName;
  /** A few words for the drawing: tool and object of a call, the first words of a text. */
  readonly label: string;
  readonly text: TextReference;
  readonly size: TextSize;
  /** 16 hex digits over the exact text, the role, the kind and a call’s tool: equal hash means the same content again. */
  readonly contentHash: string;
  readonly source: SourceRange;
  /** Index into `Transcript.messages`. */
  readonly message: number;
  readonly toolName?: string | undefined;
  /** The transcript's own id of the call that this block is, or that it answers. */
  readonly callId?: string | undefined;
  /** A path outside the transcript that the content was read from, as the transcript names it. */
  readonly path?: string | undefined;
  readonly isError?: boolean | undefined;
  /** The content was taken out by the agent and stands here only as a notice. */
  readonly cleared?: boolean | undefined;
  /** The tool flagged its result as one that tells nothing. */
  readonly useless?: boolean | undefined;
  /** Bytes and, where readable from its header, the pixel size of an image. */
  readonly image?:
    { readonly width?: number; readonly height?: number; readonly mediaType?: string } | undefined;
}

/** A message of the conversation: one user or tool message, or one reply of the model, with all its blocks. */
export interface TranscriptMessage {
  readonly role: PromptRole;
  /** The transcript's own id: message id, line uuid. */
  readonly id?: string;
  /** Milliseconds since 1970. */
  readonly timestamp?: number;
  /** The message is the summary that a compaction put in the place of what it dropped. */
  readonly summary?: boolean;
}

/** Tokens that the provider reported for one request, in one convention: the three input parts add up to the whole input. */
export interface RecordedUsage {
  readonly input: number;
  readonly cacheRead: number;
  readonly cacheWrite: number;
  readonly output: number;
  /** Part of `output` where the provider tells it apart. */
  readonly reasoning?: number;
  /** How long the provider was asked to keep what this request wrote, in seconds, where recorded. */
  readonly cacheLifetime?: number;
  /** Part of `cacheWrite` that was written for an hour, where the request wrote for shorter as well. */
  readonly cacheWriteHour?: number;
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
  /** System prompt and tool schemas stand in the context too: nothing the model saw is missing. */
  readonly complete: boolean;
  /** Reported output is known to be too low (Claude Code 2.1.12 – 2.1.50). */
  readonly outputDoubtful?: boolean;
  /** Positions in the context whose block carries a cache breakpoint (`cache_control`), ascending. */
  readonly breakpoints?: readonly number[];
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
  /** For a clearing: how many blocks the rewritten context had at once. */
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
  /** What the parent's record says that it used in all. */
  readonly totalTokens?: number;
}

/** Something that could not be read or understood as expected; the rest of the file was. */
export const problemKinds = [
  'unparsableLine',
  'gluedLine',
  'truncatedLastLine',
  'unknownRecord',
  'malformedRecord',
  'duplicateRecord',
  'resultWithoutCall',
  'missingRequestContent',
] as const;
export type ProblemKind = (typeof problemKinds)[number];

/** Problems of one kind: how many, and the line of the first. */
export interface Problem {
  readonly kind: ProblemKind;
  readonly line: number;
  readonly count: number;
}

/** Records that the model never saw, by the reason why they are no block. */
export interface LeftOut {
  readonly reason: string;
  readonly line: number;
  readonly count: number;
}

/** One of several conversations in a file that have nothing to do with each other; its requests are those of `thread`. */
export interface Conversation {
  readonly thread: number;
  readonly title: string;
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
  readonly conversations: readonly Conversation[];
  readonly problems: readonly Problem[];
  readonly leftOut: readonly LeftOut[];
  /** Length of what was read, in bytes, up to the end of the last complete record. */
  readonly bytesRead: number;
}
