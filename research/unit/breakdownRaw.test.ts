import assert from 'node:assert/strict';
import { dirname, join, relative } from 'node:path';
import { describe, it } from 'node:test';
import { filesBelow, shared, skipWithout } from '../../test/fixtures/sharedFiles';
import { someOf } from '../../test/fixtures/variants';
import { compareNative, compareRaw } from '../samples/breakdownRaw';
import { rawParts } from '../samples/rawRequests';

const runs = join(shared, 'agent-runs');
const logs = filesBelow(runs, 'raw-requests.jsonl', 'raw-requests.jsonl.gz');
/** Agents whose transcripts hold calls and results as they were sent. */
const exact = /claude-code|codex|qwen-code/;
/** One run is enough of an agent with a dozen alike. */
const isTaken = (log: string): boolean =>
  !log.includes('opencode') || /rich-serve|openai-compat|skill/.test(log);

describe('the breakdown of recorded requests', { skip: skipWithout('agent-runs') }, () => {
  for (const log of someOf(logs.filter(isTaken), 4)) {
    it(`has every schema, call and result of ${relative(runs, dirname(log))}, by server and tool`, async test => {
      const found = await compareRaw(log);
      assert.ok(found !== undefined && found.requests > 0);
      assert.deepEqual(found.differences, []);
      assert.ok(found.unscaled <= 1);
      test.diagnostic(`${found.requests} requests, ${found.compared} parts of tools, ${found.texts} texts`);
      if (exact.test(log)) {
        await compareTranscripts(log, test);
      }
    });
  }
});

async function compareTranscripts(
  log: string,
  test: { readonly diagnostic: (sentence: string) => void },
): Promise<void> {
  let requests = 0;
  let texts = 0;
  for (const file of filesBelow(join(dirname(log), 'native'), '.jsonl', '.jsonl.gz')) {
    const found = await compareNative(file, log);
    assert.deepEqual(found?.differences ?? [], [], file);
    requests += found?.requests ?? 0;
    texts += found?.texts ?? 0;
  }
  assert.ok(requests > 0);
  test.diagnostic(`as the agent wrote it: ${requests} requests, ${texts} texts`);
}

it('reads the parts of tools from requests of all four APIs', () => {
  const bodies = [
    {
      tools: [{ name: 'Read', input_schema: {} }],
      messages: [
        { role: 'assistant', content: [{ type: 'tool_use', id: '1', name: 'Read', input: { a: 1 } }] },
        {
          role: 'user',
          content: [
            {
              type: 'tool_result',
              tool_use_id: '1',
              content: [{ type: 'text', text: 'x' }, { type: 'image' }, { type: 'text', text: 'y' }],
            },
          ],
        },
      ],
    },
    {
      tools: [{ type: 'function', function: { name: 'Read' } }],
      messages: [
        {
          role: 'assistant',
          tool_calls: [{ id: '1', type: 'function', function: { name: 'Read', arguments: '{"a":1}' } }],
        },
        { role: 'tool', tool_call_id: '1', content: 'x\ny' },
      ],
    },
    {
      input: [
        {
          type: 'additional_tools',
          tools: [{ type: 'namespace', tools: [{ type: 'function', name: 'Read' }] }],
        },
        { type: 'function_call', call_id: '1', name: 'Read', arguments: '{"a":1}' },
        { type: 'function_call_output', call_id: '1', output: 'x\ny' },
      ],
    },
    {
      tools: [{ functionDeclarations: [{ name: 'Read' }] }],
      contents: [
        { role: 'model', parts: [{ functionCall: { name: 'Read', args: { a: 1 } } }] },
        { role: 'user', parts: [{ functionResponse: { name: 'Read', response: { output: 'x\ny' } } }] },
      ],
    },
  ];
  for (const body of bodies) {
    const [schema, ...rest] = rawParts(body);
    assert.deepEqual([schema?.tool, schema?.part], ['Read', 'schema']);
    assert.deepEqual(rest, [
      { tool: 'Read', part: 'calls', text: '{"a":1}' },
      { tool: 'Read', part: 'results', text: 'x\ny' },
    ]);
  }
});
