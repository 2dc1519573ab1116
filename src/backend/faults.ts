import { isArray, member, parseJson, stringAt } from '../core/base/json';
import { translate } from '../core/base/translate';
import { cutText } from '../core/base/visibleText';
import { AgentError } from '../core/model/contextBackend';

/** The address of a call, and the key that no error may contain. */
export interface CallAddress {
  readonly url: string;
  readonly apiKey?: string | undefined;
}

/** Longest excerpt of a provider's own message, in UTF-16 units. */
const longestMessage = 300;

/** The host and port of a call. Errors name the provider by it. */
export function hostOf({ url }: Pick<CallAddress, 'url'>): string {
  return new URL(url).host;
}

/** An error of the provider in one sentence, without the key. */
export function apiError(
  call: CallAddress,
  sentence: string,
  refusal: { readonly status?: number; readonly retryAfter?: number } = {},
): AgentError {
  return new AgentError('api', withoutKey(sentence, call.apiKey), refusal);
}

function withoutKey(text: string, key: string | undefined): string {
  return key === undefined || key.trim() === '' ? text : text.replaceAll(key.trim(), '[key]');
}

/** The meaning of a status for the user, without the full stop. */
function refusalOf(status: number, host: string): string {
  switch (status) {
    case 400:
    case 422:
      return translate('{0} refused the request ({1})', host, status);
    case 401:
      return translate('{0} did not accept the key ({1})', host, status);
    case 402:
      return translate('{0} requires a payment ({1})', host, status);
    case 403:
      return translate('{0} does not allow this ({1})', host, status);
    case 404:
      return translate('{0} does not know this model or address ({1})', host, status);
    case 408:
    case 504:
      return translate('{0} took too long ({1})', host, status);
    case 413:
      return translate('{0} says the request is too large ({1})', host, status);
    case 429:
      return translate('{0} received too many requests ({1})', host, status);
    case 503:
    case 529:
      return translate('{0} is overloaded ({1})', host, status);
    default:
      return status >= 500
        ? translate('{0} failed ({1})', host, status)
        : translate('{0} sent an unexpected answer ({1})', host, status);
  }
}

/** The error for a response with an error status. */
export function statusError(call: CallAddress, status: number, headers: Headers, body: string): AgentError {
  const retryAfter = secondsToWait(headers, Date.now());
  const refusal = refusalOf(status, hostOf(call));
  const sentence =
    retryAfter === undefined
      ? refusal
      : translate('{0}. Try again in {1, plural, one {# second} other {# seconds}}', refusal, retryAfter);
  return apiError(call, sentence + messageIn(body, call.apiKey), {
    status,
    ...(retryAfter === undefined ? {} : { retryAfter }),
  });
}

/** `Retry-After` in seconds or as a date (RFC 9110, 10.2.3), or `retry-after-ms` as OpenAI's clients read it. */
function secondsToWait(headers: Headers, now: number): number | undefined {
  const milliseconds = Number(headers.get('retry-after-ms') ?? Number.NaN);
  const told = headers.get('retry-after');
  if (milliseconds > 0) {
    return Math.ceil(milliseconds / 1000);
  }
  if (told === null || told.trim() === '') {
    return undefined;
  }
  const seconds = /^\s*\d+(\.\d+)?\s*$/.test(told) ? Number(told) : (Date.parse(told) - now) / 1000;
  return Number.isNaN(seconds) ? undefined : Math.max(0, Math.ceil(seconds));
}

/** The provider's own message as the end of a sentence; a full stop if it has none that can be shown. */
function messageIn(body: string, key: string | undefined): string {
  const said = providerMessage(parseJson(body), key);
  return said === undefined ? '.' : `: ${said}`;
}

/**
 * The message of an error in any provider's form, on one line; `undefined` if there is none.
 * @param key removed before the message is truncated, so that no part of it stays
 */
export function providerMessage(body: unknown, key?: string): string | undefined {
  const value = isArray(body) ? body[0] : body;
  const error = member(value, 'error') ?? value;
  const said =
    typeof error === 'string'
      ? error
      : (stringAt(error, 'message') ?? stringAt(value, 'message') ?? stringAt(value, 'detail'));
  const line = said === undefined ? undefined : withoutKey(said.replace(/\s+/g, ' ').trim(), key);
  if (line === undefined || line === '') {
    return undefined;
  }
  return line.length > longestMessage ? `${cutText(line, longestMessage)}…` : line;
}

/** The error of an interrupted call. Only the error's code is used, because its message may repeat the sent text. */
export function connectionError(call: CallAddress, error: unknown, isStarted: boolean): AgentError {
  const host = hostOf(call);
  const code = errorCode(error);
  switch (code ?? '') {
    case 'ECONNREFUSED':
      return apiError(call, translate('{0} refused the connection.', host));
    case 'ENOTFOUND':
    case 'EAI_AGAIN':
      return apiError(call, translate('{0} was not found. Check the address and the network.', host));
    case 'UND_ERR_CONNECT_TIMEOUT':
    case 'ETIMEDOUT':
      return apiError(call, translate('{0} could not be reached in time.', host));
    default: {
      const place = code === undefined ? host : `${host} (${code})`;
      return apiError(
        call,
        isStarted
          ? translate('The connection to {0} was lost before the answer was complete.', place)
          : translate('The request to {0} failed.', place),
      );
    }
  }
}

/** Node's code of the error, of its cause, or of one of several joined causes (one for each address tried). */
function errorCode(error: unknown): string | undefined {
  const cause: unknown = error instanceof Error ? error.cause : undefined;
  const joined: readonly unknown[] = cause instanceof AggregateError ? cause.errors : [];
  return [cause, ...joined, error]
    .flatMap(found => (found instanceof Error ? (stringAt(found, 'code') ?? []) : []))
    .find(code => /^[A-Z][A-Z0-9_]*$/.test(code));
}
