import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { whyCacheLost } from '../../../src/core/contextTools/whyCacheLost';
import { openRun } from '../../fixtures/serverRuns';

describe('why_cache_lost', () => {
  it('says that it cannot know where no usage is recorded', async () => {
    const messages = [
      { role: 'user', content: 'Hello' },
      { role: 'assistant', content: 'Hello to you.' },
    ];
    const run = await openRun('messages.json', Buffer.from(JSON.stringify({ messages })), 0);
    assert.ok(run !== undefined);
    assert.deepEqual(await run.ask(whyCacheLost), ['Not known: the use of the cache is not recorded.']);
  });
});
