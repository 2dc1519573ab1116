import assert from 'node:assert/strict';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { arrayAt, member, numberAt, objectAt, stringAt } from '../../../src/core/base/json';
import { defaultPruneOptions, type PruneOptions } from '../../../src/core/model/pruneConfig';
import type { Transcript } from '../../../src/core/model/transcript';
import { type MadeCopy, makeCopy, openCounted } from '../../fixtures/prunedCopies';
import { filesBelow, readUnpacked, shared, skipWithout } from '../../fixtures/sharedFiles';
import { someOf } from '../../fixtures/variants';

const clear: PruneOptions = { ...defaultPruneOptions(), protectTokens: 2_000, minimumTokens: 100 };

/**
 * The facts that a prune does not change: the calls with their tools, and the number of requests and of their blocks.
 */
function outline({ requests, problems, blocks }: Transcript) {
  return {
    requests: requests.map(({ thread, length, complete, id }) => ({ thread, length, complete, id })),
    problems: problems.map(({ kind, count }) => ({ kind, count })),
    calls: [...blocks].filter(({ kind }) => kind === 'toolCall').map(({ callId }) => callId),
  };
}

function assertIntact({ bytes, session }: MadeCopy, original: Buffer, after: Transcript): void {
  assert.deepEqual(outline(after), outline(session.transcript));
  const before = original.toString().split('\n');
  const lines = bytes.toString().split('\n');
  assert.equal(lines.length, before.length);
}

describe('pruned copies of recorded sessions', { skip: skipWithout('agent-runs') }, () => {
  const folders = ['agent-runs/claude-code', 'samples/claude-code'].map(name => join(shared, name));
  const files = folders
    .flatMap(folder => filesBelow(folder, '.jsonl', '.jsonl.gz'))
    .filter(path => path.includes('samples') || path.includes('/projects/'));

  for (const file of someOf(files, 6)) {
    it(`Claude Code: ${file.slice(shared.length)}`, async () => {
      const original = readUnpacked(file);
      const copy = await makeCopy(original, clear, { keepSecrets: true });
      // Results that name tools have no text that could be replaced.
      const { blocks } = copy.session.transcript;
      const planned = copy.preview.plan.candidates.filter(block => blocks.at(block)?.text.kind !== 'json');
      assert.equal(copy.outcome.pruned, planned.length);
      const after = await openCounted(copy.bytes);
      assertIntact(copy, original, after.transcript);
      const gone = new Set(planned.map(block => blocks.at(block)?.callId));
      const cleared = new Set(
        [...after.transcript.blocks].filter(block => block.cleared === true).map(({ callId }) => callId),
      );
      gone.forEach(id => assert.ok(cleared.has(id), `${id ?? ''} is cleared`));
    });
  }

  const exports = filesBelow(join(shared, 'agent-runs/opencode'), '.json', '.json.gz').filter(path =>
    path.includes('/exports/export-after-'),
  );
  for (const file of someOf(exports, 4)) {
    it(`opencode: ${file.slice(shared.length)}`, async () => {
      const original = readUnpacked(file);
      const copy = await makeCopy(original, clear, { keepSecrets: true });
      const calls = new Set(
        copy.preview.plan.candidates.map(block => copy.session.transcript.blocks.at(block)?.callId),
      );
      const time = (copy.session.transcript.requests[copy.request]?.timestamp ?? 0) - 1;
      const parts = (text: string): readonly unknown[] =>
        arrayAt(JSON.parse(text), 'messages').flatMap(message => arrayAt(message, 'parts'));
      const before = parts(original.toString());
      const marked = parts(copy.bytes.toString()).filter((part, index) => {
        const at = numberAt(objectAt(objectAt(part, 'state'), 'time'), 'compacted');
        const was = numberAt(objectAt(objectAt(before[index], 'state'), 'time'), 'compacted');
        return at !== was;
      });
      assert.deepEqual(new Set(marked.map(part => stringAt(part, 'callID'))), calls);
      // Nothing differs except the marks. A part that opencode marked later has its mark moved.
      const mark = /(?:,\s*)?"compacted": \d+(?=\s*\})/g;
      assert.ok(copy.bytes.toString().replace(mark, '') === original.toString().replace(mark, ''));
      assert.ok(
        marked.every(part => numberAt(objectAt(objectAt(part, 'state'), 'time'), 'compacted') === time),
      );
      const after = await openCounted(copy.bytes);
      assert.deepEqual(after.transcript.problems, copy.session.transcript.problems);
      assert.equal(after.transcript.requests.length, copy.session.transcript.requests.length);
      const last = after.transcript.requests[copy.request];
      const seen = (after.transcript.contexts[last?.context ?? 0] ?? []).slice(0, last?.length);
      const cleared = new Set(
        seen.flatMap(number => {
          const block = after.transcript.blocks.at(number);
          return block?.cleared === true ? [block.callId] : [];
        }),
      );
      calls.forEach(id => assert.ok(cleared.has(id), `${id ?? ''} is cleared at the request`));
    });
  }
});

describe('request records of a pruned copy', { skip: skipWithout('agent-runs', 'claude-code') }, () => {
  it('name the changed messages, so that every request stays whole', async () => {
    const file = filesBelow(join(shared, 'agent-runs/claude-code/2.1.330/rich'), '.jsonl.gz').find(path =>
      path.includes('/projects/'),
    );
    assert.ok(file !== undefined);
    const copy = await makeCopy(readUnpacked(file), clear, { keepSecrets: true });
    const { requests } = (await openCounted(copy.bytes)).transcript;
    assert.ok(copy.outcome.pruned > 3);
    assert.ok(requests.some(({ complete }) => complete));
    const isChanged = copy.bytes
      .toString()
      .split('\n')
      .some(
        (line, index, all) => index < all.length - 1 && member(JSON.parse(line), 'type') === 'api-request',
      );
    assert.ok(isChanged);
  });
});
