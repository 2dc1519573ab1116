import assert from 'node:assert/strict';
import { once } from 'node:events';
import { describe, it, type TestContext } from 'node:test';
import { setImmediate } from 'node:timers/promises';
import { NativeBackend, type SendOptions } from '../../../src/backend/nativeBackend';
import type { NativeResponse } from '../../../src/backend/nativeMessage';
import { AgentError } from '../../../src/core/model/contextBackend';
import { type Answer, eventText, type FaultServer, startFaultServer } from '../../fixtures/faultServer';
import { allowLoopbackOnly } from '../../fixtures/loopbackOnly';
import { until } from '../../fixtures/until';

const key = 'sk-invented-0123456789abcdef';
const options: SendOptions = { members: { model: 'm' }, apiKey: key };
/** After how long without an answer a call is given up here. */
const stallMilliseconds = 200;
const noCount = () => Promise.resolve(0);

allowLoopbackOnly();

function backendAt(baseUrl: string): NativeBackend {
  return new NativeBackend('anthropic', { contextWindow: 1, countTokens: noCount, baseUrl });
}

interface Outcome {
  readonly chunks: readonly NativeResponse[];
  readonly error: AgentError;
}

/** Reads a stream that fails. `hear` is told how many chunks have arrived. */
async function streamed(
  baseUrl: string,
  given: SendOptions = options,
  hear: (chunks: number) => void = () => undefined,
): Promise<Outcome> {
  const backend = backendAt(baseUrl);
  const chunks: NativeResponse[] = [];
  try {
    for await (const chunk of backend.sendStream([backend.userMessage('hi')], given)) {
      chunks.push(chunk);
      hear(chunks.length);
    }
  } catch (error) {
    assert.ok(error instanceof AgentError, String(error));
    assert.equal(error.kind, 'api');
    assert.match(error.message, /^\S.*[.…]$|: .+$/);
    assert.ok(!error.message.includes('\n'));
    assert.ok(!`${error.message}${String(error.stack)}${JSON.stringify(error)}`.includes(key));
    return { chunks, error };
  }
  assert.fail('The stream ended as if it were whole.');
}

async function withServer<Result>(
  answer: Answer,
  use: (server: FaultServer) => Promise<Result>,
): Promise<Result> {
  const server = await startFaultServer(answer);
  try {
    const result = await use(server);
    // Ended calls leave nothing running.
    await server.ended();
    return result;
  } finally {
    await server.close();
  }
}

/** The timers of calls, which run out when the test says so. All others, as those of `fetch`, go on. */
function heldTimers({ mock }: TestContext): { runOut(): void } {
  const { setTimeout, clearTimeout } = globalThis;
  const held = new Map<unknown, () => void>();
  mock.method(globalThis, 'setTimeout', (run: () => void, delay?: number) => {
    if (delay !== stallMilliseconds) {
      return setTimeout(run, delay);
    }
    const timer = {};
    held.set(timer, run);
    return timer;
  });
  mock.method(globalThis, 'clearTimeout', (timer: NodeJS.Timeout | undefined) => {
    if (!held.delete(timer)) {
      clearTimeout(timer);
    }
  });
  return { runOut: () => held.forEach(run => run()) };
}

/** Reads a stream that fails because nothing comes after some chunks. */
async function stalled(
  context: TestContext,
  { baseUrl, requests }: FaultServer,
  chunks: number,
): Promise<Outcome> {
  const timers = heldTimers(context);
  let arrived = 0;
  let ended = false;
  const given = { ...options, stallMilliseconds };
  const outcome = streamed(baseUrl, given, count => (arrived = count)).finally(() => (ended = true));
  await until('the answer has begun', () => requests.length > 0 && arrived === chunks);
  await until('the call is given up', () => {
    timers.runOut();
    return ended;
  });
  return outcome;
}

const stream = { 'content-type': 'text/event-stream' };
const start = {
  type: 'message_start',
  message: { id: 'x', type: 'message', role: 'assistant', content: [] },
};
const begin = { type: 'content_block_start', index: 0, content_block: { type: 'text', text: '' } };
const delta = (text: string) => ({
  type: 'content_block_delta',
  index: 0,
  delta: { type: 'text_delta', text },
});
const stop = { type: 'message_stop' };

const refusals: readonly (readonly [
  status: number,
  headers: Readonly<Record<string, string>>,
  body: string,
  message: RegExp,
])[] = [
  [
    401,
    {},
    JSON.stringify({ type: 'error', error: { type: 'authentication_error', message: `invalid ${key}` } }),
    /^127\.0\.0\.1:\d+ did not accept the key \(401\): invalid \[key\]$/,
  ],
  [
    401,
    {},
    JSON.stringify({ error: { message: `${'not known '.repeat(29)}${key}` } }),
    /did not accept the key \(401\): (?:not known )+\[key\]$/,
  ],
  [
    429,
    { 'retry-after': '20' },
    '{"error":{"message":"slow\\n down"}}',
    /too many requests \(429\)\. Try again in 20 seconds: slow down$/,
  ],
  [500, {}, '<html>no JSON</html>', /failed \(500\)\.$/],
  [529, {}, '{"error":{"message":"Overloaded"}}', /is overloaded \(529\): Overloaded$/],
];

