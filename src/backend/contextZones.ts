import type { ContextBackend, ContextBackendResponse, ContextMessage } from '../core/model/contextBackend';
import type { Conversation, ConversationTurn } from '../core/model/conversation';

/**
 * A context in the zones of agent-context 0.1.0. The scratch messages of a call are not part of it, so they are never
 * kept or exported; they are passed to `requestOf`.
 */
export interface ContextZones<Message> {
  /** Set when the context is created, never changed. */
  readonly immutable: readonly Message[];
  /** Summaries of what stood in `incremental` before. */
  readonly compressed: readonly Message[];
  /** The live conversation. */
  readonly incremental: readonly Message[];
}

export function createZones<Message>(immutable: readonly Message[] = []): ContextZones<Message> {
  return { immutable: [...immutable], compressed: [], incremental: [] };
}

/** The turns of a conversation in zones: its system prompt, the summaries that it begins with, and the rest. */
export function conversationZones({
  system,
  turns,
  summaries = [],
}: Conversation): ContextZones<ConversationTurn> {
  const isSummary = ({ parts }: ConversationTurn): boolean =>
    parts.every(({ blocks }) => blocks.length > 0 && blocks.every(block => summaries.includes(block)));
  const first = turns.findIndex(turn => !isSummary(turn));
  const live = first < 0 ? turns.length : first;
  return {
    ...createZones(system.length === 0 ? [] : [{ role: 'system', parts: system }]),
    compressed: turns.slice(0, live),
    incremental: turns.slice(live),
  };
}

/** The conversation followed by a question that is asked only this once. */
export function withQuestion(conversation: Conversation, question: string): Conversation {
  const scratch: ConversationTurn = { role: 'user', parts: [{ kind: 'text', text: question, blocks: [] }] };
  const zones = { ...conversationZones(conversation), immutable: [] };
  return { ...conversation, turns: requestOf(zones, [scratch]) };
}

/** All messages in the order in which they are sent; the scratch messages of this call come last. */
export function requestOf<Message>(
  { immutable, compressed, incremental }: ContextZones<Message>,
  scratch: readonly Message[] = [],
): readonly Message[] {
  return [...immutable, ...compressed, ...incremental, ...scratch];
}

/** All stored messages as JSONL, one per line, in the order in which they are sent. */
export function zonesToJsonl<
  Message extends ContextMessage<Message>,
  Response extends ContextBackendResponse,
>(backend: ContextBackend<Message, Response>, zones: ContextZones<Message>): string {
  return requestOf(zones)
    .map(message => `${backend.messageToJsonl(message)}\n`)
    .join('');
}
