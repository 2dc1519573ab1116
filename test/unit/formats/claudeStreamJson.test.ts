import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { objectAt, stringAt } from '../../../src/core/base/json';
import { readUsage } from '../../../src/core/wire/usage';
import {
  contextsOf,
  jsonLines,
  leftOutOf,
  openTranscriptBytes,
  problemsOf,
  readJsonLines,
  readUnpacked,
  sharedFolder,
  totalUsage,
} from '../../fixtures/openedTranscript';

describe('Claude Code’s stream-json', () => {
  for (const name of ['claude-stream-json/output.jsonl', 'claude-result/list.json']) {
    it(`${name}: joins the lines of a reply, and keeps subagents apart`, async () => {
      const opened = await openTranscriptBytes(readFileSync(join('test/fixtures', name)));
      const { transcript } = opened;
      assert.deepEqual(contextsOf(opened), [[], ['user: Count the files.'], []]);
      assert.deepEqual(
        transcript.requests.map(({ id, thread, reply, usage, outputDoubtful }) => [
          id,
          thread,
          reply.map(number => opened.texts[number]),
          usage?.output,
          outputDoubtful === true,
        ]),
        [
          ['msg_a', 0, ['I ask a helper.', '{"description":"Count","prompt":"Count the files."}'], 33, false],
          ['msg_s', 1, ['Three.'], 1, true],
          ['msg_b', 0, ['There are three files.'], 1, true],
        ],
      );
      assert.deepEqual(transcript.subagents, [
        {
          id: 'toolu_task',
          callId: 'toolu_task',
          thread: 1,
          description: 'Count files',
          totalTokens: 19,
        },
      ]);
      assert.deepEqual(
        transcript.compactions.map(({ request, trigger, tokensBefore }) => [request, trigger, tokensBefore]),
        [[2, 'auto', 900]],
      );
      assert.deepEqual(leftOutOf(transcript), {
        'init record': 1,
        'stream event that its message repeats': 2,
        'task_started record': 1,
        'task_notification record': 1,
        'compact_boundary record': 1,
        'result that repeats the last reply': 1,
      });
      assert.deepEqual([transcript.sessionId, transcript.workingDirectory], ['s1', '/work/demo']);
      assert.deepEqual(transcript.agent.versions, ['2.2.0']);
    });
  }

  it('shows a compaction by the provider within a request, with its tokens', async () => {
    const spoken = (type: 'user' | 'assistant', message: object) => ({
      type,
      session_id: 's1',
      parent_tool_use_id: null,
      message: { role: type, ...message },
    });
    const text = (words: string) => [{ type: 'text', text: words }];
    const opened = await openTranscriptBytes(
      jsonLines([
        { type: 'system', subtype: 'init', session_id: 's1', model: 'claude-opus-4-8' },
        spoken('user', { content: 'Count the birds.' }),
        spoken('assistant', {
          id: 'msg_a',
          model: 'claude-opus-4-8',
          content: text('All of them?'),
          usage: { input_tokens: 180_000, output_tokens: 10 },
        }),
        spoken('user', { content: 'All.' }),
        spoken('assistant', {
          id: 'msg_b',
          model: 'claude-opus-4-8',
          content: [{ type: 'compaction', content: 'Summary: birds are counted.' }, ...text('There are 42.')],
          usage: {
            input_tokens: 23_000,
            output_tokens: 20,
            iterations: [
              { type: 'compaction', input_tokens: 180_100, output_tokens: 3_500 },
              { type: 'message', input_tokens: 23_000, output_tokens: 20 },
            ],
          },
        }),
        spoken('user', { content: 'Thanks.' }),
        spoken('assistant', { id: 'msg_c', model: 'claude-opus-4-8', content: text('Bye.') }),
      ]),
    );
    const { transcript, texts } = opened;
    assert.deepEqual(contextsOf(opened), [
      ['user: Count the birds.'],
      ['assistant: Summary: birds are counted.'],
      ['assistant: Summary: birds are counted.', 'assistant: There are 42.', 'user: Thanks.'],
    ]);
    assert.deepEqual(
      transcript.requests.map(({ reply }) => reply.map(block => texts[block])),
      [['All of them?'], ['There are 42.'], ['Bye.']],
    );
    assert.deepEqual(
      transcript.compactions.map(({ request, tokensBefore }) => [request, tokensBefore]),
      [[1, 180_100]],
    );
    assert.equal(transcript.requests[1]?.usage?.input, 23_000);
  });

  it('the json form alone is one reply', async () => {
    const { transcript, texts } = await openTranscriptBytes(
      readFileSync('test/fixtures/claude-result/result.json'),
    );
    assert.deepEqual(texts, ['There are three files.']);
    assert.deepEqual(transcript.requests[0]?.usage, {
      input: 6,
      cacheRead: 1,
      cacheWrite: 0,
      output: 7,
      cost: 0.1,
    });
    assert.equal(transcript.requests[0].model, 'claude-opus-5');
  });

  it('sums to the input that the result reports', async test => {
    const folder = sharedFolder(test, 'agent-runs/claude-code/2.1.330');
    if (folder === undefined) {
      return;
    }
    let compared = 0;
    for (const name of readdirSync(folder, { recursive: true, encoding: 'utf8' })) {
      if (!/streams\/stream-\d+\.jsonl(\.gz)?$/.test(name)) {
        continue;
      }
      const path = join(folder, name);
      const { transcript } = await openTranscriptBytes(readUnpacked(path));
      assert.equal(transcript.format, 'claude-stream-json', name);
      assert.deepEqual(problemsOf(transcript), {}, name);
      const result = readJsonLines(path).findLast(record => stringAt(record, 'type') === 'result');
      const reported = readUsage(objectAt(result, 'usage'), 'anthropic');
      // Only the agent's sum includes calls that print no line (a compaction, background work after the result).
      if (transcript.compactions.length > 0 || name.startsWith('background')) {
        continue;
      }
      // The result is about the main conversation.
      const requests = transcript.requests.filter(({ thread }) => thread === 0);
      const total = totalUsage({ ...transcript, requests });
      assert.deepEqual(
        [total.input, total.cacheRead, total.cacheWrite],
        [reported?.input, reported?.cacheRead, reported?.cacheWrite],
        name,
      );
      compared += 1;
    }
    test.diagnostic(`${compared} outputs compared`);
  });
});
