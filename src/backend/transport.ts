import { createParser } from 'eventsource-parser';
import { formatBytes, formatSeconds } from '../core/base/format';
import { isObject, type JsonObject, parseJson } from '../core/base/json';
import { translate } from '../core/base/translate';
import { AgentError } from '../core/model/contextBackend';
import { apiError, type CallAddress, connectionError, hostOf, statusError } from './faults';

/** One POST to a provider. The key is in `headers`; `apiKey` repeats it so that errors can leave it out. */
export interface ProviderCall extends CallAddress {
  readonly headers: Readonly<Record<string, string>>;
  readonly body: JsonObject;
}

/** When a call is aborted. */
export interface CallLimits {
  /** Cancels the call at once. */
  readonly signal?: AbortSignal | undefined;
  /** Longest time without a byte, in milliseconds; `defaultStall` when absent. */
  readonly stallMilliseconds?: number | undefined;
  /** Longest answer in bytes, unpacked; `defaultMaximumBytes` when absent. */
  readonly maximumBytes?: number | undefined;
}

/** If the answer is not streamed, models may think for minutes before the first byte. */
const defaultStall = 120_000;

/** A streamed reply takes about 300 bytes per token; no model replies with more than 128,000 tokens of text. */
const defaultMaximumBytes = 40_000_000;

/** Bytes of a refusal that are read at most. */
const refusalBytes = 64_000;

/** Sends a call and returns the JSON of its response. Rejects with AgentError. */
export async function postJson(call: ProviderCall, limits: CallLimits): Promise<JsonObject> {
  let text = '';
  for await (const { piece } of answerText(call, limits)) {
    text += piece;
  }
  return parseAnswer(call, text);
}

/**
 * Sends a call and yields the JSON of every server-sent event until `[DONE]` or the end. A response that is not a stream
 * is one event. Throws AgentError after the events that arrived. Leaving the loop closes the connection.
 */
export async function* postForEvents(call: ProviderCall, limits: CallLimits): AsyncGenerator<JsonObject> {
  const arrived: string[] = [];
  const parser = createParser({ onEvent: ({ data }) => arrived.push(data) });
  let whole = '';
  for await (const { piece, isStream } of answerText(call, limits)) {
    if (!isStream) {
      whole += piece;
      continue;
    }
    parser.feed(piece);
    for (const data of arrived.splice(0)) {
      if (data.trim() === '[DONE]') {
        return;
      }
      yield parseAnswer(call, data);
    }
  }
  if (whole !== '') {
    yield parseAnswer(call, whole);
  }
}

function parseAnswer(call: ProviderCall, text: string): JsonObject {
  const value = parseJson(text);
  // Gemini wraps the error of a stream in a list.
  const answer: unknown = Array.isArray(value) && value.length === 1 ? value[0] : value;
  if (!isObject(answer)) {
    throw apiError(call, translate('{0} sent an invalid answer.', hostOf(call)));
  }
  return answer;
}

/**
 * The text of a response in pieces as they arrive. A character that is split between two pieces belongs to the second.
 */
async function* answerText(
  call: ProviderCall,
  limits: CallLimits,
): AsyncGenerator<{ readonly piece: string; readonly isStream: boolean }> {
  const watch = new Watch(call, limits);
  let isStarted = false;
  try {
    watch.wait();
    const response = await fetch(call.url, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...call.headers },
      body: JSON.stringify(call.body),
      // A key is sent only to the host that it was entered for.
      redirect: 'error',
      signal: watch.signal,
    });
    if (!response.ok) {
      throw statusError(call, response.status, response.headers, await beginning(response, watch));
    }
    isStarted = true;
    const isStream = /text\/event-stream/i.test(response.headers.get('content-type') ?? '');
    const decoder = new TextDecoder();
    for await (const bytes of bytesOf(response, watch)) {
      yield { piece: decoder.decode(bytes, { stream: true }), isStream };
    }
    yield { piece: decoder.decode(), isStream };
  } catch (error) {
    throw error instanceof AgentError ? error : (watch.reason() ?? connectionError(call, error, isStarted));
  } finally {
    watch.end();
  }
}

/** The beginning of a refusal's body; less if the connection breaks, because the status is enough. */
async function beginning(response: Response, watch: Watch): Promise<string> {
  const decoder = new TextDecoder();
  let text = '';
  try {
    for await (const bytes of bytesOf(response, watch)) {
      text += decoder.decode(bytes, { stream: true });
      if (text.length > refusalBytes) {
        break;
      }
    }
  } catch {
    // The status is enough.
  }
  return text;
}

async function* bytesOf(response: Response, watch: Watch): AsyncGenerator<Uint8Array> {
  const chunks: AsyncIterable<unknown> | null = response.body;
  if (chunks === null) {
    return;
  }
  watch.wait();
  for await (const bytes of chunks) {
    if (bytes instanceof Uint8Array) {
      watch.take(bytes.length);
      yield bytes;
      watch.wait();
    }
  }
}

/** Ends a call that stalls, is cancelled or grows too large, and remembers the reason. */
class Watch {
  private readonly stop = new AbortController();
  private readonly stall: number;
  private readonly maximum: number;
  private timer: ReturnType<typeof setTimeout> | undefined;
  private stalled = false;
  private bytes = 0;
  private readonly cancel = () => this.stop.abort();

  constructor(
    private readonly call: ProviderCall,
    private readonly limits: CallLimits,
  ) {
    this.stall = limits.stallMilliseconds ?? defaultStall;
    this.maximum = limits.maximumBytes ?? defaultMaximumBytes;
    limits.signal?.addEventListener('abort', this.cancel, { once: true });
    if (limits.signal?.aborted === true) {
      this.cancel();
    }
  }

  get signal(): AbortSignal {
    return this.stop.signal;
  }

  /** Starts the time limit for the provider to send something. */
  wait(): void {
    clearTimeout(this.timer);
    this.timer = setTimeout(() => {
      this.stalled = true;
      this.stop.abort();
    }, this.stall);
  }

  /** Stops the time limit when bytes arrive, until the next `wait`. The reader may take its time. */
  take(bytes: number): void {
    clearTimeout(this.timer);
    this.bytes += bytes;
    if (this.bytes > this.maximum) {
      throw apiError(
        this.call,
        translate(
          'The answer from {0} is larger than {1}. The rest was not read.',
          hostOf(this.call),
          formatBytes(this.maximum),
        ),
      );
    }
  }

  /** The reason why this side ended the call, if it did. */
  reason(): AgentError | undefined {
    if (this.limits.signal?.aborted === true) {
      return apiError(this.call, translate('The request was cancelled.'));
    }
    return this.stalled
      ? apiError(
          this.call,
          translate(
            '{0} sent nothing for {1}, so the request was stopped.',
            hostOf(this.call),
            formatSeconds(this.stall),
          ),
        )
      : undefined;
  }

  end(): void {
    clearTimeout(this.timer);
    this.limits.signal?.removeEventListener('abort', this.cancel);
    this.stop.abort();
  }
}
