import assert from 'node:assert/strict';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { openTranscript } from '../../../src/core/session/openTranscript';
import { type CompactionDiff, compactionDiffs } from '../../../src/core/view/compactionDiff';
import { readUnpacked, shared, skipWithout } from '../../fixtures/sharedFiles';
import { sourceOf } from '../../fixtures/transcriptBytes';
import { HandMade, measuresOf, toColumns, usageOf } from './handMade';

function diffsOf(made: HandMade): readonly CompactionDiff[] {
  const transcript = made.build();
  return compactionDiffs({
    columns: toColumns(
      transcript,
      measuresOf(transcript, () => 100),
    ),
    summary: { compactions: transcript.compactions },
  });
}

describe('compaction diff', () => {
  it('tells what was kept, summarised, dropped, put in again and added', () => {
    const made = new HandMade();
    const system = made.block({ label: 'rules', role: 'system', kind: 'systemPrompt', partition: 'system' });
    const memory = made.block({ label: 'memory', kind: 'injected', partition: 'knowledge' });
    const reminder = made.block({ label: 'reminder', kind: 'injected', partition: 'state' });
    const [first, answer, last] = [made.prompt('first'), made.assistant('answer'), made.prompt('last')];
    const before = [system, memory, reminder, first, answer, last];
    made.request(made.builder.startContext(before), 6, { usage: usageOf(1_200), complete: true });
    made.builder.compactions.push({ kind: 'compaction', request: 1, thread: 0, line: 9 });
    const summary = made.block({ label: 'summary', kind: 'summary', provenance: 'memory' });
    const again = made.block({ label: 'memory', kind: 'injected', partition: 'knowledge' });
    const fresh = made.block({ label: 'new reminder', kind: 'injected', partition: 'state' });
    const next = made.prompt('next');
    const after = [system, summary, again, fresh, last, next];
    made.request(made.builder.startContext(after), 6, { usage: usageOf(600), complete: true });
    const [diff] = diffsOf(made);
    assert.deepEqual(diff, {
      compaction: 0,
      kind: 'compaction',
      before: 0,
      after: 1,
      kept: [system, last],
      keptAfter: [system, last],
      again: [memory],
      summarised: [first, answer],
      dropped: [reminder],
      summaries: [summary],
      cleared: [],
      reinjected: [again, fresh],
      added: [next],
      tokensBefore: { value: 1_200, quality: 'exact' },
      tokensAfter: { value: 600, quality: 'exact' },
      // Six blocks of 100 each are 1,200 tokens before and 600 after.
      tokens: {
        kept: 400,
        keptAfter: 200,
        again: 200,
        hiddenBefore: 0,
        hiddenAfter: 0,
        summarised: 400,
        dropped: 200,
        summaries: 100,
        clearedBefore: 0,
        clearedAfter: 0,
        reinjected: 200,
        added: 100,
      },
    });
  });

  it('looks before a request for the summary that sends shortened results', () => {
    const made = new HandMade();
    const prompt = made.prompt('look');
    const { call, result } = made.toolPair('Read', 'c1', 'the whole file');
    made.request(made.builder.startContext([prompt, call, result]), 3, { usage: usageOf(3_000) });
    const short = {
      role: 'tool',
      kind: 'toolResult',
      toolName: 'Read',
      callId: 'c1',
      content: 'the',
    } as const;
    const copy = made.block({ label: 'Read', ...short });
    made.request(made.builder.startContext([prompt, call, copy]), 3, { usage: usageOf(300) });
    made.builder.compactions.push({ kind: 'compaction', request: 2, thread: 0, line: 5 });
    const summary = made.block({ label: 'summary', kind: 'summary', provenance: 'memory' });
    made.request(made.builder.startContext([summary]), 1, { usage: usageOf(100) });
    const [diff] = diffsOf(made);
    assert.equal(diff?.before, 0);
    assert.deepEqual(diff.tokensBefore, { value: 3_000, quality: 'exact' });
    assert.deepEqual(diff.summarised, [prompt, call, result]);
  });

  it('sets a cleared result beside its notice', () => {
    const made = new HandMade();
    const prompt = made.prompt('look');
    const { call, result } = made.toolPair('Read', 'c1', 'the whole file');
    const answer = made.assistant('seen');
    made.request(made.builder.startContext([prompt, call, result]), 3, { usage: usageOf(300) });
    made.builder.compactions.push({ kind: 'clearing', request: 1, thread: 0, line: 5 });
    const notice = made.block({
      label: 'Read',
      role: 'tool',
      kind: 'toolResult',
      toolName: 'Read',
      callId: 'c1',
      content: '[Old tool result content cleared]',
    });
    made.request(made.builder.startContext([prompt, call, notice, answer]), 4, { usage: usageOf(400) });
    const [diff] = diffsOf(made);
    assert.deepEqual(diff?.kept, [prompt, call]);
    assert.deepEqual(diff.cleared, [{ before: result, after: notice }]);
    assert.deepEqual(diff.added, [answer]);
    assert.deepEqual([diff.summarised, diff.dropped, diff.summaries], [[], [], []]);
  });

  it('keeps to the thread, and to what the agent wrote where no usage is recorded', () => {
    const made = new HandMade();
    const main = made.builder.startContext([made.prompt('main')]);
    made.request(main, 1);
    made.request(made.builder.startContext([made.prompt('task')]), 1, { thread: 1 });
    made.builder.compactions.push({
      kind: 'compaction',
      request: 2,
      thread: 0,
      line: 3,
      tokensBefore: 90_000,
    });
    const [diff] = diffsOf(made);
    assert.deepEqual([diff?.before, diff?.after], [0, undefined]);
    assert.deepEqual(diff?.tokensBefore, { value: 90_000, quality: 'estimated' });
    assert.equal(diff.tokensAfter, undefined);
  });

  it('places every block of both requests once', { skip: skipWithout('samples', 'codex') }, async () => {
    for (const file of [
      'claude-code/entire-2.1.36-37-compact.jsonl',
      'claude-code/entire-2.1.12-microcompact.jsonl',
      'codex/agentv-2026-06-30-large3.0M.jsonl',
    ]) {
      const opened = await openTranscript(sourceOf(readUnpacked(join(shared, 'samples', file))), {
        fileName: file,
        scanner: { scan: () => Promise.resolve([]) },
      });
      assert.ok(opened.ok);
      const session = opened.session.toSession();
      const { length } = session.columns.requests;
      const diffs = compactionDiffs(session);
      assert.ok(diffs.length > 0);
      for (const { before = -1, after = -1, ...diff } of diffs) {
        const replaced = diff.cleared.length;
        const gone = diff.summarised.length + diff.dropped.length + replaced;
        const fresh = diff.summaries.length + diff.added.length + replaced;
        // A text that was added again with the same words does not count as removed on one side and new on the other.
        const repeated = (length[before] ?? 0) - gone - diff.kept.length;
        assert.ok(repeated >= 0);
        assert.equal(length[after], diff.kept.length + fresh + diff.reinjected.length, file);
        assert.ok(repeated <= diff.reinjected.length);
      }
    }
  });
});
