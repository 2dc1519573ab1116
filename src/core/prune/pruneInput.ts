/** One message of a transcript as a rule set sees it; messages are in chronological order. */
export interface PruneMessage {
  readonly role: 'user' | 'assistant';
  /** Whether this assistant message is a compaction summary. */
  readonly summary: boolean;
  /** The results of the tool calls of an assistant message, in the order of the calls. Empty for a user message. */
  readonly results: readonly PruneResult[];
}

/** The outcome of one tool call. Sizes are those of the output alone: without the call and its arguments. */
export interface PruneResult {
  /** Number of the block. */
  readonly block: number;
  readonly tool: string;
  /** Equal for calls with equal arguments; empty where the call is not on record. */
  readonly callHash: string;
  /** Equal for equal outputs. */
  readonly contentHash: string;
  /** The file or folder that the call names, empty where it names none. */
  readonly path: string;
  /** `pending` stands for every state in which there is no output yet. */
  readonly status: 'completed' | 'pending' | 'error';
  /** Whether an earlier prune has already put a notice in the place of the output. */
  readonly alreadyPruned: boolean;
  /** Whether the tool said that its output tells nothing (oh-my-pi: no match, an elapsed wait). */
  readonly useless: boolean;
  readonly tokens: number;
  /** UTF-16 units of the text. */
  readonly characters: number;
  /** UTF-8 bytes of the text. */
  readonly bytes: number;
  readonly imageCount: number;
  /** Ordinal of the message in which the result was sent. */
  readonly resultMessage: number;
  /** Tokens and UTF-8 bytes of everything in the messages up to the end of this result. */
  readonly endTokens: number;
  readonly endBytes: number;
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

/** All results, oldest first. */
export function allResults(messages: readonly PruneMessage[]): readonly PruneResult[] {
  const results: PruneResult[] = [];
  for (const message of messages) {
    for (const result of message.results) {
      results.push(result);
    }
  }
  return results;
}
