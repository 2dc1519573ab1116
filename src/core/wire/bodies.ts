import { isObject, objectAt } from '../base/json';
import type { KnownCalls } from '../content/knownCalls';
import { decodedPlace, type Place } from '../content/place';
import type { DerivedKind } from '../model/block';
import type { Protocol } from '../model/protocol';
import type { RecordedUsage } from '../model/transcript';
import { anthropicBodies } from './anthropic/bodies';
import type { BodyReading, WireRequest, WireResponse } from './body';
import { derivedValue, streamKindOf } from './derivedValue';
import { geminiBodies } from './gemini/bodies';
import { chatBodies } from './openaiChat/bodies';
import { responsesBodies } from './openaiResponses/bodies';
import { readUsage } from './usage';

/** A decoded body and its place. */
export interface OpenBody {
  readonly body: unknown;
  readonly place: Place;
}

/** In the order in which they are tried. */
const readings: Readonly<Record<Protocol, BodyReading>> = {
  anthropic: anthropicBodies,
  openaiChat: chatBodies,
  gemini: geminiBodies,
  openaiResponses: responsesBodies,
};
const inOrder = Object.values(readings);

function readingOf(body: unknown, what: 'isRequest' | 'isResponse'): BodyReading | undefined {
  return isObject(body) ? inOrder.find(reading => reading[what](body)) : undefined;
}

export function isRequest(body: unknown): boolean {
  return readingOf(body, 'isRequest') !== undefined;
}

export function isResponse(body: unknown): boolean {
  return readingOf(body, 'isResponse') !== undefined;
}

/** Reads the body of a request in any of the dialects; returns `undefined` for anything else. */
export function readRequest({ body, place }: OpenBody, calls: KnownCalls): WireRequest | undefined {
  return readingOf(body, 'isRequest')?.readRequest(body, place, calls);
}

/** Reads the body of a request to a known API. */
export function readRequestOf(api: Protocol, body: unknown, place: Place, calls: KnownCalls): WireRequest {
  return readings[api].readRequest(body, place, calls);
}

/** Reads the body of a response in any of the dialects; returns `undefined` for anything else. */
export function readResponse({ body, place }: OpenBody, calls: KnownCalls): WireResponse | undefined {
  return readingOf(body, 'isResponse')?.readResponse(body, place, calls);
}

/**
 * Decodes a recorded body. It may be a value, or a string of JSON or of an event stream. With `isBase64`, the string is
 * also encoded in base64.
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
    readUsage(usage, isResponses ? 'openaiResponses' : 'anthropic') ??
    readUsage(usage, 'openaiChat') ??
    readUsage(usage, 'gemini')
  );
}
