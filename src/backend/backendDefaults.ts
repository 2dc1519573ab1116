import {
  AgentError,
  type ClassifiedChunk,
  type ContextBackend,
  type ContextBackendResponse,
  type ContextMessage,
  type StreamEvent,
} from '../core/model/contextBackend';
import { isRecord } from '../core/model/jsonValue';

/** A JSON object as a provider wrote it; nothing in it is known before it is looked at. */
export type NativeJson = Readonly<Record<string, unknown>>;

/** Counts the tokens of a text; may ask a service. */
export type CountTokens = (text: string) => Promise<number>;

/** The methods of a backend that are the same for every provider (agent-context 0.1.0, provided methods). */
export abstract class BackendDefaults<
  Message extends ContextMessage<Message>,
  Response extends ContextBackendResponse,
> {
  toSystemMessage(message: Message): Message {
    return message.withRole('system');
  }

  toRequestMessages(messages: readonly Message[]): readonly Message[] {
    return messages.map(message => (message.preserveReasoning() ? message : message.withoutReasoning()));
  }

  classifyChunk(response: Response, sawThinking: boolean): ClassifiedChunk<Response> {
    const events: StreamEvent<Response>[] = [];
    let thinking = sawThinking;
    if (response.reasoningContent() !== undefined) {
      events.push({ kind: 'thinking', response });
      thinking = true;
    }
    if (response.content() !== undefined) {
      events.push({ kind: thinking ? 'contentFirst' : 'content', response });
      thinking = false;
    }
    return { events, sawThinking: thinking };
  }
}

/** Whether the messages fill the model's window; counted in tokens, without room for an answer. */
export async function isFull<
  Message extends ContextMessage<Message>,
  Response extends ContextBackendResponse,
>(backend: ContextBackend<Message, Response>, messages: readonly Message[]): Promise<boolean> {
  return (await backend.estimateTokens(messages)) >= backend.contextWindow();
}

/** Sum over the texts, in tokens. */
export async function countTexts(texts: readonly string[], countTokens: CountTokens): Promise<number> {
  const counts = await Promise.all(texts.map(countTokens));
  return counts.reduce((sum, count) => sum + count, 0);
}

/**
 * Reads one line of JSONL as an object.
 * @throws AgentError if it is not one.
 */
export function parseNative(line: string): NativeJson {
  let value: unknown;
  try {
    value = JSON.parse(line);
  } catch {
    throw new AgentError('context', 'The line is not JSON.');
  }
  if (!isRecord(value)) {
    throw new AgentError('context', 'The line is not a JSON object.');
  }
  return value;
}

/** The objects of a list; other things in it are passed over, and what is not a list has none. */
export function nativeList(value: unknown): readonly NativeJson[] {
  return Array.isArray(value) ? value.filter(isRecord) : [];
}

/** A string member; missing, null and anything else are `undefined`, an empty string is itself. */
export function stringMember(json: NativeJson, name: string): string | undefined {
  const value = json[name];
  return typeof value === 'string' ? value : undefined;
}

export function recordMember(json: NativeJson, name: string): NativeJson | undefined {
  const value = json[name];
  return isRecord(value) ? value : undefined;
}

/** The message in an error object of the provider, or its JSON. */
export function errorText(error: unknown): string {
  return (isRecord(error) ? stringMember(error, 'message') : undefined) ?? JSON.stringify(error);
}
