import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { kimiRecords } from '../../fixtures/agents';
import { contextsOf, jsonLines, openTranscriptBytes, problemsOf } from '../../fixtures/openedTranscript';
import { shared, skipWithout } from '../../fixtures/sharedFiles';

describe('Kimi Code', () => {
  const read = { input: 400, cacheRead: 500, cacheWrite: 0, output: 40 };
  const tools = 'system: {"name":"Read","description":"Reads.","parameters":{}}';
  const head = [tools, 'system: You are Kimi.'];

  it('reads prompt, tools, every request with its usage, and what a compaction keeps', async () => {
    const opened = await openTranscriptBytes(jsonLines(kimiRecords));
    const { transcript } = opened;
    assert.equal(transcript.format, 'kimi-records');
    assert.deepEqual(transcript.agent, { name: 'Kimi Code', versions: ['wire protocol 1.4'] });
    const worked = [
      ...head,
      'user: Where is the bug?',
      'assistant: Look first.',
      'assistant: {"path":"order.py"}',
      'tool: total = price\nThe end.',
      'user: Plan mode is off.',
    ];
    assert.deepEqual(contextsOf(opened), [
      worked.slice(0, 3),
      worked,
      [
        ...worked,
        'assistant: {"path":"none.py"}',
        'tool: <system>ERROR: Tool execution failed.</system>\nNo such file.',
      ],
      [...head, 'user: Where is the bug?', 'user: Notes: found.', 'user: Go on.'],
    ]);
    assert.deepEqual(
      transcript.requests.map(({ usage, complete, model, attribution }) => [
        usage,
        complete,
        model,
        attribution?.effort,
      ]),
      [read, read, read, { ...read, output: 7 }].map(usage => [usage, true, 'kimi-k2.7-code', 'on']),
    );
    assert.deepEqual(
      transcript.compactions.map(({ request, trigger, tokensBefore, tokensAfter }) => [
        request,
        trigger,
        tokensBefore,
        tokensAfter,
      ]),
      [[3, 'manual', 940, 30]],
    );
    assert.equal(transcript.blocks.at(6)?.kind, 'injected');
    assert.deepEqual(problemsOf(transcript), {});
  });

  it('counts a request that was sent again once, and takes the agent’s own count where a step has no usage', async () => {
    const [request] = kimiRecords.slice(6, 7);
    const { transcript } = await openTranscriptBytes(
      jsonLines([
        ...kimiRecords.slice(0, 7),
        request,
        request,
        ...kimiRecords.slice(7, 10),
        { type: 'token_counting.measured', length: 3, tokens: 940 },
      ]),
    );
    assert.deepEqual(
      transcript.requests.map(({ usage, reply }) => [usage, reply.length]),
      [[{ input: 940, cacheRead: 0, cacheWrite: 0, output: 0 }, 2]],
    );
    assert.equal(transcript.drift, undefined);
  });

  it('sends the time that a tool took before its output, for tools that are timed', async () => {
    const event = (type: string, members: object): object => ({
      type: 'context.append_loop_event',
      event: { type, ...members },
    });
    const result = (toolCallId: string, said: object): object =>
      event('tool.result', { toolCallId, result: { durationMs: 50, ...said } });
    const words = (text: string): object => ({ type: 'text', text });
    const [, , , , , , request] = kimiRecords;
    const opened = await openTranscriptBytes(
      jsonLines([
        ...kimiRecords.slice(0, 7),
        ...['Bash', 'Read', 'Grep', 'mcp__shop__list'].map((name, index) =>
          event('tool.call', { toolCallId: `c${index}`, name, args: {} }),
        ),
        result('c0', { output: 'one', note: 'Whole.' }),
        result('c1', { output: 'two' }),
        result('c2', { output: 'No such file.', isError: true }),
        result('c3', { output: [words('three'), words('four')], note: 'Both.' }),
        event('step.begin', {}),
        request,
        event('content.part', { part: words('Done.') }),
      ]),
    );
    assert.deepEqual(contextsOf(opened).at(-1)?.slice(-5), [
      'tool: Wall time: 0.050 seconds\none\nWhole.',
      'tool: two',
      'tool: Wall time: 0.050 seconds\n<system>ERROR: Tool execution failed.</system>\nNo such file.',
      'tool: Wall time: 0.050 seconds\nthree\nfour',
      'tool: Both.',
    ]);
  });

  it('takes back a prompt with what followed it but not what the agent said, and forgets what was cleared', async () => {
    const next = kimiRecords.slice(23);
    const opened = await openTranscriptBytes(
      jsonLines([
        ...kimiRecords.slice(0, 13),
        { type: 'context.undo', count: 1 },
        ...next,
        { type: 'context.clear' },
        ...next,
      ]),
    );
    assert.deepEqual(contextsOf(opened).slice(1), [
      [...head, 'user: Plan mode is off.', 'user: Go on.'],
      [...head, 'user: Go on.'],
    ]);
  });

  it(
    'reads every request and every count of a recorded session',
    { skip: skipWithout('samples', 'kimi', 'wire-1.4-tools.jsonl') },
    async () => {
      const bytes = readFileSync(join(shared, 'samples', 'kimi', 'wire-1.4-tools.jsonl'));
      const { transcript } = await openTranscriptBytes(bytes);
      const recorded = bytes
        .toString()
        .split('\n')
        .filter(line => line.startsWith('{"type":"usage.record"'));
      const sumOf = (name: string): number =>
        recorded.reduce((sum, line) => sum + Number(new RegExp(`"${name}":(\\d+)`).exec(line)?.[1]), 0);
      const used = transcript.requests.flatMap(({ usage }) => usage ?? []);
      assert.equal(transcript.requests.length, 25);
      assert.equal(used.length, recorded.length);
      assert.equal(transcript.compactions.length, 1);
      assert.deepEqual(
        (['input', 'cacheRead', 'cacheWrite', 'output'] as const).map(name =>
          used.reduce((sum, usage) => sum + usage[name], 0),
        ),
        ['inputOther', 'inputCacheRead', 'inputCacheCreation', 'output'].map(sumOf),
      );
      assert.deepEqual(problemsOf(transcript), {});
    },
  );
});
