import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Compaction, RecordedRequest } from '../../../src/core/model/transcript';
import { openTranscript } from '../../../src/core/session/openTranscript';
import { ContextWindows } from '../../../src/core/tokens/contextWindow';
import type { ModelLookUp } from '../../../src/core/tokens/modelTable';
import { lookUpWith } from '../../../src/core/tokens/userModels';
import { buildRequestView } from '../../../src/core/view/requestView';
import { sourceOf } from '../../fixtures/transcriptBytes';

const request = (model: string, input: number, rest: Partial<RecordedRequest> = {}): RecordedRequest => ({
  context: 0,
  length: 0,
  thread: 0,
  model,
  usage: { input, cacheRead: 0, cacheWrite: 0, output: 1 },
  reply: [],
  complete: false,
  line: 1,
  ...rest,
});

const compaction = (tokensBefore: number, trigger = 'auto'): Compaction => ({
  kind: 'compaction',
  request: 1,
  thread: 0,
  trigger,
  tokensBefore,
  line: 2,
});

function windowsOf(
  requests: readonly RecordedRequest[],
  compactions: readonly Compaction[] = [],
  lookUp?: ModelLookUp,
) {
  const windows = new ContextWindows({ requests, compactions }, lookUp);
  return requests.map(each => {
    const { tokens, source, other } = windows.of(each) ?? {};
    return [tokens, source, ...(other === undefined ? [] : [other])];
  });
}

const opus = 'claude-opus-4-6';

describe('the window of a request', () => {
  it('is the recorded one before all others, also for requests without one', () => {
    const window = { tokens: 258_400, source: 'transcript' } as const;
    assert.deepEqual(
      windowsOf(
        [request('gpt-5.5', 300_000, { window }), request('gpt-5.5', 10)],
        [],
        lookUpWith({ 'gpt-5.5': { contextWindow: 7 } }),
      ),
      [
        [258_400, 'transcript'],
        [258_400, 'transcript'],
      ],
    );
  });

  it('is that of a header or of the model’s id before what the session shows', () => {
    const window = { tokens: 1_000_000, source: 'header' } as const;
    assert.deepEqual(windowsOf([request(opus, 10, { window })], [compaction(167_000)]), [
      [1_000_000, 'header'],
    ]);
    assert.deepEqual(windowsOf([request(`${opus}[1m]`, 10)], [compaction(167_000)]), [[1_000_000, 'model']]);
  });

  it('is proven by a larger request, or by a compaction near the end of the smaller one', () => {
    assert.deepEqual(windowsOf([request(opus, 200_001)]), [[1_000_000, 'session']]);
    assert.deepEqual(windowsOf([request(opus, 160_000)], [compaction(167_854)]), [[200_000, 'session']]);
    assert.deepEqual(windowsOf([request('claude-sonnet-4-5', 200_001)]), [[1_000_000, 'session']]);
    const settings = lookUpWith({ [opus]: { contextWindow: 1_000_000 } });
    assert.deepEqual(windowsOf([request(opus, 160_000)], [compaction(167_854)], settings), [
      [200_000, 'session'],
    ]);
  });

  it('is either of two where nothing tells, the smaller one first', () => {
    const both = [200_000, 'table', 1_000_000];
    assert.deepEqual(windowsOf([request(opus, 160_000)]), [both]);
    // A person, or an agent far below its window, may compact at any size.
    assert.deepEqual(windowsOf([request(opus, 160_000)], [compaction(167_854, 'manual')]), [both]);
    assert.deepEqual(windowsOf([request(opus, 60_000)], [compaction(60_000)]), [both]);
  });

  it('is the user’s before the table’s', () => {
    const either = lookUpWith({ [opus]: { contextWindow: 500_000 } });
    assert.deepEqual(windowsOf([request(opus, 300_000)], [], either), [[500_000, 'settings']]);
    const settings = lookUpWith({ [opus]: { contextWindow: 500_000 }, 'gpt-5.5': { contextWindow: 9000 } });
    assert.deepEqual(windowsOf([request(opus, 10), request('gpt-5.5', 10)], [], settings), [
      [500_000, 'settings'],
      [9000, 'settings'],
    ]);
    assert.deepEqual(windowsOf([request('claude-opus-4-5', 10)]), [[200_000, 'table']]);
    assert.deepEqual(windowsOf([request('nobody-knows', 10)]), [[undefined, undefined]]);
  });
});

