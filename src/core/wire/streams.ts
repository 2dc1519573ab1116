import type { JsonObject } from '../base/json';
import type { DerivedKind } from '../model/block';
import { anthropicMessageOf, isAnthropicEvent } from './anthropic/stream';
import { geminiResponseOf, isGeminiEvent } from './gemini/stream';
import { chatCompletionOf, isChatEvent } from './openaiChat/stream';
import { isResponsesEvent, responseOf } from './openaiResponses/stream';

/** Streams of one API. */
interface WireStream {
  isEvent(this: void, event: unknown): boolean;
  /** The response that the events of one stream add up to; `undefined` if they contain none. */
  assemble(this: void, events: readonly unknown[]): JsonObject | undefined;
}

const streams = {
  openaiStream: { isEvent: isChatEvent, assemble: chatCompletionOf },
  responsesStream: { isEvent: isResponsesEvent, assemble: responseOf },
  anthropicStream: { isEvent: isAnthropicEvent, assemble: anthropicMessageOf },
  geminiStream: { isEvent: isGeminiEvent, assemble: geminiResponseOf },
} as const satisfies Partial<Readonly<Record<DerivedKind, WireStream>>>;
export type StreamKind = keyof typeof streams;
const kinds = ['openaiStream', 'responsesStream', 'anthropicStream', 'geminiStream'] as const;

/** The kind of stream of the events, decided by the first event that shows it. */
export function streamKindOfEvents(events: Iterable<unknown>): StreamKind | undefined {
  for (const event of events) {
    const found = kinds.find(kind => streams[kind].isEvent(event));
    if (found !== undefined) {
      return found;
    }
  }
  return undefined;
}

export function assembled(kind: StreamKind, events: readonly unknown[]): JsonObject | undefined {
  return streams[kind].assemble(events);
}
