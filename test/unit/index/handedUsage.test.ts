import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, it } from 'node:test';
import { parseJson, stringAt } from '../../../src/core/base/json';
import type { HandOffTarget } from '../../../src/core/handOff/targets';
import { bytesOf, claudeCodeSession, openedSession, planned, reply, tryOpen } from '../../fixtures/handOffs';
import { IndexedHome } from '../../fixtures/indexedHome';
import { jsonLines } from '../../fixtures/openedTranscript';

const prompt = { type: 'user', message: { role: 'user', content: 'Sort the books.' } };
const origin = claudeCodeSession([
  prompt,
  reply('msg_01FirstOfTheOrigin', [
    { type: 'tool_use', id: 'toolu_1', name: 'Bash', input: { command: 'ls' } },
  ]),
  {
    type: 'user',
    message: { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'toolu_1', content: 'a.txt' }] },
  },
  reply('msg_01SecondOfTheOrigin', [{ type: 'text', text: 'Sorted.' }]),
]);
const time = '2026-11-28T13:00:00.000Z';

/** The records of each agent when the handed session goes on: a prompt, and a reply with 70 tokens of input and 3 of output. */
const nextRequest: Readonly<Record<Exclude<HandOffTarget, 'opencode'>, (lines: string[]) => string>> = {
  'claude-code': lines => {
    const last = parseJson(lines.at(-1) ?? '');
    const shared = { sessionId: stringAt(last, 'sessionId'), cwd: '/home/ada/shop', timestamp: time };
    const { message } = reply('msg_01OnlyAfterTheHandOff', [{ type: 'text', text: 'Done.' }]);
    const usage = { input_tokens: 70, output_tokens: 3 };
    return jsonLines([
      { ...prompt, ...shared, uuid: 'new-1', parentUuid: stringAt(last, 'uuid') },
      {
        type: 'assistant',
        ...shared,
        uuid: 'new-2',
        parentUuid: 'new-1',
        message: { ...message, usage },
      },
    ]);
  },
  codex: () => {
    const usage = {
      input_tokens: 70,
      cached_input_tokens: 0,
      output_tokens: 3,
      reasoning_output_tokens: 0,
      total_tokens: 73,
    };
    const message = (role: string, type: string, text: string) => ({
      timestamp: time,
      type: 'response_item',
      payload: { type: 'message', role, content: [{ type, text }] },
    });
    return jsonLines([
      { timestamp: time, type: 'turn_context', payload: { cwd: '/home/ada/shop', model: 'gpt-5.5' } },
      message('user', 'input_text', 'And now?'),
      message('assistant', 'output_text', 'Done.'),
      {
        timestamp: time,
        type: 'event_msg',
        payload: {
          type: 'token_count',
          info: { total_token_usage: usage, last_token_usage: usage, model_context_window: 272_000 },
        },
      },
    ]);
  },
  pi: lines => {
    const parentId = stringAt(parseJson(lines.at(-1) ?? ''), 'id');
    const usage = { input: 70, output: 3, cacheRead: 0, cacheWrite: 0, totalTokens: 73 };
    const user = { role: 'user', content: [{ type: 'text', text: 'And now?' }], timestamp: Date.parse(time) };
    return jsonLines([
      { type: 'message', id: 'new-1', parentId, timestamp: time, message: user },
      {
        type: 'message',
        id: 'new-2',
        parentId: 'new-1',
        timestamp: time,
        message: {
          role: 'assistant',
          content: [{ type: 'text', text: 'Done.' }],
          api: 'anthropic-messages',
          provider: 'anthropic',
          model: 'claude-opus-4-5',
          usage,
          stopReason: 'stop',
          timestamp: Date.parse(time),
        },
      },
    ]);
  },
};

const folders = { 'claude-code': '.claude', codex: '.codex', pi: '.pi/agent' } as const;

describe('a session that was handed off and goes on', () => {
  let home: IndexedHome;
  beforeEach(() => {
    home = new IndexedHome();
    home.write('.claude/projects/-home-ada-shop/origin.jsonl', origin);
  });
  afterEach(() => home.remove());

  async function totals(): Promise<readonly number[]> {
    const index = home.open();
    await home.update(index);
    const { total } = await home.usage(index, { by: 'day' });
    return [total.requests, total.input, total.cacheWrite, total.output];
  }

  for (const target of ['claude-code', 'codex', 'pi'] as const) {
    it(`of ${target} is one history, and what it came with is counted once`, async () => {
      assert.deepEqual(await totals(), [2, 10, 1800, 18]);
      const plan = await planned(await openedSession(origin), target);
      const handed = (await bytesOf(plan)).toString();
      const path = plan.facts.writer.path(plan.session);
      home.write([folders[target], ...path].join('/'), handed);
      assert.deepEqual(await totals(), [2, 10, 1800, 18], 'nothing was sent yet');
      const text = handed + nextRequest[target](handed.trimEnd().split('\n'));
      home.write([folders[target], ...path].join('/'), text);
      assert.deepEqual(await totals(), [3, 80, 1800, 21]);
      const opened = await tryOpen(Buffer.from(text));
      assert.ok(opened.ok);
      const { requests, contexts, blocks } = opened.session.transcript;
      const newest = requests.at(-1);
      assert.equal(newest?.usage?.input, 70);
      const sent = (contexts[newest.context] ?? []).slice(0, newest.length).map(each => blocks.at(each));
      assert.ok(
        sent.some(block => block?.kind === 'toolResult'),
        'the request has what was handed over',
      );
      assert.deepEqual(new Set(requests.map(({ thread }) => thread)), new Set([0]));
      if (target !== 'codex') {
        assert.equal(sent[0]?.inherited, true);
        assert.equal(blocks.at(newest.reply[0] ?? -1)?.inherited, undefined);
      }
    });
  }
});
