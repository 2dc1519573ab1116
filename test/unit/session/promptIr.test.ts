import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { digest } from '../../../src/core/base/canonicalJson';
import { requestPromptIr } from '../../../src/core/questions/renderedRequest';
import { buildRequestView, spanIds } from '../../../src/core/view/requestView';
import { openText } from './openText';

const request = {
  model: 'claude-sonnet-4-5',
  system: [{ type: 'text', text: 'You are   terse.', cache_control: { type: 'ephemeral' } }],
  output_config: { format: { type: 'json_schema', schema: { description: 'two  spaces' } } },
  tools: [{ name: 'Read', description: 'Reads', input_schema: { type: 'object' } }],
  messages: [
    {
      role: 'user',
      content: [
        { type: 'text', text: 'Look at this' },
        { type: 'image', source: { type: 'base64', media_type: 'image/png', data: 'iVBORw0KGgo=' } },
      ],
    },
    {
      role: 'assistant',
      content: [
        { type: 'text', text: 'Reading.' },
        { type: 'tool_use', id: 'toolu_1', name: 'Read', input: { file_path: '/a', at: 1_700_000_000_000 } },
      ],
    },
    { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'toolu_1', content: 'a\n  b' }] },
  ],
};

const identity = { irId: '00000000-0000-4000-8000-000000000001', createdAt: '2026-01-01T00:00:00Z' };

describe('the Prompt IR of an opened request', () => {
  it('has the span ids of the view in its own blocks, and exact texts normalised', async () => {
    const session = await openText(JSON.stringify(request));
    const { own } = await requestPromptIr(session, 0, identity);
    assert.deepEqual(
      own.map(({ spanId, contentType, provenance, upstreamSpan }) => [
        spanId,
        contentType,
        provenance,
        upstreamSpan,
      ]),
      [
        ['system-0', 'text', 'system', 'system-0-instructions'],
        ['system-1-Read', 'tool_schema', 'system', 'system-1-Read'],
        ['system-2-structured-output', 'structured_output', 'system', undefined],
        ['user-3', 'text', 'user', 'user-2'],
        ['user-4-image', 'image', 'user', 'user-2'],
        ['assistant-5', 'text', 'developer', 'assistant-3'],
        ['assistant-6-Read', 'text', 'developer', 'assistant-3'],
        ['tool-7-toolu_1', 'tool_result', 'tool', 'user-4'],
      ],
    );
    assert.equal(own[0]?.content, 'You are terse.');
    assert.equal(own[2]?.content, '{"schema":{"description":"two  spaces"},"type":"json_schema"}');
    assert.equal(own[7]?.content, 'a\n b');
    const { columns } = session.toSession();
    assert.deepEqual(
      spanIds(columns, buildRequestView(columns, 0))
        .toSorted((first, second) => first.sequenceIndex - second.sequenceIndex)
        .map(({ spanId }) => spanId),
      own.map(({ spanId }) => spanId),
    );
  });

  it('is what upstream builds of the request that was sent', async () => {
    const session = await openText(JSON.stringify(request));
    const { upstream, isRecorded } = await requestPromptIr(session, 0, identity);
    assert.ok(isRecorded);
    assert.deepEqual(
      upstream.blocks.map(({ spanId, content }) => [spanId, content]),
      [
        ['system-0-instructions', 'You are terse.'],
        [
          'system-1-Read',
          '{"function":{"description":"Reads","name":"Read","parameters":{"type":"object"}},"type":"function"}',
        ],
        ['user-2', 'Look at this'],
        [
          'assistant-3',
          'Reading.\n{"type":"tool_use","id":"toolu_1","name":"Read","input":{"at":1700000000000.0,"file_path":"/a"}}',
        ],
        ['user-4', '{"type":"tool_result","tool_use_id":"toolu_1","content":"a\\n b"}'],
      ],
    );
    const tool =
      '{"function":{"description":"Reads","name":"Read","parameters":{"type":"object"}},"type":"function"}';
    assert.deepEqual(upstream.toolSchemaHashes, [{ toolName: 'Read', schemaHash: digest(tool) }]);
    const source =
      '{"api_specific":{"api":"anthropic_messages","output_config":{"format":{"schema":{"description":"two  spaces"},' +
      '"type":"json_schema"}}},"instructions":[{"cache_control":{"type":"ephemeral"},"text":"You are   terse.","type":"text"}],' +
      '"messages":[{"content":[{"text":"Look at this","type":"text"},{"image":{"source":{"data":"iVBORw0KGgo=",' +
      '"media_type":"image/png","type":"base64"}},"type":"image"}],"role":"user"},{"content":[{"text":"Reading.","type":"text"},' +
      '{"id":"toolu_1","input":{"at":1700000000000,"file_path":"/a"},"name":"Read","type":"tool_use"}],"role":"assistant"},' +
      '{"content":[{"content":"a\\n  b","tool_use_id":"toolu_1","type":"tool_result"}],"role":"user"}],' +
      `"model":"claude-sonnet-4-5","tools":[${tool}]}`;
    assert.equal(upstream.sourceRequestHash, digest(source));
  });

  it('has the tool hashes of an empty list of tools, and no block of none', async () => {
    const hashesOf = async (tools: object) => {
      const session = await openText(
        JSON.stringify({ model: 'm', system: 's', messages: [{ role: 'user', content: 'Hi' }], ...tools }),
      );
      return (await requestPromptIr(session, 0, identity)).upstream.toolSchemaHashes;
    };
    assert.deepEqual(await hashesOf({ tools: [] }), []);
    assert.equal(await hashesOf({}), undefined);
  });

  it('is built from its own blocks, and claims no hash, where the request is not on record', async () => {
    const lines = [
      { role: 'user', content: 'Hi' },
      { role: 'assistant', content: 'Hello' },
    ];
    const session = await openText(lines.map(line => JSON.stringify(line)).join('\n'));
    const { upstream, own, isRecorded } = await requestPromptIr(session, 0, identity);
    assert.equal(isRecorded, false);
    assert.equal('sourceRequestHash' in upstream, false);
    assert.deepEqual(
      own.map(({ upstreamSpan }) => upstreamSpan),
      upstream.blocks.map(({ spanId }) => spanId),
    );
  });
});
