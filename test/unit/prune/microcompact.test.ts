import assert from 'node:assert/strict';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { arrayAt, countAt, objectAt, stringAt } from '../../../src/core/base/json';
import { defaultPruneOptions, type PruneOptions } from '../../../src/core/model/pruneConfig';
import { planPrune } from '../../../src/core/prune/plan';
import type { PruneSituation } from '../../../src/core/prune/pruneInput';
import { PruneTranscript } from '../../../src/core/prune/pruneTranscript';
import { openTranscriptBytes, readJsonLines, readUnpacked } from '../../fixtures/openedTranscript';
import { shared, skipWithout } from '../../fixtures/sharedFiles';
import { measuresOf, toColumns } from '../session/handMade';
import { assistant, planOf, type PruneResult, reasons, result, user } from './transcripts';

function plan(
  results: readonly PruneResult[],
  situation: PruneSituation = {},
  changed: Partial<PruneOptions> = {},
) {
  const options = { ...defaultPruneOptions('microcompact'), ...changed };
  return planOf([user, assistant(...results)], options, () => 8, situation);
}

const tool = (block: number, tokens: number, other: Partial<PruneResult> = {}) =>
  result(block, tokens, { tool: 'Read', ...other });

describe('rule set microcompact', () => {
  it('clears the oldest until what is left fits the protected tokens', () => {
    // 25,000 + 20,000 + 5,000 + 3 × 10,000 = 80,000: without the first 55,000 are left, without the second 35,000.
    const { decisions, candidates, candidateTokens, executes, tokensFreed } = plan([
      tool(1, 25_000),
      tool(2, 20_000),
      tool(3, 5_000),
      tool(4, 10_000),
      tool(5, 10_000),
      tool(6, 10_000),
    ]);
    assert.deepEqual(reasons(decisions), [
      'pruned',
      'pruned',
      'withinProtectedTokens',
      'newestResults',
      'newestResults',
      'newestResults',
    ]);
    assert.deepEqual(candidates, [1, 2]);
    assert.deepEqual([candidateTokens, executes, tokensFreed], [45_000, true, 45_000 - 2 * 8]);
  });

  it('stops at exactly the protected tokens, and needs the minimum', () => {
    const session = (oldest: number) => [
      tool(1, oldest),
      tool(2, 20_000),
      tool(3, 20_000),
      tool(4, 0),
      tool(5, 0),
    ];
    assert.deepEqual(reasons(plan(session(19_999)).decisions).slice(0, 2), [
      'belowMinimum',
      'withinProtectedTokens',
    ]);
    assert.deepEqual(reasons(plan(session(20_000)).decisions).slice(0, 2), [
      'pruned',
      'withinProtectedTokens',
    ]);
  });

  it('keeps the newest three, however large they are', () => {
    const { decisions } = plan([tool(1, 90_000), tool(2, 90_000), tool(3, 90_000)]);
    assert.deepEqual(reasons(decisions), ['newestResults', 'newestResults', 'newestResults']);
  });

  it('looks at eight tools, errors included, and not at what is cleared', () => {
    const { decisions, scannedTokens } = plan([
      tool(1, 30_000, { status: 'error' }),
      tool(2, 50_000, { tool: 'Task' }),
      tool(3, 50_000, { alreadyPruned: true }),
      tool(4, 20_000),
      tool(5, 10_000),
      tool(6, 10_000),
    ]);
    assert.deepEqual(reasons(decisions).slice(0, 3), ['pruned', 'protectedTool', 'alreadyPruned']);
    assert.equal(scannedTokens, 70_000);
  });

  it('waits until the window is nearly full', () => {
    const session = [tool(1, 90_000), tool(2, 1), tool(3, 1), tool(4, 1)];
    assert.equal(plan(session, { inputTokens: 134_999, window: 200_000 }).executes, false);
    assert.equal(plan(session, { inputTokens: 135_000, window: 200_000 }).executes, true);
    assert.equal(plan(session, { inputTokens: 1_000 }).executes, true);
  });

  it('counts a quarter of the characters, and 2,000 for an image', () => {
    const { scannedTokens } = plan(
      [tool(1, 7, { characters: 10, imageCount: 2 })],
      {},
      { measure: 'chars4' },
    );
    // 10 / 4 = 2.5 is rounded up.
    assert.equal(scannedTokens, 3 + 4_000);
  });

  it('names what Claude Code 2.1.12 cleared', { skip: skipWithout('samples') }, async () => {
    const path = join(shared, 'samples', 'claude-code', 'entire-2.1.12-microcompact.jsonl');
    const record = readJsonLines(path).find(line => stringAt(line, 'subtype') === 'microcompact_boundary');
    const metadata = objectAt(record, 'microcompactMetadata');
    const { transcript } = await openTranscriptBytes(readUnpacked(path));
    const columns = toColumns(
      transcript,
      measuresOf(transcript, () => 1),
    );
    const clearing = transcript.compactions.find(({ kind }) => kind === 'clearing');
    const before = (clearing?.request ?? 0) - 1;
    // Until it was cleared, the context only grew.
    const context = new PruneTranscript(columns);
    for (const block of columns.contexts[columns.requests.context[before] ?? 0] ?? []) {
      context.add(block, 0);
    }
    const options = { ...defaultPruneOptions('microcompact'), measure: 'chars4' } as const;
    const planned = planPrune(context.history, options, () => 0);
    const cleared = planned.candidates.map(block => columns.strings.at(columns.blocks.callId[block] ?? 0));
    assert.deepEqual(cleared, arrayAt(metadata, 'compactedToolIds'));
    // Its own figures, to within a thousandth: a few characters of the outputs are not recorded.
    for (const [key, tokens] of [
      ['preTokens', planned.scannedTokens],
      ['tokensSaved', planned.candidateTokens],
    ] as const) {
      const recorded = countAt(metadata, key);
      assert.ok(Math.abs(tokens - recorded) < recorded / 1000, `${tokens} for ${key} ${recorded}`);
    }
    assert.equal(planned.executes, true);
  });
});
