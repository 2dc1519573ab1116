import { translate } from '../core/base/translate';
import {
  AgentError,
  type ContextBackend,
  type ContextBackendResponse,
  type ContextMessage,
} from '../core/model/contextBackend';
import type { Conversation, ConversationTurn } from '../core/model/conversation';
import type { PromptRole } from '../core/model/labels';

/**
 * A context in the zones of agent-context 0.1.0. It is immutable: every change returns a new one. The scratch messages of
 * a call are not part of it, so they are never kept or exported; they are passed to `requestOf`.
 */
export interface ContextZones<Message> {
  /** Set when the context is created, never changed. */
  readonly immutable: readonly Message[];
  /** Summaries of earlier messages of `incremental`. */
  readonly compressed: readonly Message[];
  /** The live conversation; indices of changes count here, from 0. */
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

export function appendMessages<Message>(
  zones: ContextZones<Message>,
  ...messages: readonly Message[]
): ContextZones<Message> {
  return { ...zones, incremental: [...zones.incremental, ...messages] };
}

/** @throws AgentError if there is no message at the index. */
export function updateMessage<Message>(
  zones: ContextZones<Message>,
  index: number,
  message: Message,
): ContextZones<Message> {
  checkIndex(index, zones.incremental.length);
  return { ...zones, incremental: zones.incremental.with(index, message) };
}

/**
 * Inserts before the message at the index. The index after the last message appends.
 * @throws AgentError if the index is larger.
 */
export function insertMessage<Message>(
  zones: ContextZones<Message>,
  index: number,
  message: Message,
): ContextZones<Message> {
  checkIndex(index, zones.incremental.length + 1);
  return { ...zones, incremental: zones.incremental.toSpliced(index, 0, message) };
}

/** @throws AgentError if there is no message at the index. */
export function removeMessage<Message>(zones: ContextZones<Message>, index: number): ContextZones<Message> {
  checkIndex(index, zones.incremental.length);
  return { ...zones, incremental: zones.incremental.toSpliced(index, 1) };
}

/** Removes the last message, if there is one. */
export function popMessage<Message>(zones: ContextZones<Message>): ContextZones<Message> {
  return { ...zones, incremental: zones.incremental.slice(0, -1) };
}

/** Keeps only the messages of one role. */
export function retainRole<Message extends ContextMessage<Message>>(
  zones: ContextZones<Message>,
  role: PromptRole,
): ContextZones<Message> {
  return { ...zones, incremental: zones.incremental.filter(message => message.role() === role) };
}

/** Empties the live conversation; what is immutable or compressed stays. */
export function clearMessages<Message>(zones: ContextZones<Message>): ContextZones<Message> {
  return { ...zones, incremental: [] };
}

function checkIndex(index: number, length: number): void {
  if (!Number.isInteger(index) || index < 0 || index >= length) {
    throw new AgentError('context', translate('There is no message {0}.', index));
  }
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

/**
 * Keeps the newest messages of the live conversation and adds a summary of the older ones to the earlier summaries, as a
 * system message. A result is kept together with its call, so more messages may be kept than asked for.
 * @param keep how many messages stay
 * @param summarise asks the model; receives the older messages as a request
 */
export async function compressZones<
  Message extends ContextMessage<Message>,
  Response extends ContextBackendResponse,
>(
  backend: ContextBackend<Message, Response>,
  zones: ContextZones<Message>,
  keep: number,
  summarise: (older: readonly Message[]) => Promise<Message>,
): Promise<ContextZones<Message>> {
  const { incremental } = zones;
  let start = Math.max(0, incremental.length - Math.max(0, keep));
  while (start > 0 && incremental[start]?.role() === 'tool') {
    start -= 1;
  }
  const older = incremental.slice(0, start);
  if (older.length === 0) {
    return zones;
  }
  const summary = await summarise(
    backend.toRequestMessages([...zones.immutable, ...zones.compressed, ...older]),
  );
  return {
    ...zones,
    compressed: [...zones.compressed, backend.toSystemMessage(summary.withoutReasoning())],
    incremental: incremental.slice(start),
  };
}
