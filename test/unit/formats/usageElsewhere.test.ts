import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { cacheQuestions } from '../../../src/core/questions/cacheQuestions';
import { openTranscript } from '../../../src/core/session/openTranscript';
import { sourceOf } from '../../fixtures/transcriptBytes';

const lines = (records: readonly object[]): string => records.map(each => JSON.stringify(each)).join('\n');

async function opened(content: string) {
  const result = await openTranscript(sourceOf(new TextEncoder().encode(content)), {
    fileName: 'session.jsonl',
    scanner: { scan: () => Promise.resolve([]) },
  });
  assert.ok(result.ok, result.ok ? '' : result.sentence);
  return result.session;
}

describe('usage that stands elsewhere than with a reply', () => {
  it('of a subagent is read from its progress, once for each reply, with what was said', async () => {
    const common = { parentUuid: null, sessionId: 's', version: '2.1.30', isSidechain: false };
    const usage = (read: number) => ({
      input_tokens: 2,
      cache_read_input_tokens: read,
      cache_creation_input_tokens: 100,
      output_tokens: 3,
    });
    const progress = (uuid: string, message: object) => ({
      ...common,
      type: 'progress',
      uuid,
      parentToolUseID: 'toolu_task',
      data: { type: 'agent_progress', agentId: 'a7', message },
    });
    let lineNumber = 0;
    const part = (uuid: string, id: string, content: object, read: number) =>
      progress(`line ${(lineNumber += 1)}`, {
        type: 'assistant',
        uuid,
        message: { id, role: 'assistant', model: 'claude-haiku-4-5', content: [content], usage: usage(read) },
      });
    const call = { type: 'tool_use', id: 'toolu_1', name: 'Read', input: { file_path: 'a' } };
    const task = { type: 'tool_use', id: 'toolu_task', name: 'Task', input: { description: 'Look' } };
    const content = lines([
      { ...common, type: 'user', uuid: 'u1', message: { role: 'user', content: 'Look.' } },
      {
        ...common,
        type: 'assistant',
        uuid: 'a1',
        message: { id: 'msg_main', role: 'assistant', content: [task], usage: usage(7000) },
      },
      progress('p1', { type: 'user', uuid: 's1', message: { role: 'user', content: 'Find it.' } }),
      part('s2', 'msg_sub', { type: 'text', text: 'I read it.' }, 0),
      part('s3', 'msg_sub', call, 0),
      part('s3', 'msg_sub', call, 0),
      progress('p2', {
        type: 'user',
        uuid: 's4',
        message: {
          role: 'user',
          content: [{ type: 'tool_result', tool_use_id: 'toolu_1', content: 'Text.' }],
        },
      }),
      part('s5', 'msg_next', { type: 'text', text: 'It is there.' }, 100),
    ]);
    const session = await opened(content);
    const { requests, subagents, blocks, problems } = session.transcript;
    assert.deepEqual(
      requests.map(({ thread, id, length, usage: found }) => [thread, id, length, found?.cacheRead]),
      [
        [0, 'msg_main', 1, 7000],
        [1, 'msg_sub', 1, 0],
        [1, 'msg_next', 4, 100],
      ],
    );
    assert.deepEqual([subagents[0]?.id, subagents[0]?.thread, subagents[0]?.callId], ['a7', 1, 'toolu_task']);
    const texts: string[] = [];
    for await (const { text } of session.textsOf([...blocks].map((_, number) => number))) {
      texts.push(text);
    }
    assert.ok(['Find it.', 'I read it.', 'Text.', 'It is there.'].every(text => texts.includes(text)));
    assert.deepEqual(problems, []);
    assert.deepEqual((await cacheQuestions(session).report()).findings, []);
  });

  it('of Copilot is what it sums up, less what is on record, if one request lacks it', async () => {
    const event = (type: string, data: object, id: string) => ({ type, data, id, parentId: null });
    const reply = (text: string, id: string) =>
      event('assistant.message', { content: text, messageId: id, model: 'gpt-5.4', outputTokens: 39 }, id);
    const shutdown = (count: number) =>
      event(
        'session.shutdown',
        {
          modelMetrics: {
            'gpt-5.4': {
              requests: { count },
              usage: { inputTokens: 15_528, outputTokens: 40, cacheReadTokens: 28, cacheWriteTokens: 0 },
            },
          },
        },
        'end',
      );
    const ask = event('user.message', { content: 'Why?' }, 'u');
    const usageOf = async (content: string) =>
      (await opened(content)).transcript.requests.map(({ usage }) => usage);
    assert.deepEqual(await usageOf(lines([ask, reply('So.', 'a'), shutdown(1)])), [
      { input: 15_500, cacheRead: 28, cacheWrite: 0, output: 40 },
    ]);
    const alone = { input: 0, cacheRead: 0, cacheWrite: 0, output: 39 };
    // A call that the log lacks, or two that lack their input: the sum belongs to no single request.
    assert.deepEqual(await usageOf(lines([ask, reply('So.', 'a'), shutdown(2)])), [alone]);
    assert.deepEqual(await usageOf(lines([ask, reply('So.', 'a'), ask, reply('Yes.', 'b'), shutdown(2)])), [
      alone,
      alone,
    ]);
  });
});
