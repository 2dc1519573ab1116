import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { buildRequestView, notRecordedRange, spanIds } from '../../../src/core/view/requestView';
import { HandMade, measuresOf, toColumns, usageOf } from './handMade';

/**
 * Ten blocks of 100 tokenizer tokens. The provider counts 120 for each, and 1,000 that the transcript does not contain.
 * So a request of n blocks has 1,000 + 120 n tokens, and the part that the previous request sent is read from the
 * cache.
 */
function steadySession(complete = false) {
  const made = new HandMade();
  const context = made.builder.startContext(
    Array.from({ length: 10 }, (_, index) =>
      index % 2 === 0 ? made.prompt(`p${index}`) : made.assistant(`a${index}`),
    ),
  );
  let before = 0;
  for (const length of [1, 2, 4, 6, 8, 9, 10]) {
    const total = 1_000 + 120 * length;
    made.request(context, length, { usage: usageOf(total, before), complete });
    before = total;
  }
  const transcript = made.build();
  return toColumns(
    transcript,
    measuresOf(transcript, () => 100),
  );
}

describe('request view', () => {
  it('calibrates the blocks to the recorded growth and keeps the rest as one figure', () => {
    const view = buildRequestView(steadySession(), 4);
    assert.deepEqual(view.total, { value: 1_960, quality: 'exact' });
    assert.deepEqual(
      [...view.tokens],
      Array.from({ length: 8 }, () => 120),
    );
    assert.equal(view.quality, 'calibrated');
    assert.equal(view.notRecorded.value, 1_000);
    assert.equal(view.notRecorded.quality, 'calibrated');
    assert.deepEqual([view.notRecorded.low, view.notRecorded.high], [1_000, 1_000]);
    assert.deepEqual(view.partitions, { system: 1_000, knowledge: 0, state: 0, history: 960 });
    assert.equal(view.window, 200_000);
  });

  it('begins the blocks behind what is not recorded', () => {
    const { offsets } = buildRequestView(steadySession(), 2);
    assert.deepEqual([...offsets], [1_000, 1_120, 1_240, 1_360, 1_480]);
  });

  it('finds the block edge nearest to the recorded boundary, and predicts it from the request before', () => {
    // Request 4 has 8 blocks; request 3 had 6 and 1,720 tokens, all of which are now cached.
    const view = buildRequestView(steadySession(), 4);
    assert.deepEqual(view.recorded, { tokens: 1_720, blocks: 6 });
    assert.deepEqual(view.predicted, { tokens: 1_720, blocks: 6, reason: 'extendsPrevious' });
  });

  it('has no boundary at the first request', () => {
    const view = buildRequestView(steadySession(), 0);
    assert.deepEqual(view.recorded, { tokens: 0, blocks: 0 });
    assert.deepEqual(view.predicted, { tokens: 0, blocks: 0, reason: 'firstRequest' });
  });

  it('spreads the whole total over the blocks where nothing is missing', () => {
    const view = buildRequestView(steadySession(true), 1);
    assert.equal(view.notRecorded.value, 0);
    assert.deepEqual([...view.tokens], [620, 620]);
  });

  it('estimates with the family figure where no usage is recorded', () => {
    const made = new HandMade();
    made.request(made.builder.startContext([made.prompt('a'), made.assistant('b')]), 2);
    const transcript = made.build();
    const view = buildRequestView(
      toColumns(
        transcript,
        measuresOf(transcript, () => 100),
      ),
      0,
    );
    // Claude before 4.7: 1.18 tokens per token of o200k_base.
    assert.deepEqual([...view.tokens], [118, 118]);
    assert.equal(view.total.quality, 'estimated');
    assert.equal(view.recorded, undefined);
    assert.deepEqual([view.notRecorded.value, view.notRecorded.low, view.notRecorded.high], [0, 0, 0]);
  });

  it('gives the range of what is not recorded over the main conversation alone', () => {
    const made = new HandMade();
    const context = made.builder.startContext([made.prompt('a')]);
    made.request(context, 1, { usage: usageOf(1_118) });
    made.request(context, 1, { usage: usageOf(2_118) });
    made.request(context, 1, { usage: usageOf(9_118), thread: 1 });
    const transcript = made.build();
    const columns = toColumns(
      transcript,
      measuresOf(transcript, () => 100),
    );
    assert.deepEqual(notRecordedRange(columns), { low: 1_000, high: 2_000 });
  });

  it('takes a window that was exceeded for the large one', () => {
    const made = new HandMade();
    made.request(made.builder.startContext([made.prompt('a')]), 1, { usage: usageOf(250_000) });
    const transcript = made.build();
    assert.equal(
      buildRequestView(
        toColumns(
          transcript,
          measuresOf(transcript, () => 1),
        ),
        0,
      ).window,
      1_000_000,
    );
  });
});

describe('span ids', () => {
  it('number system, tools and messages in the order of the Prompt IR, whatever the wire order is', () => {
    const made = new HandMade();
    const system = { role: 'system', partition: 'system', provenance: 'system' } as const;
    const { call, result } = made.toolPair('Read', 'call_1', 'text');
    const context = made.builder.startContext([
      made.block({
        label: 'Read',
        ...system,
        kind: 'toolSchema',
        contentType: 'tool_schema',
        toolName: 'Read',
      }),
      made.block({ label: 'You are', ...system, kind: 'systemPrompt' }),
      made.prompt('Fix it'),
      call,
      result,
      made.block({ label: 'reminder', role: 'system', kind: 'injected', partition: 'state' }),
    ]);
    made.request(context, 6);
    const transcript = made.build();
    const columns = toColumns(
      transcript,
      measuresOf(transcript, () => 1),
    );
    assert.deepEqual(
      spanIds(columns, buildRequestView(columns, 0)).map(({ spanId }) => spanId),
      ['system-1-Read', 'system-0', 'user-2', 'assistant-3-Read', 'tool-4-call_1', 'system-5'],
    );
  });
});
