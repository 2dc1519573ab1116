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
  /** `pending` stands for every state in which there is no output yet. */
  readonly status: 'completed' | 'pending' | 'error';
  /** Whether an earlier prune has already put a notice in the place of the output. */
  readonly alreadyPruned: boolean;
  readonly tokens: number;
  /** UTF-16 units of the text. */
  readonly characters: number;
  /** UTF-8 bytes of the text. */
  readonly bytes: number;
  readonly imageCount: number;
  /** Ordinal of the message in which the result was sent. */
  readonly resultMessage: number;
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
