import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { defaultPruneOptions, type PruneOptions } from '../../../src/core/model/pruneConfig';
import { nothingSentence } from '../../../src/core/prune/nothingWords';
import { noticeTokens } from '../../../src/core/prune/noticeTokens';
import { messageRoles, type PruneHistory, resultFlags } from '../../../src/core/prune/pruneInput';
import { prunePreview } from '../../../src/core/prune/prunePreview';
import { PruneTranscript, requestHistory } from '../../../src/core/prune/pruneTranscript';
import { loadTokenizer } from '../../../src/core/tokens/bytePairTokenizer';
import { buildRequestView } from '../../../src/core/view/requestView';
import { HandMade, measuresOf, toColumns, usageOf } from './handMade';

/** Three prompts; the results of the first hold 1,000 tokens each and are older than the two newest turns. */
function session() {
  const made = new HandMade();
  const blocks: number[] = [made.prompt('first')];
  for (const callId of ['c1', 'c2', 'c3']) {
    const { call, result } = made.toolPair('Read', callId, 'x'.repeat(4_000));
    blocks.push(call, result);
  }
  blocks.push(made.assistant('done'), made.prompt('second'), made.assistant('done'), made.prompt('third'));
  const results = blocks.filter(number => made.builder.blocks.at(number)?.kind === 'toolResult');
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
    const options = { ...defaultPruneOptions(), protectTokens: 1_000, minimumTokens: 1_500 };
    const preview = prunePreview(columns, view, options);
    // Newest first: c3 makes 1,000 and is kept; c2 makes 2,000 and c1 3,000: both are queued, 2,000 > 1,500.
    assert.deepEqual(preview.plan.candidates, [results[1], results[0]]);
    assert.equal(preview.plan.executes, true);
    // Each leaves a notice of 7 tokenizer tokens, which are 8 of the model's.
    assert.equal(preview.plan.tokensFreed, 2_000 - 2 * 8);
    assert.equal(preview.tokensAfter, 3_100 - 1_984);
    // The first candidate is the third block: the prompt (30) and the call (10) stay as they were.
    assert.deepEqual(preview.positions, [2, 4]);
    assert.deepEqual(preview.prefix, { blocks: 2, tokens: 40 });
  });

  it('prunes no block, and says how far it is from pruning, below the minimum', () => {
    const { columns, view } = session();
    const options: PruneOptions = {
      ...defaultPruneOptions(),
      measure: 'tokens',
      protectTokens: 1_000,
      minimumTokens: 2_500,
    };
    const preview = prunePreview(columns, view, options);
    assert.equal(preview.plan.candidates.length, 2);
    assert.ok(preview.isCandidate.every(mark => mark === 0));
    const sentence = (changed: Partial<PruneOptions>): string | undefined => {
      const chosen = { ...options, ...changed };
      return nothingSentence(prunePreview(columns, view, chosen).plan, chosen, '1');
    };
    const nothing = 'Nothing to prune at request 1:';
    assert.equal(sentence({}), `${nothing} 2,000 tokens in old results, the rule starts at 2,500.`);
    assert.equal(
      sentence({ protectTokens: 5_000, measure: 'chars4' }),
      `${nothing} the results have 3,000 tokens (characters / 4), and the newest 5,000 are protected.`,
    );
    assert.equal(
      sentence({ minimumTokens: 0, replacement: 'truncate', toolOutputMaxChars: 9_000 }),
      `${nothing} the old results are short enough.`,
    );
    assert.equal(sentence({ protectedTools: ['Read'] }), `${nothing} no result is old enough.`);
    assert.equal(
      sentence({ ruleSet: 'microcompact', protectTokens: 0, minimumTokens: 0 }),
      `${nothing} no result is old enough.`,
    );
    assert.equal(sentence({ enabled: false }), `${nothing} pruning is off.`);
    assert.equal(sentence({ minimumTokens: 0 }), undefined);
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
    const options = { ...defaultPruneOptions(), protectTokens: 0, minimumTokens: 0 };
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
    const { history } = requestHistory(columns, buildRequestView(columns, 0));
    assert.deepEqual(history.roles, [
      messageRoles.summary,
      messageRoles.user,
      messageRoles.assistant,
      messageRoles.user,
    ]);
    assert.deepEqual(history.firstResults, [0, 0, 0, 2]);
    const { tool, flags, imageCount, characters } = history.results;
    assert.deepEqual(
      [0, 1].map(number => [
        history.toolNames[tool[number] ?? -1],
        flags[number],
        imageCount[number],
        characters[number],
      ]),
      [
        ['Read', 0, 1, 4],
        ['Bash', resultFlags.error, 0, 6],
      ],
    );
  });

  it('are those of the first blocks alone, whatever order their calls were answered in', () => {
    const made = new HandMade();
    const call = (label: string) =>
      made.block({ label, role: 'assistant', kind: 'toolCall', toolName: 'Read', callId: label });
    const answer = (callId: string, kind: 'toolResult' | 'image') =>
      made.block({
        label: `${callId} ${kind}`,
        role: 'tool',
        kind,
        contentType: kind === 'image' ? 'image' : 'tool_result',
        toolName: 'Read',
        callId,
      });
    const blocks = [call('one'), call('two'), answer('two', 'toolResult'), answer('one', 'toolResult')];
    blocks.push(answer('two', 'image'));
    const context = made.builder.startContext(blocks);
    const [third, fourth, fifth] = [3, 4, 5].map(length => made.request(context, length));
    const transcript = made.build();
    const columns = toColumns(
      transcript,
      measuresOf(transcript, block => 10 * (block + 1)),
    );
    const resultsOf = (request: number | undefined) => {
      const view = buildRequestView(columns, request ?? -1);
      const { history } = requestHistory(columns, view);
      const { block, imageCount } = history.results;
      return Array.from({ length: history.count }, (_, number) => [block[number], imageCount[number]]);
    };
    // The whole context comes first: knowledge about later blocks must not affect shorter contexts.
    assert.deepEqual(resultsOf(fifth), [
      [blocks[3], 0],
      [blocks[2], 1],
    ]);
    assert.deepEqual(resultsOf(fourth), [
      [blocks[3], 0],
      [blocks[2], 0],
    ]);
    assert.deepEqual(resultsOf(third), [[blocks[2], 0]]);
  });

  it('are walked once for all requests of a context, also where no reply ends between results out of order', t => {
    const made = new HandMade();
    const names = Array.from({ length: 40 }, (_, number) => `call ${number}`);
    const calls = names.map(label =>
      made.block({ label, role: 'assistant', kind: 'toolCall', toolName: 'Read', callId: label }),
    );
    const answers = names.toReversed().map(callId =>
      made.block({
        label: `${callId} answer`,
        role: 'tool',
        kind: 'toolResult',
        contentType: 'tool_result',
        toolName: 'Read',
        callId,
      }),
    );
    const context = made.builder.startContext([...calls, ...answers]);
    const requests = answers.map((_, number) => made.request(context, calls.length + number + 1));
    const transcript = made.build();
    const columns = toColumns(
      transcript,
      measuresOf(transcript, block => 10 * (block + 1)),
    );
    const walked = t.mock.method(PruneTranscript.prototype, 'add');
    const noted = t.mock.method(Map.prototype, 'set');
    const orders = requests.map(request => {
      const { history } = requestHistory(columns, buildRequestView(columns, request));
      return Array.from(history.results.block.subarray(0, history.count));
    });
    assert.equal(walked.mock.callCount(), transcript.blocks.length);
    // The results are not repeated for each one before them: that would be 780.
    assert.ok(noted.mock.callCount() < 3 * answers.length, `noted ${noted.mock.callCount()} times`);
    assert.deepEqual(
      orders,
      answers.map((_, number) => answers.slice(0, number + 1).toReversed()),
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
    const context = new PruneTranscript(columns);
    blocks.forEach((block, position) => {
      context.add(block, 10 * (position + 1));
    });
    const textsOf = ({ paths, results: { path, flags, endTokens } }: PruneHistory, number: number) => [
      paths.at(path[number] ?? -1),
      flags[number],
      endTokens[number],
    ];
    assert.deepEqual(textsOf(context.history, 0), ['/a', 0, 100]);
    assert.deepEqual(textsOf(context.history, 1), ['/b', resultFlags.useless, 60]);
    const { callHash, contentHash, flags, tokens } = context.history.results;
    assert.notEqual(callHash[0], callHash[1]);
    assert.notEqual(contentHash[0], contentHash[1]);
    // "one", "two", "two answer" and "one answer" are 26 bytes.
    assert.deepEqual(context.ends, { endTokens: 100, endBytes: 26 });
    context.prune(new Map([[blocks[2] ?? -1, { tokens: 7, bytes: 4 }]]));
    assert.deepEqual(
      [flags[0], flags[1], tokens[1]],
      [0, resultFlags.useless | resultFlags.alreadyPruned, 7],
    );
    assert.deepEqual(context.ends, { endTokens: 77, endBytes: 20 });
  });
});
