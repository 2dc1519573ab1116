import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { describe, it } from 'node:test';
import { buildRequestView } from '../../../src/core/view/requestView';
import type { TranscriptSession } from '../../../src/core/session/transcriptSession';
import { ClaudeCodeSession } from '../../fixtures/claudeCodeSession';
import { openText } from './openText';

const view = (session: TranscriptSession) => buildRequestView(session.toSession().columns, 0);

describe('a count of the provider', () => {
  it('makes the total of a whole request exact and its blocks shares of it', async () => {
    const text = readFileSync('test/fixtures/anthropic-request/cached.json', 'utf8');
    const session = await openText(text);
    assert.equal(view(session).total.quality, 'estimated');
    assert.equal(session.setCountedInput(0, 54_321), true);
    const { total, tokens, quality, recorded, notRecorded } = view(session);
    assert.deepEqual(total, { value: 54_321, quality: 'exact' });
    assert.equal(
      tokens.reduce((sum, value) => sum + value, 0),
      54_321,
    );
    assert.equal(quality, 'calibrated');
    assert.equal(notRecorded.value, 0);
    // This says nothing about the cache.
    assert.equal(recorded, undefined);
  });

  it('is not taken where usage is recorded, or where the request is not', async () => {
    const session = await openText(new ClaudeCodeSession().prompt('Why?').reply({ text: 'So.' }).toString());
    const { total } = view(session);
    assert.equal(session.setCountedInput(0, 5), false);
    assert.equal(session.setCountedInput(7, 5), false);
    assert.deepEqual(view(session).total, total);
  });
});
