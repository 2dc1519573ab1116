import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import {
  defaultPruneOptions,
  withMinimumTokens,
  withProtectTokens,
} from '../../../src/core/model/pruneConfig';
import { noticeTokens } from '../../../src/core/session/noticeTokens';
import { prunePreview } from '../../../src/core/session/prunePreview';
import { pruneTranscript } from '../../../src/core/session/pruneTranscript';
import { buildRequestView } from '../../../src/core/session/requestView';
import { toColumns } from '../../../src/core/session/toColumns';
import { loadTokenizer } from '../../../src/core/tokens/bytePairTokenizer';
import { HandMade, measuresOf, usageOf } from './handMade';

/** Three prompts; the results of the first hold 1,000 tokens each and lie beyond the two newest turns. */
function session() {
  const made = new HandMade();
  const blocks: number[] = [made.prompt('first')];
  for (const callId of ['c1', 'c2', 'c3']) {
    const { call, result } = made.toolPair('Read', callId, 'x'.repeat(4_000));
    blocks.push(call, result);
  }
  blocks.push(made.assistant('done'), made.prompt('second'), made.assistant('done'), made.prompt('third'));
  const results = blocks.filter(number => made.builder.blocks[number]?.kind === 'toolResult');
  made.request(made.builder.startContext(blocks), blocks.length, { usage: usageOf(3_100), complete: true });
  const transcript = made.build();
  // 3,000 tokens in results, 10 in each of the eight other blocks and 20 in the first.
  const columns = toColumns(
    transcript,
    measuresOf(transcript, block => (results.includes(block) ? 1_000 : block === 0 ? 30 : 10)),
  );
  return { columns, view: buildRequestView(columns, 0), results };
}

describe('prune preview', () => {
  it('frees the results beyond the protected tokens, net of the notice, and says where the prefix would end', () => {
    const { columns, view, results } = session();
    const options = withMinimumTokens(withProtectTokens(defaultPruneOptions(), 1_000), 1_500);
    const preview = prunePreview(columns, view, options);
    // Newest first: c3 makes 1,000 and is kept; c2 makes 2,000 and c1 3,000: both are queued, 2,000 > 1,500.
    assert.deepEqual(preview.plan.candidates, [results[1], results[0]]);
    assert.equal(preview.plan.executes, true);
    // Each leaves a notice of 7 tokens behind.
    assert.equal(preview.plan.tokensFreed, 2_000 - 2 * 7);
    assert.equal(preview.tokensAfter, 3_100 - 1_986);
    // The first candidate is the third block: the prompt (30) and the call (10) stay as they were.
    assert.deepEqual(preview.positions, [2, 4]);
    assert.deepEqual(preview.prefix, { blocks: 2, tokens: 40 });
  });

  it('keeps the whole prefix where nothing is a candidate', () => {
    const { columns, view } = session();
    const preview = prunePreview(columns, view, defaultPruneOptions());
    assert.deepEqual(preview.positions, []);
    assert.deepEqual(preview.prefix, { blocks: view.blocks.length, tokens: 3_100 });
  });

  it('sees the results of a turn that a summary opened', () => {
    const made = new HandMade();
    const summary = made.block({ label: 'summary', kind: 'summary', provenance: 'memory' });
    const { call, result } = made.toolPair('Read', 'c1', 'x'.repeat(4_000));
    const blocks = [
      summary,
      call,
      result,
      made.prompt('second'),
      made.assistant('done'),
      made.prompt('third'),
    ];
    made.request(made.builder.startContext(blocks), blocks.length);
    const transcript = made.build();
    const columns = toColumns(
      transcript,
      measuresOf(transcript, () => 10),
    );
    const options = withMinimumTokens(withProtectTokens(defaultPruneOptions(), 0), 0);
    const { plan } = prunePreview(columns, buildRequestView(columns, 0), options);
    assert.deepEqual(plan.candidates, [result]);
  });

  it('counts the notice of opencode as o200k_base does', async () => {
    const notice = '[Old tool result content cleared]';
    assert.equal(noticeTokens(notice), (await loadTokenizer('o200k_base')).count(notice));
  });
});

describe('prune messages', () => {
  it('count a user message once, however many pieces it came in, and none that the client put beside results', () => {
    const made = new HandMade();
    const injected = { kind: 'injected', provenance: 'system', partition: 'state' } as const;
    const { call, result } = made.toolPair('Read', 'c1', 'text');
    const image = made.block({
      label: 'image',
      role: 'tool',
      kind: 'image',
      contentType: 'image',
      callId: 'c1',
    });
    const failed = made.toolPair('Bash', 'c2', 'exit 1', { isError: true });
    const context = made.builder.startContext([
      made.block({ label: 'summary', kind: 'summary', provenance: 'memory' }),
      made.prompt('do'),
      made.prompt('and do'),
      call,
      result,
      image,
      made.block({ label: 'reminder', ...injected }),
      failed.call,
      failed.result,
      made.prompt('more'),
    ]);
    made.request(context, 10);
    const transcript = made.build();
    const columns = toColumns(
      transcript,
      measuresOf(transcript, () => 10),
    );
    const messages = pruneTranscript(columns, buildRequestView(columns, 0)).messages;
    assert.deepEqual(
      messages.map(({ role, summary, results }) => [
        role,
        summary,
        results.map(({ tool, status, imageCount, characters }) => [tool, status, imageCount, characters]),
      ]),
      [
        ['assistant', true, []],
        ['user', false, []],
        [
          'assistant',
          false,
          [
            ['Read', 'completed', 1, 4],
            ['Bash', 'error', 0, 6],
          ],
        ],
        ['user', false, []],
      ],
    );
  });

  it('stand in the order of the calls, with what tells them apart and where they end', () => {
    const made = new HandMade();
    const call = (label: string, path: string) =>
      made.block({ label, role: 'assistant', kind: 'toolCall', toolName: 'Read', callId: label, path });
    const answer = (callId: string, rest: { readonly useless?: boolean } = {}) =>
      made.block({
        label: `${callId} answer`,
        role: 'tool',
        kind: 'toolResult',
        contentType: 'tool_result',
        toolName: 'Read',
        callId,
        ...rest,
      });
    const blocks = [call('one', '/a'), call('two', '/b'), answer('two', { useless: true }), answer('one')];
    made.request(made.builder.startContext(blocks), blocks.length);
    const transcript = made.build();
    const columns = toColumns(
      transcript,
      measuresOf(transcript, block => 10 * (block + 1)),
    );
    const context = pruneTranscript(columns, {
      ...buildRequestView(columns, 0),
      tokens: Uint32Array.of(10, 20, 30, 40),
    });
    const [first, second] = context.messages[0]?.results ?? [];
    assert.deepEqual([first?.path, first?.useless, first?.endTokens], ['/a', false, 100]);
    assert.deepEqual([second?.path, second?.useless, second?.endTokens], ['/b', true, 60]);
    assert.notEqual(first?.callHash, second?.callHash);
    assert.notEqual(first?.contentHash, second?.contentHash);
    // "one", "two", "two answer" and "one answer" are 26 bytes.
    assert.deepEqual(context.ends, { endTokens: 100, endBytes: 26 });
    context.prune(new Map([[blocks[2] ?? -1, { tokens: 7, bytes: 4 }]]));
    const [after, pruned] = context.messages[0]?.results ?? [];
    assert.deepEqual([after?.alreadyPruned, pruned?.alreadyPruned, pruned?.tokens], [false, true, 7]);
    assert.deepEqual(context.ends, { endTokens: 77, endBytes: 20 });
  });
});
