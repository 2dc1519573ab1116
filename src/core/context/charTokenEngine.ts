import { countCodePoints, takeCodePoints } from '../base/unicodeText';
import type { ContentPart, Message } from '../model/contextPartitions';

/** Counts and cuts texts and messages, in tokens (deepstrike-core 0.2.34, context/token_engine.rs). */
export interface ContextTokenEngine {
  count(text: string): number;
  /** The longest prefix of `text` that has at most `maxTokens` tokens. */
  truncate(text: string, maxTokens: number): string;
  /** Content only: tool calls are not counted. */
  countMessage(message: Message): number;
  /** Cuts a message whose content is one string, and says so at its end; content in parts is never cut. */
  truncateMessage(message: Message, maxTokens: number): Message;
}

const codePointsPerToken = 4;

/** Takes four code points for a token. Every text costs at least one token, even the empty one. */
export const charTokenEngine: ContextTokenEngine = {
  count,
  truncate,
  countMessage: message =>
    typeof message.content === 'string'
      ? count(message.content)
      : message.content.reduce((sum, part) => sum + countPart(part), 0),
  truncateMessage(message, maxTokens) {
    if (typeof message.content !== 'string') {
      return message;
    }
    const kept = truncate(message.content, maxTokens);
    return kept === message.content
      ? message
      : { ...message, content: `${kept}… [truncated]`, tokenCount: maxTokens };
  },
};

function count(text: string): number {
  return Math.max(1, Math.floor(countCodePoints(text) / codePointsPerToken));
}

function truncate(text: string, maxTokens: number): string {
  return takeCodePoints(text, maxTokens * codePointsPerToken);
}

function countPart(part: ContentPart): number {
  switch (part.type) {
    case 'text':
      return count(part.text);
    case 'tool_result':
      return count(part.output);
    case 'image':
      return 1;
    case 'audio':
      return count(part.data);
  }
}
