import type { TextList } from '../model/textTable';
/** Bits of a result's `flags`. `pending` stands for every state in which there is no output yet. */
export const resultFlags = {
  pending: 1,
  error: 2,
  /** An earlier prune has already put a notice in the place of the output. */
  alreadyPruned: 4,
  /** The tool said that its output tells nothing (oh-my-pi: no match, an elapsed wait). */
  useless: 8,
} as const;

/** Roles of messages; a `summary` is an assistant message that a compaction left. */
export const messageRoles = { assistant: 0, user: 1, summary: 2 } as const;

/** The outcomes of tool calls, one row each. Sizes are those of the output alone: without the call and its arguments. */
export interface PruneResults {
  /** Number of the block. */
  readonly block: Int32Array;
  /** Index into `toolNames`. */
  readonly tool: Int32Array;
  /** Bits of `resultFlags`. */
  readonly flags: Int32Array;
  /** Equal for calls with equal arguments; 0 where the call is not on record. */
  readonly callHash: Int32Array;
  /** Equal for equal outputs. */
  readonly contentHash: Int32Array;
  /** The file or folder that the call names, as an index into `paths`; 0 where it names none. */
  readonly path: Int32Array;
  readonly tokens: Float64Array;
  /** UTF-16 units of the text. */
  readonly characters: Float64Array;
  /** UTF-8 bytes of the text. */
  readonly bytes: Float64Array;
  readonly imageCount: Float64Array;
  /** Ordinal of the message in which the result was sent. */
  readonly resultMessage: Float64Array;
  /** Tokens and UTF-8 bytes of everything in the messages up to the end of this result. */
  readonly endTokens: Float64Array;
  readonly endBytes: Float64Array;
}

/**
 * A conversation as the rule sets walk it, as columns: results and messages in chronological order. The columns may be
 * longer than the counts say.
 */
export interface PruneHistory {
  /** Number of results. */
  readonly count: number;
  readonly results: PruneResults;
  readonly messageCount: number;
  /** The role of each message, of `messageRoles`. */
  readonly roles: ArrayLike<number>;
  /** The first result of each message: those of assistant messages, in the order of the calls. */
  readonly firstResults: ArrayLike<number>;
  readonly toolNames: readonly string[];
  readonly paths: TextList;
}

/** What rule sets know of a request besides its results. What a member that is absent decides is not decided. */
export interface PruneSituation {
  /** Tokens and UTF-8 bytes of everything in the messages. */
  readonly endTokens?: number;
  readonly endBytes?: number;
  /** Input tokens of the whole request, system prompt and tools included. */
  readonly inputTokens?: number;
  /** The model's context window, in tokens. */
  readonly window?: number;
  /** Milliseconds since the request before. */
  readonly idle?: number;
}

/** For each tool of a history, 1 where it is one of the named ones. */
export function toolsAmong({ toolNames }: PruneHistory, names: readonly string[]): Uint8Array {
  return Uint8Array.from(toolNames, tool => (names.includes(tool) ? 1 : 0));
}
