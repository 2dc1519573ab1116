import { isObject, objectAt } from '../../base/json';
import { derivedValue, streamKindOf } from '../../content/derivedValue';
import type { KnownCalls } from '../../content/knownCalls';
import { type Place, decodedPlace } from '../../content/place';
import type { DerivedKind } from '../../model/block';
import type { RecordedUsage } from '../../model/transcript';
import { readUsage } from '../common/usage';
import type { WireRequest, WireResponse } from './wire';
import {
  isAnthropicBody,
  isAnthropicResponse,
  readAnthropicRequest,
  readAnthropicResponse,
} from './wireAnthropic';
import { isChatBody, isChatResponse, readChatRequest, readChatResponse } from './wireChat';
import { isGeminiBody, isGeminiResponse, readGeminiRequest, readGeminiResponse } from './wireGemini';
import {
  isResponsesBody,
  isResponsesResponse,
  readResponsesRequest,
  readResponsesResponse,
} from './wireResponses';

type ReadRequest = (body: unknown, place: Place, calls: KnownCalls) => WireRequest;
type ReadResponse = (body: unknown, place: Place, calls: KnownCalls) => WireResponse;

/** Who reads a request's body, told by its members. */
export function requestReaderOf(body: unknown): ReadRequest | undefined {
  if (!isObject(body)) {
    return undefined;
  }
  if (isAnthropicBody(body)) {
    return readAnthropicRequest;
  }
  if (isChatBody(body)) {
    return readChatRequest;
  }
  if (isGeminiBody(body)) {
    return readGeminiRequest;
  }
  return isResponsesBody(body) ? readResponsesRequest : undefined;
}

/** Who reads a response's body, told by its members. */
export function responseReaderOf(body: unknown): ReadResponse | undefined {
  if (!isObject(body)) {
    return undefined;
  }
  if (isAnthropicResponse(body)) {
    return readAnthropicResponse;
  }
  if (isChatResponse(body)) {
    return readChatResponse;
  }
  if (isResponsesResponse(body)) {
    return readResponsesResponse;
  }
  return isGeminiResponse(body) ? readGeminiResponse : undefined;
}

/** A body as it was recorded: itself, or in a string as JSON or as a stream of events. `isBase64`: and that encoded. */
export function openBody(
  recorded: unknown,
  place: Place,
  isBase64 = false,
): { readonly body: unknown; readonly place: Place } {
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

/** Usage in whichever of the providers' forms it is. */
export function readAnyUsage(usage: unknown): RecordedUsage | undefined {
  const isResponses = objectAt(usage, 'input_tokens_details') !== undefined;
  return (
    readUsage(usage, isResponses ? 'responses' : 'anthropic') ??
    readUsage(usage, 'openaiChat') ??
    readUsage(usage, 'gemini')
  );
}
