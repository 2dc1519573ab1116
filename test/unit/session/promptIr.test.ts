import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { requestPromptIr } from '../../../src/core/questions/renderedRequest';
import { buildRequestView, spanIds } from '../../../src/core/view/requestView';
import { openText } from './openText';

const request = {
  model: 'claude-sonnet-4-5',
  system: [{ type: 'text', text: 'You are   terse.', cache_control: { type: 'ephemeral' } }],
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
        { type: 'tool_use', id: 'toolu_1', name: 'Read', input: { file_path: '/a' } },
      ],
    },
    { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'toolu_1', content: 'a\n  b' }] },
  ],
};

describe('the Prompt IR of an opened request', () => {
  it('has the span ids of the view, and exact texts normalised', async () => {
    const session = await openText(JSON.stringify(request));
    const ir = await requestPromptIr(session, 0, {
      irId: '00000000-0000-4000-8000-000000000001',
      createdAt: '2026-01-01T00:00:00Z',
    });
    assert.deepEqual(
      ir.blocks.map(({ spanId, contentType, provenance }) => [spanId, contentType, provenance]),
      [
        ['system-0', 'text', 'system'],
        ['system-1-Read', 'tool_schema', 'system'],
        ['user-2', 'text', 'user'],
        ['user-3-image', 'image', 'user'],
        ['assistant-4', 'text', 'developer'],
        ['assistant-5-Read', 'text', 'developer'],
        ['tool-6-toolu_1', 'tool_result', 'tool'],
      ],
    );
    assert.equal(ir.blocks[0]?.content, 'You are terse.');
    assert.equal(ir.blocks[6]?.content, 'a\n b');
    const { columns } = session.toSession();
    assert.deepEqual(
      spanIds(columns, buildRequestView(columns, 0))
        .toSorted((first, second) => first.sequenceIndex - second.sequenceIndex)
        .map(({ spanId }) => spanId),
      ir.blocks.map(({ spanId }) => spanId),
    );
  });
});
