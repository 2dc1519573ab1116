import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { packRequests } from '../../../src/core/index/requestTable';
import { UsageSums } from '../../../src/core/index/usageSums';
import { openTranscript } from '../../../src/core/session/openTranscript';
import { billingWords } from '../../../src/core/tokens/billingWords';
import { costNotes, missingCost } from '../../../src/core/tokens/costNotes';
import { lookUpModel } from '../../../src/core/tokens/modelTable';
import { costText, knownCost } from '../../../src/core/tokens/usageFigures';
import { requestBilling, sessionCost } from '../../../src/core/view/sessionCost';
import { sourceOf } from '../../fixtures/transcriptBytes';

const tokens = { input_tokens: 100_000, output_tokens: 10_000 };

/** A session of Claude Code with one request for each usage. */
async function opened(model: string, usages: readonly object[], content: readonly object[] = []) {
  const line = (type: string, number: number, message: object): string =>
    JSON.stringify({
      parentUuid: number === 0 ? null : `line-${number - 1}`,
      uuid: `line-${number}`,
      sessionId: 'a-session',
      version: '2.1.180',
      type,
      timestamp: `2026-11-20T09:00:${String(number).padStart(2, '0')}.000Z`,
      message,
    });
  const lines = usages.flatMap((usage, number) => [
    line('user', 2 * number, { role: 'user', content: `Question ${number}` }),
    line('assistant', 2 * number + 1, {
      id: `msg_of_the_test_${number}`,
      role: 'assistant',
      model,
      content: [...content, { type: 'text', text: 'An answer.' }],
      usage,
    }),
  ]);
  const result = await openTranscript(sourceOf(new TextEncoder().encode(lines.join('\n'))), {
    fileName: 'session.jsonl',
    scanner: { scan: () => Promise.resolve([]) },
  });
  assert.ok(result.ok, result.ok ? '' : result.sentence);
  const { transcript } = result.session;
  const { columns, summary } = result.session.toSession();
  const cost = sessionCost(columns, summary.models);
  const { bytes, models, billings } = packRequests(transcript);
  const sums = new UsageSums({ by: 'model' }, lookUpModel);
  sums.add({
    session: {
      id: 'a-session',
      agent: 'Claude Code',
      project: '',
      branch: '',
      title: '',
      parent: '',
      versions: [],
      models: [...models],
      billings: [...billings],
    },
    requests: bytes,
    losses: new Uint8Array(),
    parts: new Uint8Array(),
  });
  const { sessions: _, ...indexed } = sums.overview().total;
  // All surfaces show one of these sums.
  assert.deepEqual(indexed, cost.total);
  const priced = cost.byRequest.filter(money => !Number.isNaN(money));
  const sum = priced.reduce((whole, money) => whole + money, 0);
  assert.ok(Math.abs(sum - cost.total.money) < 1e-9);
  return { transcript, columns, cost, shown: costText(knownCost(cost.total)) };
}

const shown = async (model: string, usage: object): Promise<string> =>
  (await opened(model, [{ ...tokens, ...usage }])).shown;

describe('usage on other terms', () => {
  it('costs more in fast mode and in one region, and less in a batch', async () => {
    assert.equal(await shown('claude-opus-4-8', {}), '$0.75');
    assert.equal(await shown('claude-opus-4-8', { speed: 'fast', service_tier: 'standard' }), '$1.50');
    assert.equal(await shown('claude-opus-5', { speed: 'fast' }), '$1.50');
    assert.equal(await shown('claude-opus-4-6', { speed: 'fast' }), '$4.50');
    assert.equal(await shown('claude-opus-4-8', { inference_geo: 'us' }), '$0.83');
    assert.equal(await shown('claude-opus-4-8', { speed: 'fast', inference_geo: 'us' }), '$1.65');
    assert.equal(await shown('claude-sonnet-4-5', { service_tier: 'batch' }), '$0.23');
    assert.equal(await shown('claude-opus-4-8', { inference_geo: 'not_available', speed: null }), '$0.75');
  });

  it('is not priced where no list price is known, which is said', async () => {
    const { cost, shown: text } = await opened('claude-opus-4-8', [
      { ...tokens, service_tier: 'priority' },
      { ...tokens, speed: 'fast' },
    ]);
    assert.equal(text, '≥ $1.50');
    assert.deepEqual(costNotes(cost.total), ['Not priced: the service tier, speed or region of 1 request.']);
    const only = await opened('claude-opus-5-5', [{ ...tokens, speed: 'fast' }]);
    assert.equal(only.shown, '');
    assert.equal(missingCost(only.cost, 1), 'no price known for its service tier, speed or region');
  });
});

