import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { packRequests } from '../../../src/core/index/requestTable';
import { listedUsage } from '../../../src/core/index/listedSession';
import { openTranscript } from '../../../src/core/session/openTranscript';
import { sessionStatus } from '../../../src/core/session/sessionStatus';
import { lookUpModel } from '../../../src/core/tokens/modelTable';
import { buildRequestView } from '../../../src/core/view/requestView';
import { jsonLines } from '../../fixtures/jsonLines';
import { sourceOf } from '../../fixtures/transcriptBytes';

async function usageOf(records: readonly object[]) {
  const result = await openTranscript(sourceOf(new TextEncoder().encode(jsonLines(records))), {
    fileName: 'run.jsonl',
    scanner: { scan: () => Promise.resolve([]) },
  });
  assert.ok(result.ok, result.ok ? '' : result.sentence);
  const session = result.session.toSession();
  const { usage, cost, newest } = sessionStatus(session);
  const { bytes, models, billings } = packRequests(result.session.transcript);
  const texts = { id: '', agent: '', project: '', branch: '', title: '', parent: '' };
  const facts = { ...texts, versions: [], models: [...models], billings: [...billings] };
  assert.deepEqual(listedUsage({ session: facts, requests: bytes }, lookUpModel).figures, usage);
  const last = session.columns.requests.length.length - 1;
  const { quality } = buildRequestView(session.columns, last).total;
  return { ...usage, cost, quality, isRun: newest?.isRun };
}

describe('usage of a run of which only the sum is recorded', () => {
  it('of codex exec counts each turn once, and leaves the context estimated', async () => {
    const message = (id: string) => ({
      type: 'item.completed',
      item: { id, type: 'agent_message', text: '42' },
    });
    const sum = (input_tokens: number, output_tokens: number) => ({
      type: 'turn.completed',
      usage: { input_tokens, cached_input_tokens: 20_000, output_tokens, reasoning_output_tokens: 64 },
    });
    const found = await usageOf([
      { type: 'thread.started', thread_id: 'thread-1' },
      { type: 'turn.started' },
      message('item_0'),
      sum(41_000, 150),
      { type: 'turn.started' },
      message('item_1'),
      sum(50_000, 200),
    ]);
    assert.deepEqual([found.input, found.cacheRead, found.output], [30_000, 20_000, 200]);
    assert.deepEqual([found.cost, found.unpriced, found.quality], [undefined, 2, 'estimated']);
    assert.equal(found.isRun, true);
  });

  it('of the Gemini CLI has the prices of each model, and thoughts as output', async () => {
    const counts = (input_tokens: number, cached: number, output_tokens: number, total_tokens: number) => ({
      input_tokens,
      cached,
      output_tokens,
      total_tokens,
    });
    const found = await usageOf([
      { type: 'init', timestamp: '2026-11-22T00:00:00Z', session_id: 's', model: 'auto' },
      { type: 'message', role: 'user', content: 'Count the birds.' },
      { type: 'message', role: 'assistant', content: '42', delta: true },
      {
        type: 'result',
        status: 'success',
        stats: {
          ...counts(400_000, 100_000, 300, 400_400),
          models: {
            'gemini-2.5-flash': counts(300_000, 100_000, 200, 300_300),
            'gemini-2.5-flash-lite': counts(100_000, 0, 100, 100_100),
          },
        },
      },
    ]);
    assert.deepEqual([found.input, found.cacheRead, found.output], [300_000, 100_000, 400]);
    assert.deepEqual([found.unpriced, found.unpricedExtras, found.quality], [0, 0, 'estimated']);
    // Flash: 200,000 × 0.3 + 100,000 × 0.03 + 300 × 2.5. Flash-Lite: 100,000 × 0.1 + 100 × 0.4. In millionths.
    assert.equal(Math.round(1e6 * (found.cost ?? 0)), 60_000 + 3_000 + 750 + 10_000 + 40);
  });

  it('of claude -p is read by model, with the cost that it recorded', async () => {
    const found = await usageOf([
      {
        type: 'result',
        subtype: 'success',
        session_id: 's',
        num_turns: 3,
        result: '42 birds',
        total_cost_usd: 0.5,
        usage: { input_tokens: 1, output_tokens: 1 },
        modelUsage: {
          'claude-opus-4-8': { inputTokens: 1_000, outputTokens: 100, cacheReadInputTokens: 50_000 },
          'claude-haiku-4-5': { inputTokens: 2_000, outputTokens: 50 },
        },
      },
    ]);
    assert.deepEqual([found.input, found.cacheRead, found.output], [3_000, 50_000, 150]);
    // 1,000 × 5 + 50,000 × 0.5 + 100 × 25 + 2,000 × 1 + 50 × 5 millionths.
    assert.ok(found.cost !== undefined && Math.abs(found.cost - 0.03475) < 1e-9);
    assert.equal(found.recordedMoney, 0.5);
  });
});