describe('faults of a provider', () => {
  for (const [status, headers, body, message] of refusals) {
    it(`status ${status} is told, and not tried again`, async () => {
      const answer: Answer = response => {
        response.writeHead(status, headers).end(body);
      };
      await withServer(answer, async server => {
        const { chunks, error } = await streamed(server.baseUrl);
        assert.deepEqual(chunks, []);
        assert.match(error.message, message);
        assert.equal(error.refusal.status, status);
        assert.equal(error.refusal.retryAfter, status === 429 ? 20 : undefined);
        await assert.rejects(backendAt(server.baseUrl).send([], options), { message: error.message });
        assert.equal(server.requests.length, 2);
      });
    });
  }

  it('a time to wait may be a date', async ({ mock }) => {
    mock.timers.enable({ apis: ['Date'], now: Date.UTC(2026, 10, 5, 8, 0, 0) });
    const answer: Answer = response => {
      response.writeHead(429, { 'retry-after': 'Thu, 05 Nov 2026 08:00:30 GMT' }).end('{}');
    };
    const { error } = await withServer(answer, server => streamed(server.baseUrl));
    assert.equal(error.refusal.retryAfter, 30);
  });

  it('a refused connection is told', async () => {
    const server = await startFaultServer(() => undefined);
    await server.close();
    const { error } = await streamed(server.baseUrl);
    assert.match(error.message, /^127\.0\.0\.1:\d+ refused the connection\.$/);
  });

  it('a connection that breaks in the middle keeps what had arrived', async () => {
    let breakOff = (): void => undefined;
    const answer: Answer = response => {
      breakOff = () => void response.destroy();
      response.writeHead(200, stream);
      response.write(eventText(start, begin, delta('half')));
    };
    const { chunks, error } = await withServer(answer, server =>
      streamed(server.baseUrl, options, count => count === 3 && breakOff()),
    );
    assert.match(error.message, /was lost before the answer was complete/);
    const backend = backendAt('http://127.0.0.1');
    assert.deepEqual(backend.mergeChunks(chunks)?.native['content'], [{ type: 'text', text: 'half' }]);
  });

  it('a stream that ends too early is told, though the connection ended well', async () => {
    const answer: Answer = response => {
      response.writeHead(200, stream).end(eventText(start, begin, delta('a')));
    };
    const { chunks, error } = await withServer(answer, server => streamed(server.baseUrl));
    assert.equal(chunks.length, 3);
    assert.match(error.message, /ended before it was complete\.$/);
  });

  it('a stalled stream is given up, and its connection closed', async context => {
    const answer: Answer = response => {
      response.writeHead(200, stream);
      response.write(eventText(start, begin, delta('a')));
    };
    const { chunks, error } = await withServer(answer, server => stalled(context, server, 3));
    assert.equal(chunks.length, 3);
    assert.match(error.message, /sent nothing for 0\.2 s, so the request was stopped\.$/);
  });

  it('a server that never answers is given up', async context => {
    const { error } = await withServer(
      () => undefined,
      server => stalled(context, server, 0),
    );
    assert.match(error.message, /sent nothing for 0\.2 s/);
  });

  it('a slow reader is no stall', async context => {
    const timers = heldTimers(context);
    const answer: Answer = response => {
      response.writeHead(200, stream).end(eventText(start, begin, delta('a'), stop));
    };
    await withServer(answer, async server => {
      const backend = backendAt(server.baseUrl);
      let count = 0;
      const given = { ...options, stallMilliseconds };
      for await (const chunk of backend.sendStream([backend.userMessage('hi')], given)) {
        count += chunk.native['type'] === undefined ? 0 : 1;
        timers.runOut();
      }
      assert.equal(count, 4);
    });
  });

  it('an event that is no JSON is told behind those that are', async () => {
    const answer: Answer = response => {
      response.writeHead(200, stream).end(`${eventText(start)}data: {"type":\n\n${eventText(stop)}`);
    };
    const { chunks, error } = await withServer(answer, server => streamed(server.baseUrl));
    assert.equal(chunks.length, 1);
    assert.match(error.message, /sent an invalid answer\.$/);
  });

  it('an error inside of the stream is told behind what had arrived', async () => {
    const overloaded = { type: 'error', error: { type: 'overloaded_error', message: 'Overloaded' } };
    const answer: Answer = response => {
      response.writeHead(200, stream).end(eventText(start, begin, delta('a'), overloaded));
    };
    const { chunks, error } = await withServer(answer, server => streamed(server.baseUrl));
    assert.equal(chunks.length, 3);
    assert.match(error.message, /reported an error: Overloaded$/);
  });

  it('a page in the place of an answer is told', async () => {
    const answer: Answer = response => {
      response.writeHead(200, { 'content-type': 'text/html' }).end('<html>Sign in</html>');
    };
    const { error } = await withServer(answer, server => streamed(server.baseUrl));
    assert.match(error.message, /sent an invalid answer\.$/);
  });

  it('a redirection is not followed, so that the key stays', async () => {
    const answer: Answer = response => {
      response.writeHead(307, { location: 'http://127.0.0.1:9/elsewhere' }).end();
    };
    const { error } = await withServer(answer, server => streamed(server.baseUrl));
    assert.match(error.message, /^The request to 127\.0\.0\.1:\d+ failed/);
  });

  it('characters and events that are cut by a border between packets are whole', async () => {
    const text = 'Ünïcödé 😀 字';
    const bytes = Buffer.from(eventText(start, begin, delta(text), stop));
    const answer: Answer = async response => {
      response.writeHead(200, stream);
      for (const byte of bytes) {
        response.write(Buffer.of(byte));
        await setImmediate();
      }
      response.end();
    };
    await withServer(answer, async server => {
      const backend = backendAt(server.baseUrl);
      const contents: string[] = [];
      for await (const chunk of backend.sendStream([backend.userMessage('hi')], options)) {
        contents.push(chunk.content() ?? '');
      }
      assert.equal(contents.join(''), text);
    });
  });

  it('an answer of 30 MB arrives whole, and one beyond the limit is cut off', async () => {
    const piece = 'x'.repeat(100_000);
    const answer: Answer = async response => {
      response.writeHead(200, stream);
      response.write(eventText(start, begin));
      for (let sent = 0; sent < 300 && !response.destroyed; sent += 1) {
        if (!response.write(eventText(delta(piece)))) {
          const settled = new AbortController();
          const { signal } = settled;
          await Promise.race([once(response, 'drain', { signal }), once(response, 'close', { signal })]);
          settled.abort();
        }
      }
      response.end(eventText(stop));
    };
    await withServer(answer, async server => {
      const backend = backendAt(server.baseUrl);
      let length = 0;
      for await (const chunk of backend.sendStream([backend.userMessage('hi')], options)) {
        length += chunk.content()?.length ?? 0;
      }
      assert.equal(length, 30_000_000);
      const { chunks, error } = await streamed(server.baseUrl, { ...options, maximumBytes: 5_000_000 });
      assert.match(error.message, /is larger than 5 MB\. The rest was not read\.$/);
      // 5,000,000 bytes hold at most 49 pieces of 100,000 characters and their wrapping.
      const kept = chunks.filter(chunk => chunk.content() === piece).length;
      assert.ok(kept > 40 && kept <= 49, String(kept));
    });
  });

  it('a cancelled call ends at once and closes its connection', async () => {
    const answer: Answer = response => {
      response.writeHead(200, stream);
      response.write(eventText(start, begin, delta('a')));
    };
    await withServer(answer, async server => {
      const cancel = new AbortController();
      const given = { ...options, signal: cancel.signal };
      // The server says nothing more, so nothing else ends the call.
      const { chunks, error } = await streamed(server.baseUrl, given, count => count === 3 && cancel.abort());
      assert.equal(chunks.length, 3);
      assert.equal(error.message, 'The request was cancelled.');
      await streamed(server.baseUrl, { ...options, signal: AbortSignal.abort() });
      assert.equal(server.requests.length, 1);
    });
  });

  it('leaving the stream closes the connection', async () => {
    const answer: Answer = response => {
      response.writeHead(200, stream);
      response.write(eventText(start, begin, delta('a')));
    };
    await withServer(answer, async server => {
      const backend = backendAt(server.baseUrl);
      for await (const chunk of backend.sendStream([backend.userMessage('hi')], options)) {
        assert.equal(chunk.native['type'], 'message_start');
        break;
      }
    });
  });

  it('a key or an address that cannot be one is told before anything is sent', async () => {
    const backend = backendAt('http://127.0.0.1:9');
    const bad = { ...options, apiKey: `${key}\nx-evil: 1` };
    await assert.rejects(
      backend.send([], bad),
      (error: unknown) =>
        error instanceof AgentError && error.kind === 'context' && !error.message.includes(key),
    );
    for (const baseUrl of ['', 'file:///etc', 'no address']) {
      await assert.rejects(backendAt(baseUrl).send([], options), /has no valid web address/);
    }
  });

  it('nothing is sent before the stream is read', async () => {
    const answer: Answer = response => {
      response.writeHead(401).end();
    };
    await withServer(answer, async server => {
      const backend = backendAt(server.baseUrl);
      backend.sendStream([backend.userMessage('hi')], options);
      await streamed(server.baseUrl);
      assert.equal(server.requests.length, 1);
    });
  });
});