describe('service tiers of OpenAI', () => {
  const chat = { prompt_tokens: 100_000, completion_tokens: 10_000 };

  function answer(model: string, tier: string | undefined): object {
    return {
      object: 'chat.completion',
      model,
      choices: [{ index: 0, message: { role: 'assistant', content: 'An answer.' } }],
      usage: chat,
      ...(tier === undefined ? {} : { service_tier: tier }),
    };
  }

  async function costOf(...lines: readonly object[]): Promise<readonly [string, readonly string[]]> {
    const bytes = new TextEncoder().encode(lines.map(line => JSON.stringify(line)).join('\n'));
    const result = await openTranscript(sourceOf(bytes), {
      fileName: 'calls.jsonl',
      scanner: { scan: () => Promise.resolve([]) },
    });
    assert.ok(result.ok, result.ok ? '' : result.sentence);
    const { columns, summary } = result.session.toSession();
    const { total } = sessionCost(columns, summary.models);
    return [costText(knownCost(total)), costNotes(total)];
  }

  const pair = (response: object, model: string, tier = 'auto') => ({
    request: { model, messages: [{ role: 'user', content: 'A question.' }], service_tier: tier },
    response,
  });
  const called = (model: string, tier: string | undefined, asked?: string) =>
    costOf(pair(answer(model, tier), model, asked));

  it('are priced as the response names them, not as the request asked', async () => {
    assert.deepEqual(await called('gpt-5.4', 'default', 'priority'), ['$0.40', []]);
    assert.deepEqual(await called('gpt-5.4', undefined, 'flex'), ['$0.40', []]);
    assert.deepEqual(await called('gpt-5.4', 'flex'), ['$0.20', []]);
    assert.deepEqual(await called('gpt-5.4', 'priority'), ['$0.80', []]);
    assert.deepEqual(await called('gpt-5.5', 'priority'), ['$2.00', []]);
    assert.deepEqual(await called('gpt-5.4-mini-2026-03-17', 'priority'), ['$0.24', []]);
  });

  it('are not priced where no list price is known, which is said', async () => {
    const unknown = ['Not priced: the service tier, speed or region of 1 request.'];
    assert.deepEqual(await called('gpt-5.4-pro', 'priority'), ['', unknown]);
    assert.deepEqual(await called('gpt-5.4', 'scale'), ['', unknown]);
  });

  it('are read from the Responses API and from streams', async () => {
    const body = {
      object: 'response',
      model: 'gpt-5.4',
      service_tier: 'flex',
      output: [
        { type: 'message', role: 'assistant', content: [{ type: 'output_text', text: 'An answer.' }] },
      ],
      usage: { input_tokens: 100_000, output_tokens: 10_000 },
    };
    const request = { model: 'gpt-5.4', input: 'A question.', service_tier: 'auto' };
    assert.deepEqual(await costOf({ request, response: body }), ['$0.20', []]);
    const chunk = (members: object) =>
      `data: ${JSON.stringify({ object: 'chat.completion.chunk', model: 'gpt-5.4', service_tier: 'priority', ...members })}\n\n`;
    const stream =
      chunk({ choices: [{ index: 0, delta: { role: 'assistant', content: 'An answer.' } }] }) +
      chunk({ choices: [], usage: chat });
    assert.deepEqual(await costOf({ request: pair({}, 'gpt-5.4').request, response: stream }), ['$0.80', []]);
  });

  it('are those of a batch for each entry of its results', async () => {
    const entry = (tier: string | undefined) => ({
      id: 'batch_req_1',
      custom_id: 'question-1',
      response: { status_code: 200, request_id: 'req_1', body: answer('gpt-4.1', tier) },
      error: null,
    });
    // 100,000 × 2 + 10,000 × 8 millionths, half of it.
    assert.deepEqual(await costOf(entry('default')), ['$0.14', []]);
    assert.deepEqual(await costOf(entry('batch')), ['$0.14', []]);
  });
});

