import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { CacheFinding } from '../../../src/core/cache/cacheFinding';
import { remedyOf } from '../../../src/core/cache/remedy';

const finding = (
  cause: CacheFinding['causes'][0],
  certainty: CacheFinding['certainty'],
  possible: CacheFinding['possible'] = [],
): CacheFinding => ({
  request: 1,
  previous: 0,
  causes: [cause],
  certainty,
  possible,
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

  it('is that of all causes that are left', () => {
    const expired = remedyOf(finding('lifetimeExpired', 'shown'));
    assert.equal(remedyOf(finding('lifetimeExpired', 'narrowed', ['lifetimeExpired', 'evicted'])), expired);
    const tools = remedyOf(finding('toolsAdded', 'shown'));
    assert.equal(remedyOf(finding('toolsAdded', 'narrowed', ['toolsAdded', 'toolsChanged'])), tools);
    const others = ['lifetimeExpired', 'evicted', 'unrecordedChanged'] as const;
    assert.equal(remedyOf(finding('lifetimeExpired', 'narrowed', [...others])), undefined);
    assert.equal(remedyOf(finding('evicted', 'narrowed', ['evicted', 'unrecordedChanged'])), undefined);
  });

  it('is missing if the record does not show the cause, or nobody can change it', () => {
    assert.equal(remedyOf(finding('lifetimeExpired', 'narrowed')), undefined);
    assert.equal(remedyOf(finding('parallelRequests', 'assumed')), undefined);
    assert.equal(remedyOf(finding('unknown', 'narrowed')), undefined);
    assert.equal(remedyOf(finding('evicted', 'shown')), undefined);
    assert.equal(remedyOf(finding('compaction', 'shown')), undefined);
  });
});
