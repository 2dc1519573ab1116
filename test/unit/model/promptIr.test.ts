import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { isSpanId, promptIrToJson, spanId } from '../../../src/core/model/promptIr';
import { promptIrFromJson } from '../../fixtures/promptIrFromJson';

const json = {
  ir_id: '7c9e6679-7425-40de-944b-e07fc1f90ae7',
  blocks: [
    {
      span_id: 'system-0',
      sequence_index: 0,
      role: 'system',
      content: 'Rules',
      content_type: 'text',
      provenance: 'system',
      sensitivity: 'restricted',
      token_metadata: { model_family: 'gpt', token_count: 1 },
    },
    {
      span_id: 'tool-1-call_1',
      sequence_index: 1,
      role: 'tool',
      content: '',
      content_type: 'tool_result',
      provenance: 'tool',
      sensitivity: 'public',
    },
  ],
  tool_schema_hashes: [{ tool_name: 'read', schema_hash: 'sha256:00' }],
  structured_output_schema_id: 'sha256:01',
  source_request_hash: 'sha256:02',
  created_at: '2026-05-03T12:00:00.123456789Z',
};

function problemOf(value: unknown): string {
  const parsed = promptIrFromJson(value);
  return parsed.ok ? 'no problem' : parsed.problem;
}

describe('span ids', () => {
  it('are role, place and suffix', () => {
    assert.equal(spanId('user', 3), 'user-3');
    assert.equal(spanId('assistant', 4, 'read-file'), 'assistant-4-read-file');
    assert.equal(spanId('tool', 5, ''), 'tool-5-');
    for (const id of ['user-3', 'assistant-4-read-file', 'tool-5-', 'tool-5-a\nb']) {
      assert.equal(isSpanId(id), true, id);
    }
    for (const id of ['user', 'user-x', 'developer-1', 'user-1x', 7]) {
      assert.equal(isSpanId(id), false, String(id));
    }
  });
});

describe('Prompt IR as JSON', () => {
  it('goes back and forth without a change', () => {
    const parsed = promptIrFromJson(json);
    assert.ok(parsed.ok);
    assert.equal(parsed.value.blocks[0]?.tokenMetadata?.modelFamily, 'gpt');
    assert.equal(JSON.stringify(promptIrToJson(parsed.value)), JSON.stringify(json));
  });

  it('leaves out what is absent, reads null as absent and takes public for the default', () => {
    const { ir_id, created_at } = json;
    const parsed = promptIrFromJson({
      ir_id,
      blocks: [{ ...json.blocks[1], sensitivity: undefined, token_metadata: null }],
      tool_schema_hashes: null,
      created_at,
    });
    assert.ok(parsed.ok);
    assert.deepEqual(promptIrToJson(parsed.value), { ir_id, blocks: [json.blocks[1]], created_at });
  });

  it('keeps an empty list of tools apart from none', () => {
    const parsed = promptIrFromJson({ ...json, tool_schema_hashes: [] });
    assert.ok(parsed.ok);
    assert.deepEqual(parsed.value.toolSchemaHashes, []);
  });

  it('names the place of what is wrong', () => {
    assert.match(problemOf({ ...json, blocks: [{ ...json.blocks[0], role: 'bot' }] }), /^blocks\.0\.role: /u);
    assert.match(problemOf({ ...json, ir_id: 'x' }), /^ir_id: /u);
    assert.match(problemOf(null), /^Prompt IR: /u);
  });
});
