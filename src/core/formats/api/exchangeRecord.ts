import {
  epochAt,
  isArray,
  isObject,
  member,
  numberAt,
  objectAt,
  stringAt,
  timeAt,
  toJson,
  valueAt,
  type ValuePath,
} from '../../base/json';
import type { Locate, Place } from '../../content/place';
import { recordedWindow } from '../../model/contextWindow';
import type { RecordedBody } from '../../model/transcript';
import type { SourceRecord } from '../../reading/format';
import type { CaptureTimeline } from './captureTimeline';
import {
  isRequest,
  isResponse,
  openBody,
  type OpenBody,
  readAnyUsage,
  readRequest,
  readResponse,
} from '../../wire/bodies';
import type { WireResponse } from '../../wire/body';
import { withServiceTier } from '../../wire/usage';

/** The paths of the parts in a record of a capture. */
interface ExchangeShape {
  readonly request: ValuePath;
  /** Candidates in order; the first that holds a response is used. */
  readonly response: readonly ValuePath[];
  /** The body of a response in base64. */
  readonly isBase64?: boolean;
}

/** Names under which loggers keep the two bodies of a call. */
const requestKeys = ['request', 'requestBody', 'request_body', 'body', 'params', 'input'];
const responseKeys = ['response', 'responseBody', 'response_body', 'result', 'output', 'completion'];

/**
 * The shape of one captured call: an HTTP pair (claude-trace and similar tools), an entry of a batch file with its
 * request or its result, a logger's `{request, response}`, or a single request or response. `undefined` for anything
 * else.
 */
export function exchangeShapeOf(value: unknown): ExchangeShape | undefined {
  if (!isObject(value)) {
    return undefined;
  }
  if (isRequest(value)) {
    // OpenHands logs a call as the members of the request, with the response next to them.
    return { request: [], response: [[], ['response']] };
  }
  if (isResponse(value)) {
    return { request: ['request'], response: [[]] };
  }
  const requestKey = requestKeys.find(key => isBody(value[key]));
  const responseKey = responseKeys.find(key => isBody(value[key]));
  if (requestKey === undefined && responseKey === undefined) {
    return undefined;
  }
  const request = requestKey === undefined ? ['request'] : [requestKey];
  const response = responseKey === undefined ? ['response'] : [responseKey];
  const shape: ExchangeShape = {
    request: isHttp(valueAt(value, request)) ? [...request, 'body'] : request,
    response: [response, [...response, 'body'], [...response, 'body_raw'], [...response, 'message']],
  };
  const isKnown =
    isRequest(bodyAt(value, shape.request)) ||
    shape.response.some(path => isResponse(bodyAt(value, path))) ||
    isHttpPair(value);
  return isKnown ? shape : undefined;
}

function isBody(value: unknown): boolean {
  return isObject(value) || isArray(value) || typeof value === 'string';
}

function isHttp(value: unknown): boolean {
  return (
    isObject(value) && ('url' in value || 'headers' in value || 'method' in value) && !('messages' in value)
  );
}

/** A pair whose call may have failed, or may not have gone to a model at all. */
function isHttpPair(value: unknown): boolean {
  const request = objectAt(value, 'request');
  const isBatchResult =
    stringAt(value, 'custom_id') !== undefined &&
    (objectAt(value, 'response') ?? objectAt(value, 'result')) !== undefined;
  return isBatchResult || (stringAt(request, 'url') !== undefined && isObject(value) && 'response' in value);
}

const nowhere: Place = { record: { line: 0, offset: 0, length: 0 }, path: [] };

function bodyAt(value: unknown, path: ValuePath): unknown {
  return openBody(valueAt(value, path), nowhere).body;
}

