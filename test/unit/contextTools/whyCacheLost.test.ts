import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
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

  it('names the remedy where the record shows the cause', async () => {
    const run = await openRun('session.jsonl', readFileSync('media/example/session.jsonl'), 0);
    const lines = (await run?.ask(whyCacheLost, { request: 54 })) ?? [];
    assert.match(lines[0] ?? '', /^Request 54: idle too long \(shown by the transcript\)/);
    assert.match(lines.at(-1) ?? '', /^ {2}remedy: Continue before the cache expires\./);
  });
});
