import type { ContextBackend, ContextBackendResponse, ContextMessage } from '../core/model/contextBackend';
import type { Conversation, ConversationTurn } from '../core/model/conversation';

/** A context in the zones of agent-context 0.1.0. It is immutable: every change returns a new one. */
export interface ContextZones<Message> {
  /** Set when the context is created, never changed. */
  readonly immutable: readonly Message[];
  /** Summaries of earlier messages of `incremental`. */
  readonly compressed: readonly Message[];
  /** The live conversation. */
  readonly incremental: readonly Message[];
  /** Messages of one call. They come last and are never kept or exported. */
  readonly scratch: readonly Message[];
}

/** The turns of a conversation in zones. Its system prompt never changes. */
export function conversationZones({ system, turns }: Conversation): ContextZones<ConversationTurn> {
  return {
    immutable: system.length === 0 ? [] : [{ role: 'system', parts: system }],
    compressed: turns.filter(({ zone }) => zone === 'compressed'),
    incremental: turns.filter(({ zone }) => zone === undefined),
    scratch: turns.filter(({ zone }) => zone === 'scratch'),
  };
}

/** All messages in the order in which they are sent. */
export function requestOf<Message>(zones: ContextZones<Message>): readonly Message[] {
  return [...zones.immutable, ...zones.compressed, ...zones.incremental, ...zones.scratch];
}

/** All messages that are kept as JSONL, one per line, in the order in which they are sent. */
export function zonesToJsonl<
  Message extends ContextMessage<Message>,
  Response extends ContextBackendResponse,
>(backend: ContextBackend<Message, Response>, zones: ContextZones<Message>): string {
  return requestOf({ ...zones, scratch: [] })
    .map(message => `${backend.messageToJsonl(message)}\n`)
    .join('');
}

/** The messages that a summary replaces, and those that stay. */
interface Split<Message> {
  readonly older: readonly Message[];
  readonly kept: readonly Message[];
}

/**
 * Splits the live conversation before its newest messages. A result is kept together with its call, and a reply as a
 * whole, because some APIs have a message for each of its calls. So more messages may be kept than requested.
 * @param keep minimum number of kept messages
 */
export function splitLive<Message extends ContextMessage<Message> & { readonly hasResult: () => boolean }>(
  { incremental }: ContextZones<Message>,
  keep: number,
): Split<Message> {
  const isReply = (at: number): boolean => incremental[at]?.role() === 'assistant';
  let start = Math.max(0, incremental.length - Math.max(0, keep));
  while (start > 0 && (incremental[start]?.hasResult() === true || (isReply(start) && isReply(start - 1)))) {
    start -= 1;
  }
  return { older: incremental.slice(0, start), kept: incremental.slice(start) };
}

/**
 * Keeps the newest messages of the live conversation and adds a summary of the older ones to the earlier summaries, as
 * a system message. Returns the same zones if nothing is older.
 * @param summarise asks the model; receives all older messages, as a request
 */
export async function compressZones<
  Message extends ContextMessage<Message> & { readonly hasResult: () => boolean },
  Response extends ContextBackendResponse,
>(
  backend: ContextBackend<Message, Response>,
  zones: ContextZones<Message>,
  keep: number,
  summarise: (older: readonly Message[]) => Promise<Message>,
): Promise<ContextZones<Message>> {
  const { older, kept } = splitLive(zones, keep);
  if (older.length === 0) {
    return zones;
  }
  const summary = await summarise(
    backend.toRequestMessages([...zones.immutable, ...zones.compressed, ...older]),
  );
  return {
    ...zones,
    compressed: [...zones.compressed, backend.toSystemMessage(summary.withoutReasoning())],
    incremental: kept,
  };
}
