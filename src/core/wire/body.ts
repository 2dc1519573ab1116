import type { KnownCalls } from '../content/knownCalls';
import type { Place } from '../content/place';
import type { CacheDiagnosis } from '../model/cacheDiagnosis';
import type { RecordedBody, RecordedUsage } from '../model/transcript';
import type { ReadMessage } from './generic/blocks';

/** A message as it went over the wire. */
export interface WireMessage extends ReadMessage {
  /** Indices of the blocks that carry a cache breakpoint. */
  readonly marked?: readonly number[];
  /** True for system prompt or tools, which come before the conversation. */
  readonly isHead?: boolean;
}

/** The body of a request, in wire order: tools and system prompt, then the conversation. */
export interface WireRequest {
  readonly api: string;
  readonly messages: readonly WireMessage[];
  /** True if everything that the model saw is recorded. */
  readonly complete: boolean;
  readonly model?: string | undefined;
  /** The id of the response that the provider stored and puts before these messages. */
  readonly previousResponse?: string | undefined;
  /** The body, if it is recorded. */
  readonly body?: RecordedBody | undefined;
}

/** The body of a response, streamed or not. */
export interface WireResponse {
  readonly api: string;
  readonly messages: readonly WireMessage[];
  readonly id?: string | undefined;
  readonly model?: string | undefined;
  readonly usage?: RecordedUsage | undefined;
  readonly diagnosis?: CacheDiagnosis | undefined;
  /** Milliseconds since 1970. */
  readonly timestamp?: number | undefined;
}

/** Reads the bodies of one API, and recognises them by their members. */
export interface BodyReading {
  isRequest(this: void, body: unknown): boolean;
  readRequest(this: void, body: unknown, place: Place, calls: KnownCalls): WireRequest;
  isResponse(this: void, body: unknown): boolean;
  readResponse(this: void, body: unknown, place: Place, calls: KnownCalls): WireResponse;
}
