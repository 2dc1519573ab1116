import type { JsonValue } from '../base/jsonValue';
import type { PromptRole } from './labels';
import { emptyTaskState, type TaskState } from './taskState';

/** A call in an assistant message. `arguments` may be any JSON value. */
export interface ToolCall {
  readonly id: string;
  readonly name: string;
  readonly arguments: JsonValue;
}

/** One piece of a message's content. An image has either a `url` or base64 `data`; audio `data` is base64. */
export type ContentPart =
  | { readonly type: 'text'; readonly text: string }
  | {
      readonly type: 'image';
      readonly url?: string;
      readonly data?: string;
      readonly mediaType?: string;
      readonly detail?: string;
    }
  | { readonly type: 'audio'; readonly data: string; readonly mediaType: string }
  | {
      readonly type: 'tool_result';
      readonly callId: string;
      readonly output: string;
      readonly isError: boolean;
    };

/**
 * A message of the provider-neutral context (deepstrike-core 0.2.34, types/message.rs). `tokenCount` is bookkeeping in
 * tokens that is never sent.
 */
export interface Message {
  readonly role: PromptRole;
  readonly content: string | readonly ContentPart[];
  readonly toolCalls: readonly ToolCall[];
  readonly tokenCount?: number;
}

export function userMessage(text: string): Message {
  return { role: 'user', content: text, toolCalls: [] };
}

/**
 * A list of messages with a token counter. It does not count tokens itself: the caller passes the cost of each message.
 */
export class Partition {
  readonly #messages: Message[] = [];
  #tokenCount = 0;

  get messages(): readonly Message[] {
    return this.#messages;
  }

  /** Tokens of all messages pushed. */
  get tokenCount(): number {
    return this.#tokenCount;
  }

  /** Number of messages. */
  get length(): number {
    return this.#messages.length;
  }

  get isEmpty(): boolean {
    return this.#messages.length === 0;
  }

  /** Appends a copy of the message with its cost in tokens. */
  push(message: Message, tokenCount: number): void {
    this.#messages.push({ ...message, tokenCount });
    this.#tokenCount += tokenCount;
  }

  clear(): void {
    this.#messages.length = 0;
    this.#tokenCount = 0;
  }
}

/**
 * A context by meaning: the agent's identity (`system`), its knowledge (`knowledge`), its current work (`taskState` and
 * `signals`), and its past (`history`).
 */
export interface ContextPartitions {
  readonly system: Partition;
  readonly knowledge: Partition;
  readonly taskState: TaskState;
  /** Events for only the next request: interrupts, rollback notes. */
  readonly signals: readonly string[];
  readonly history: Partition;
}

export function createContextPartitions(
  taskState: TaskState = emptyTaskState,
  signals: readonly string[] = [],
): ContextPartitions {
  return {
    system: new Partition(),
    knowledge: new Partition(),
    taskState,
    signals,
    history: new Partition(),
  };
}

/**
 * Drops the first `delivered` signals once the request that carried them has been answered. Rendering itself drops
 * nothing, so that a request can be repeated and signals that arrive in the meantime stay (deepstrike-core 0.2.60).
 */
export function withoutDeliveredSignals(partitions: ContextPartitions, delivered: number): ContextPartitions {
  return { ...partitions, signals: partitions.signals.slice(delivered) };
}
