import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { contextTools } from '../../../src/core/contextTools/contextTools';
import { chatForms, chosenByCommand, chosenByWords } from '../../../src/host/chat/toolChoice';
import { assertLinear } from '../../fixtures/linearWork';

describe('the choice of a tool in the chat', () => {
  it('knows every tool', () => {
    const names = contextTools.map(({ name }) => name);
    assert.deepEqual(Object.keys(chatForms).toSorted(), names.toSorted());
    assert.equal(new Set(Object.values(chatForms).map(({ command }) => command)).size, names.length);
  });

  it('takes the words of a question', () => {
    const cases: readonly (readonly [question: string, name: string, params?: object])[] = [
      ['why did my cache break?', 'why_cache_lost'],
      ['Why was the cache lost in request 54?', 'why_cache_lost', { request: 54 }],
      ['why is everything paid again? the cache was lost', 'why_cache_lost'],
      ['how full is my context?', 'context_status'],
      ['How long is the cache still warm?', 'context_status'],
      ['what fills my context?', 'what_fills_context'],
      ['What is in the context, by money?', 'what_fills_context', { by: 'money' }],
      ['has it seen src/shop.ts:10-40?', 'was_seen', { file: 'src/shop.ts', lines: '10-40' }],
      ['Was lines 3-9 of src/a b/shop.ts read?', 'was_seen', { file: 'b/shop.ts', lines: '3-9' }],
      ['what did the compaction drop?', 'what_was_dropped'],
      ['what would it cost to switch the model?', 'forecast'],
      ['How much will the next request cost?', 'forecast'],
      ['what is worth a look?', 'worth_a_look'],
      ['find "database is locked" in all sessions', 'find_in_sessions', { words: '"database is locked"' }],
      ['how full is session 5f0c1d1e?', 'context_status', { session: '5f0c1d1e' }],
    ];
    for (const [question, name, params] of cases) {
      assert.deepEqual(chosenByWords(question), { name, params: params ?? {} }, question);
    }
    assert.equal(chosenByWords('Tell me a joke.'), undefined);
  });

  it('takes the text after a slash command', () => {
    assert.deepEqual(chosenByCommand('cache', ''), { name: 'why_cache_lost', params: {} });
    assert.deepEqual(chosenByCommand('seen', 'README.md 10-40')?.params, { file: 'README.md' });
    assert.deepEqual(chosenByCommand('find', 'brass lantern')?.params, { words: 'brass lantern' });
    assert.equal(chosenByCommand('seen', 'that'), undefined);
    assert.equal(chosenByCommand('other', ''), undefined);
  });

  it('takes time in proportion to a hostile text', async () => {
    for (const part of ['a.', 'cache ', 'why ', './', 'find ', 'will ', 'read .']) {
      await assertLinear(100_000, times => part.repeat(times), chosenByWords, part);
    }
  });
});