async function shown(content: string) {
  const result = await openTranscript(sourceOf(new TextEncoder().encode(content)), {
    fileName: 'session.jsonl',
    scanner: { scan: () => Promise.resolve([]) },
  });
  assert.ok(result.ok, result.ok ? '' : result.sentence);
  const { columns } = result.session.toSession();
  return Array.from(columns.requests.context, (_, index) => {
    const { window, windowSource, otherWindow } = buildRequestView(columns, index);
    return [window, windowSource, otherWindow];
  });
}

const lines = (records: readonly object[]): string => records.map(each => JSON.stringify(each)).join('\n');

describe('the window that a transcript records', () => {
  it('is that of Codex’ token counts, and holds until another comes', async () => {
    const record = (type: string, payload: object) => ({
      timestamp: '2026-01-05T09:00:00.000Z',
      type,
      payload,
    });
    const reply = (text: string) =>
      record('response_item', {
        type: 'message',
        role: 'assistant',
        content: [{ type: 'output_text', text }],
      });
    const ask = record('response_item', {
      type: 'message',
      role: 'user',
      content: [{ type: 'input_text', text: 'Why?' }],
    });
    const count = (window: number, total: number) =>
      record('event_msg', {
        type: 'token_count',
        info: {
          last_token_usage: { input_tokens: 100, output_tokens: 1, total_tokens: 101 },
          total_token_usage: { total_tokens: total },
          model_context_window: window,
        },
      });
    const content = lines([
      record('session_meta', { id: 's', cli_version: '0.150.0' }),
      record('turn_context', { model: 'gpt-5.5' }),
      record('event_msg', { type: 'task_started', model_context_window: 121_600 }),
      ask,
      reply('a'),
      ask,
      reply('b'),
      count(258_400, 101),
      ask,
      reply('c'),
    ]);
    assert.deepEqual(await shown(content), [
      [121_600, 'transcript', undefined],
      [258_400, 'transcript', undefined],
      [258_400, 'transcript', undefined],
    ]);
  });

  it('is asked for by a beta header', async () => {
    const call = (beta: unknown) => ({
      request: {
        url: 'https://api.anthropic.com/v1/messages',
        headers: { 'Anthropic-Beta': beta },
        body: { model: opus, system: 'You help.', messages: [{ role: 'user', content: 'Why?' }] },
      },
    });
    const content = lines([call('a-1,context-1m-2025-08-07'), call('not-context-1m')]);
    assert.deepEqual(
      (await shown(content)).map(([tokens, source]) => [tokens, source]),
      [
        [1_000_000, 'header'],
        [200_000, 'table'],
      ],
    );
    assert.deepEqual(await shown(lines([call('not-context-1m'), call(undefined)])), [
      [200_000, 'table', 1_000_000],
      [200_000, 'table', 1_000_000],
    ]);
  });

  it('is in the result that Claude Code prints', async () => {
    const content = lines([
      { type: 'system', subtype: 'init', session_id: 's' },
      {
        type: 'assistant',
        session_id: 's',
        message: { id: 'm', role: 'assistant', model: opus, content: [{ type: 'text', text: 'a' }] },
      },
      {
        type: 'result',
        session_id: 's',
        num_turns: 1,
        result: 'a',
        modelUsage: { [`${opus}[1m]`]: { contextWindow: 1_000_000 } },
      },
    ]);
    assert.deepEqual(await shown(content), [[1_000_000, 'transcript', undefined]]);
  });
});
