import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { exportName } from '../../../src/app/transcript/exportName';

describe('the name of an export', () => {
  it('stands beside the transcript and is never its own', () => {
    assert.equal(exportName('session.jsonl', 'prunedCopy'), 'session.pruned.jsonl');
    assert.equal(exportName('rollout.jsonl.zst', 'prunedCopy'), 'rollout.pruned.jsonl');
    assert.equal(exportName('.hidden', 'prunedCopy'), '.hidden.pruned');
    assert.equal(exportName('a.b.json', 'html'), 'a.b.report.html');
    assert.equal(exportName('session', 'svg'), 'session.drawing.svg');
    assert.equal(exportName('session.json', 'json'), 'session.context.json');
  });
});
