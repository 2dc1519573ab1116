import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import * as agents from '../../fixtures/newerAgents';
import { contextsOf, jsonLines, openTranscriptBytes, problemsOf } from '../../fixtures/openedTranscript';

describe('Grok Build', () => {
  it('rebuilds what a compaction dropped, the compaction itself, and what followed', async () => {
    const siblings = agents.siblingsOf('chat_history.jsonl', agents.grokFiles);
    const opened = await openTranscriptBytes(jsonLines(agents.grokHistory), { siblings });
    const { requests, compactions, title, workingDirectory, leftOut } = opened.transcript;
    assert.deepEqual([title, workingDirectory, problemsOf(opened.transcript)], ['The bug', '/shop', {}]);
    const contexts = contextsOf(opened).map(context => context.slice(2));
    const [first = [], second = [], attempt = [], again = [], reply = [], last = []] = contexts;
    assert.deepEqual(first, [
      'system: You are an agent.',
      'user: <user_info>\nWorkspace Path: /shop\n</user_info>',
      'user: <system-reminder>\nNo skills are available.\n</system-reminder>',
      'user: <user_query>\nWhere is the bug?\n</user_query>',
    ]);
    assert.deepEqual(second.slice(first.length), [
      'assistant: Hm. ',
      'assistant: I look.',
      'assistant: {"path":"."}',
      'tool: order.py',
    ]);
    assert.deepEqual(attempt, ['system: You are an agent.', 'user: Your task is to produce a summary.']);
    assert.deepEqual(again, attempt);
    assert.ok(!reply.some(text => text.includes('Break it')));
    assert.equal(reply[2], 'user: <user_query>\nRepair it\n</user_query>');
    assert.equal(last.length, reply.length + 7);
    assert.equal(contexts.length, 6);
    assert.ok(requests.every(({ complete }) => complete));
    assert.deepEqual(
      requests.map(({ timestamp = 0 }) => timestamp - 1_772_359_200_000),
      [2000, 5000, 7000, 7000, 12_000, 14_000],
    );
    assert.deepEqual(
      compactions.map(({ request, tokensBefore }) => [request, tokensBefore]),
      [[4, 900]],
    );
    assert.equal(requests[5]?.usage?.cacheRead, 500);
    assert.equal(requests[0]?.usage, undefined);
    assert.deepEqual(
      leftOut.map(({ reason }) => reason),
      ['token counts of several model calls together'],
    );
  });

  it('says that something is missing where the record of a compaction is gone', async () => {
    const files: Readonly<Record<string, unknown>> = { ...agents.grokFiles, 'compaction/segment_000.md': '' };
    const siblings = agents.siblingsOf('chat_history.jsonl', files);
    const opened = await openTranscriptBytes(jsonLines(agents.grokHistory), { siblings });
    assert.deepEqual(
      opened.transcript.requests.map(({ complete }) => complete),
      [false, false, true, true, true, true],
    );
    assert.deepEqual(problemsOf(opened.transcript), { missingRequestContent: 1 });
    assert.equal(contextsOf(opened)[0]?.at(-1), 'user: <user_query>\nWhere is the bug?\n</user_query>');
  });
});
