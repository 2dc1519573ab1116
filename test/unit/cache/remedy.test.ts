import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { CacheFinding } from '../../../src/core/cache/cacheFinding';
import { remedyOf } from '../../../src/core/cache/remedy';

const finding = (cause: CacheFinding['causes'][0], certainty: CacheFinding['certainty']): CacheFinding => ({
  request: 1,
  previous: 0,
  causes: [cause],
  certainty,
  possible: [],
  recorded: null,
  readable: 10,
  read: 0,
  tokensLost: 10,
  evidence: [],
});

describe('the remedy for a cache loss', () => {
  it('names one act if the record shows the cause', () => {
    assert.match(remedyOf(finding('lifetimeExpired', 'shown')) ?? '', /^Continue before the cache expires/);
    assert.match(remedyOf(finding('modelChanged', 'recorded')) ?? '', /^Keep one model/);
  });

  it('is missing if the record does not show the cause, or nobody can change it', () => {
    assert.equal(remedyOf(finding('lifetimeExpired', 'narrowed')), undefined);
    assert.equal(remedyOf(finding('parallelRequests', 'assumed')), undefined);
    assert.equal(remedyOf(finding('unknown', 'narrowed')), undefined);
    assert.equal(remedyOf(finding('evicted', 'shown')), undefined);
    assert.equal(remedyOf(finding('compaction', 'shown')), undefined);
  });
});
