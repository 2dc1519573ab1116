import { isObject, objectAt } from '../base/json';
import { derivedValue, streamKindOf } from './derivedValue';
import type { KnownCalls } from '../content/knownCalls';
import { decodedPlace, type Place } from '../content/place';
import type { DerivedKind } from '../model/block';
import type { RecordedUsage } from '../model/transcript';
import { readUsage } from './usage';
import type { WireRequest, WireResponse } from './body';
import {
  isAnthropicBody,
  isAnthropicResponse,
  readAnthropicRequest,
  readAnthropicResponse,
} from './anthropic/bodies';
import { isChatBody, isChatResponse, readChatRequest, readChatResponse } from './openaiChat/bodies';
import { isGeminiBody, isGeminiResponse, readGeminiRequest, readGeminiResponse } from './gemini/bodies';
import {
  isResponsesBody,
  isResponsesResponse,
  readResponsesRequest,
  readResponsesResponse,
} from './openaiResponses/bodies';

/** A decoded body and its place. */
export interface OpenBody {
  readonly body: unknown;
  readonly place: Place;
}

type Reader<Read> = readonly [
  is: (body: unknown) => boolean,
  read: (body: unknown, place: Place, calls: KnownCalls) => Read,
];

/** The readers of bodies, in the order in which they are tried; each recognises a body by its members. */
const requestReaders: readonly Reader<WireRequest>[] = [
  [isAnthropicBody, readAnthropicRequest],
  [isChatBody, readChatRequest],
  [isGeminiBody, readGeminiRequest],
  [isResponsesBody, readResponsesRequest],
];
const responseReaders: readonly Reader<WireResponse>[] = [
  [isAnthropicResponse, readAnthropicResponse],
  [isChatResponse, readChatResponse],
  [isResponsesResponse, readResponsesResponse],
  [isGeminiResponse, readGeminiResponse],
];

function readerOf<Read>(readers: readonly Reader<Read>[], body: unknown): Reader<Read> | undefined {
  return isObject(body) ? readers.find(([is]) => is(body)) : undefined;
}

export function isRequest(body: unknown): boolean {
  return readerOf(requestReaders, body) !== undefined;
}

export function isResponse(body: unknown): boolean {
  return readerOf(responseReaders, body) !== undefined;
}

/** Reads the body of a request in any of the dialects; returns `undefined` for anything else. */
export function readRequest({ body, place }: OpenBody, calls: KnownCalls): WireRequest | undefined {
  return readerOf(requestReaders, body)?.[1](body, place, calls);
}

/** Reads the body of a response in any of the dialects; returns `undefined` for anything else. */
export function readResponse({ body, place }: OpenBody, calls: KnownCalls): WireResponse | undefined {
  return readerOf(responseReaders, body)?.[1](body, place, calls);
}

/**
 * A body as it was recorded: itself, or in a string as JSON or as an event stream. `isBase64`: that string is also
 * encoded in base64.
 */
export function openBody(recorded: unknown, place: Place, isBase64 = false): OpenBody {
  if (typeof recorded !== 'string' || recorded === '') {
    return { body: recorded, place };
  }
  const via: DerivedKind | undefined = isBase64
    ? 'base64Body'
    : /^\s*[[{]/.test(recorded)
      ? 'json'
      : streamKindOf(recorded);
  return via === undefined
    ? { body: undefined, place }
    : { body: derivedValue(via, recorded), place: decodedPlace(place, via) };
}

/** Usage in any of the providers' forms. */
export function readAnyUsage(usage: unknown): RecordedUsage | undefined {
  const isResponses = objectAt(usage, 'input_tokens_details') !== undefined;
  return (
    readUsage(usage, isResponses ? 'responses' : 'anthropic') ??
    readUsage(usage, 'openaiChat') ??
    readUsage(usage, 'gemini')
  );
}