describe('tools that the provider ran', () => {
  it('cost what the list says for a call', async () => {
    const searched = { server_tool_use: { web_search_requests: 100, web_fetch_requests: 7 } };
    const { cost, columns, shown: text } = await opened('claude-opus-4-8', [{ ...tokens, ...searched }]);
    assert.deepEqual([text, cost.paid.tools], ['$1.75', 1]);
    const billing = requestBilling(columns, 0);
    assert.deepEqual(billing && billingWords(billing), [
      'Provider tool web_search_requests: 100 ×',
      'Provider tool web_fetch_requests: 7 ×',
    ]);
  });

  it('make the cost a lower bound where the list has no price', async () => {
    const run = { server_tool_use: { code_execution_requests: 2 } };
    const { cost, shown: text } = await opened('claude-opus-4-8', [{ ...tokens, ...run }]);
    assert.equal(text, '≥ $0.75');
    assert.deepEqual(costNotes(cost.total), [
      'Not priced: tools that the provider ran, or further models, in 1 request.',
    ]);
  });
});

describe('iterations of a request', () => {
  const pass = (type: string, input: number, output: number, model?: string) => ({
    type,
    input_tokens: input,
    output_tokens: output,
    ...(model === undefined ? {} : { model }),
  });

  it('count a compaction by the provider, with its tokens, and leave the context to the reply', async () => {
    const usages = [
      { input_tokens: 180_000, output_tokens: 1_000 },
      {
        input_tokens: 23_000,
        output_tokens: 1_000,
        iterations: [pass('compaction', 180_000, 3_500), pass('message', 23_000, 1_000)],
      },
    ];
    const summary = { type: 'compaction', content: 'Summary: birds were counted.' };
    const { transcript, cost } = await opened('claude-opus-4-8', usages, [summary]);
    assert.deepEqual([cost.total.input, cost.total.output, cost.total.requests], [383_000, 5_500, 2]);
    // 383,000 × 5 + 5,500 × 25 millionths.
    assert.equal(costText(knownCost(cost.total)), '$2.05');
    assert.equal(transcript.requests[1]?.usage?.input, 23_000);
    const last = transcript.compactions.at(-1);
    assert.deepEqual([last?.request, last?.tokensBefore], [1, 180_000]);
    const [second] = transcript.requests.slice(1);
    const sent = transcript.contexts[second?.context ?? 0]?.slice(0, second?.length);
    assert.deepEqual(
      sent?.map(block => transcript.blocks.at(block)?.kind),
      ['summary'],
    );
  });

  it('are billed with the prices of their own models, but not before their first output', async () => {
    const usage = {
      ...tokens,
      iterations: [
        pass('message', 50_000, 0, 'claude-fable-5'),
        pass('message', 100_000, 1_000, 'claude-fable-5'),
        pass('advisor_message', 1_000, 100, 'unheard-of-1'),
        pass('fallback_message', 100_000, 10_000, 'claude-opus-4-8'),
      ],
    };
    const { cost, shown: text } = await opened('claude-opus-4-8', [usage]);
    // 0.75 for the reply, 100,000 × 10 + 1,000 × 50 millionths for the attempt.
    assert.equal(text, '≥ $1.80');
    assert.deepEqual([cost.total.input, cost.total.output], [201_000, 11_100]);
  });

  it('of a loop on the server leave the context to the last', async () => {
    const usage = {
      input_tokens: 30_000,
      cache_read_input_tokens: 5_000,
      output_tokens: 300,
      iterations: [
        pass('message', 10_000, 100),
        { ...pass('message', 20_000, 200), cache_read_input_tokens: 5_000 },
      ],
    };
    const { transcript, cost } = await opened('claude-opus-4-8', [usage]);
    const own = transcript.requests[0]?.usage;
    assert.deepEqual([own?.input, own?.cacheRead, own?.output], [20_000, 5_000, 200]);
    assert.deepEqual([cost.total.input, cost.total.cacheRead, cost.total.output], [30_000, 5_000, 300]);
  });
});
