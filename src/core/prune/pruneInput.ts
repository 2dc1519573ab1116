import type { Columns } from '../base/typedColumns';
import type { TextList } from '../model/textTable';

/** Bits of a result's `flags`. `pending` stands for every state in which there is no output yet. */
export const resultFlags = {
  pending: 1,
  error: 2,
  /** An earlier prune has already replaced the output by a notice. */
  alreadyPruned: 4,
  /** The tool flagged its output as useless (oh-my-pi: no match, an elapsed wait). */
  useless: 8,
} as const;

/** Roles of messages; a `summary` is an assistant message that a compaction left. */
export const messageRoles = { assistant: 0, user: 1, summary: 2 } as const;

/** The outcomes of tool calls, one row each. Sizes are those of the output alone, without the call and its arguments. */
export const resultTypes = {
  /** Number of the block. */
  block: 'int32',
  /** Index into `toolNames`. */
  tool: 'int32',
  /** Bits of `resultFlags`. */
  flags: 'int32',
  /** Equal for calls with equal arguments; 0 if the call is not recorded. */
  callHash: 'int32',
  /** Equal for equal outputs. */
  contentHash: 'int32',
  /** The file or folder that the call names, as an index into `paths`; 0 if it names none. */
  path: 'int32',
  tokens: 'float64',
  /** UTF-16 units of the text. */
  characters: 'float64',
  /** UTF-8 bytes of the text. */
  bytes: 'float64',
  imageCount: 'float64',
  /** Ordinal of the message in which the result was sent. */
  resultMessage: 'float64',
  /** Tokens and UTF-8 bytes of everything in the messages up to the end of this result. */
  endTokens: 'float64',
  endBytes: 'float64',
} as const;

/**
 * The columns of a conversation for the rule sets: results and messages in chronological order. The columns may be
 * longer than the counts.
 */
export interface PruneHistory {
  /** Number of results. */
  readonly count: number;
  readonly results: Columns<typeof resultTypes>;
  readonly messageCount: number;
  /** The role of each message, of `messageRoles`. */
  readonly roles: ArrayLike<number>;
  /** The first result of each message: those of assistant messages, in the order of the calls. */
  readonly firstResults: ArrayLike<number>;
  readonly toolNames: readonly string[];
  readonly paths: TextList;
}

/** The situation of a request, besides its results. A rule does not apply if its member is absent. */
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

/** For each tool of a history, 1 if it is one of the named ones. */
export function toolsAmong({ toolNames }: PruneHistory, names: readonly string[]): Uint8Array {
  return Uint8Array.from(toolNames, tool => (names.includes(tool) ? 1 : 0));
}