/** Adds a captured call to the timeline. A record that is not one, or has no model content, is counted as left out. */
export function addExchange(
  record: SourceRecord,
  path: ValuePath,
  locate: Locate,
  timeline: CaptureTimeline,
  shape: ExchangeShape | undefined = exchangeShapeOf(valueAt(record.value, path)),
): void {
  const { builder, calls } = timeline;
  const value = valueAt(record.value, path);
  const source = locate(path);
  if (shape === undefined) {
    builder.addProblem('unknownRecord', source.line);
    return;
  }
  const open = (inner: ValuePath, isBase64 = false): OpenBody =>
    openBody(valueAt(value, inner), { record: record.range, path: [...path, ...inner], locate }, isBase64);
  const asked = open(shape.request);
  const read = readRequest(asked, calls);
  const address = addressOf(value);
  const model = read?.model ?? modelInAddress(address);
  const request =
    read === undefined
      ? undefined
      : { ...read, ...(model !== undefined && { model }), body: sentTo(address, read.body) };
  const answered = shape.response
    .map(inner => open(inner, shape.isBase64))
    .find(({ body }) => isResponse(body));
  const response = answered === undefined ? undefined : billedAs(value, readResponse(answered, calls));
  if (request === undefined && response === undefined) {
    builder.leaveOut('call that is none to a model', source);
    return;
  }
  if (
    response === undefined &&
    shape.response.some(inner => inner.length > 0 && isBody(valueAt(value, inner)))
  ) {
    builder.leaveOut('response without a reply', source);
  }
  timeline.add({
    request,
    response,
    line: source.line,
    timestamp: timeOf(value),
    usage: readAnyUsage(member(value, 'usage')) ?? readAnyUsage(member(asked.body, 'usage')),
    id: stringAt(value, 'response_id'),
    window: asksLongContext(value) ? recordedWindow(1_000_000, 'header') : undefined,
    ...laneOf(value, address),
  });
}

/** The answer with the terms of a batch, for an entry of its results: OpenAI names them only in some bodies (2026-11). */
function billedAs(value: unknown, answer: WireResponse | undefined): WireResponse | undefined {
  const isBatched =
    stringAt(value, 'custom_id') !== undefined &&
    numberAt(objectAt(value, 'response'), 'status_code') !== undefined;
  return answer === undefined || !isBatched || answer.usage?.billing !== undefined
    ? answer
    : { ...answer, usage: withServiceTier(answer.usage, { service_tier: 'batch' }) };
}

function addressOf(value: unknown): string {
  return (
    stringAt(objectAt(value, 'request'), 'url') ?? stringAt(value, 'url') ?? stringAt(value, 'path') ?? ''
  );
}

/**
 * True if the request's beta header asks for the window of a million tokens, `context-1m-2025-08-07` (Anthropic context
 * windows guide, 2025-08). No other header is read.
 */
function asksLongContext(value: unknown): boolean {
  const headers = member(objectAt(value, 'request'), 'headers') ?? member(value, 'headers');
  const named = isArray(headers)
    ? headers.map(header => [stringAt(header, 'name') ?? '', member(header, 'value')] as const)
    : Object.entries(isObject(headers) ? headers : {});
  return named.some(
    ([name, content]) =>
      name.toLowerCase() === 'anthropic-beta' && /(?:^|[,\s"])context-1m/.test(toJson(content)),
  );
}

/**
 * Gemini's API and Vertex AI name the model only in the address: `…/models/NAME:generateContent` (Gemini API reference,
 * models.generateContent; Vertex AI, publishers.models.rawPredict; 2026-11).
 */
function modelInAddress(address: string): string | undefined {
  return /\/models\/([^/?#:]+):[a-z]+(?:$|[?#])/i.exec(address)?.[1];
}

/** A body with only plain texts may be a request to either provider; the address decides. */
function sentTo(address: string, body: RecordedBody | undefined): RecordedBody | undefined {
  return body?.api === 'openaiChat' && /\/v1\/messages(?:$|[/?#])/.test(address)
    ? { ...body, api: 'anthropic' }
    : body;
}

/** An entry of a batch is a conversation of its own. A call that counts tokens is not a step of a conversation. */
function laneOf(value: unknown, address: string): { readonly lane?: string; readonly title?: string } {
  if (/count_?tokens/i.test(address)) {
    return { lane: 'count_tokens', title: 'token counting' };
  }
  const lane = stringAt(value, 'custom_id');
  return lane === undefined ? {} : { lane };
}

/** When the request was made: ISO time, seconds or milliseconds since 1970. */
function timeOf(value: unknown): number | undefined {
  const request = objectAt(value, 'request');
  for (const holder of [request, value]) {
    for (const key of ['timestamp', 'time', 'startedDateTime', 'started_at', 'created_at', 'logged_at']) {
      const time = epochAt(holder, key) ?? timeAt(holder, key);
      if (time !== undefined) {
        return time;
      }
    }
  }
  return undefined;
}
