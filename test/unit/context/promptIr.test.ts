import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { describe, it } from 'node:test';
import { canonicalJson, digest, normalizeWhitespace } from '../../../src/core/base/canonicalJson';
import type { AnnotatedRequest, AnnotatedTool } from '../../../src/core/context/annotatedRequest';
import { buildPromptIr } from '../../../src/core/context/promptIrBuilder';
import type { PromptIR } from '../../../src/core/model/promptIr';
import { assertLinear } from '../../fixtures/linearWork';

const identity = {
  irId: '7c9e6679-7425-40de-944b-e07fc1f90ae7',
  createdAt: '2026-05-03T12:00:00Z',
  withSourceHash: true,
};
const build = (request: AnnotatedRequest): PromptIR => buildPromptIr(request, identity);
const sha256 = (text: string) => `sha256:${createHash('sha256').update(text).digest('hex')}`;

const readTool: AnnotatedTool = {
  name: 'read',
  definition: {
    type: 'function',
    function: { name: 'read', parameters: { type: 'object' }, description: 'Reads  a file' },
  },
};
const canonicalReadTool =
  '{"function":{"description":"Reads  a file","name":"read","parameters":{"type":"object"}},"type":"function"}';

/** span id, content type, provenance, content */
const rows = (ir: PromptIR) =>
  ir.blocks.map(block => [block.spanId, block.contentType, block.provenance, block.content]);

describe('canonical JSON', () => {
  it('is RFC 8785', () => {
    // The keys of RFC 8785, section 3.2.3: sorted by UTF-16 units, so the emoji comes before U+FB33.
    const keys = { '\u20ac': 1, '\r': 2, '\ufb33': 3, '1': 4, '\u{1f600}': 5, '\u0080': 6, '\u00f6': 7 };
    assert.equal(
      canonicalJson(keys),
      '{"\\r":2,"1":4,"\u0080":6,"\u00f6":7,"\u20ac":1,"\u{1f600}":5,"\ufb33":3}',
    );
    assert.equal(
      canonicalJson([1e21, 1e-7, 0.000001, -0, Number('333333333.33333329')]),
      '[1e+21,1e-7,0.000001,0,333333333.3333333]',
    );
    assert.throws(() => canonicalJson(undefined), TypeError);
  });

  it('is digested with SHA-256', () => {
    assert.equal(digest('abc'), 'sha256:ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad');
    assert.equal(digest('好🚀'), sha256('好🚀'));
  });
});

describe('whitespace for comparison', () => {
  it('loses runs, indentation and both ends, and keeps newlines', () => {
    const cases: readonly (readonly [text: string, normalized: string])[] = [
      ['  a \t b  ', 'a b'],
      ['a  \n\n   b', 'a\n\n b'],
      ['a\r\nb', 'a\nb'],
      ['a \n \n b', 'a\n\n b'],
      ['a\u00a0\u2003\u0085b', 'a b'],
      ['\ufeffa\ufeff b', '\ufeffa\ufeff b'],
      ['\n \u3000\n', ''],
      ['', ''],
    ];
    for (const [text, normalized] of cases) {
      assert.equal(normalizeWhitespace(text), normalized, JSON.stringify(text));
    }
  });

  it('takes linear time', async () => {
    const spaced = (length: number): string => `a${' '.repeat(length)}b`;
    await assertLinear(1_000_000, spaced, text => assert.equal(normalizeWhitespace(text), 'a b'));
  });
});

describe('Prompt IR builder', () => {
  it('puts tools and response format before the first message that instructs nobody', () => {
    const ir = build({
      instructions: 'Be brief.',
      messages: [
        { role: 'system', content: 'Rules' },
        { role: 'developer', content: 'Style' },
        { role: 'user', content: 'Hi' },
        { role: 'system', content: 'Later' },
      ],
      tools: [readTool, { ...readTool, name: 'again' }],
      responseFormat: { type: 'json_object' },
    });
    assert.deepEqual(rows(ir), [
      ['system-0-instructions', 'text', 'system', 'Be brief.'],
      ['system-1', 'text', 'system', 'Rules'],
      ['system-2-developer', 'text', 'developer', 'Style'],
      ['system-3-read', 'tool_schema', 'system', canonicalReadTool.replace('  ', ' ')],
      ['system-4-again', 'tool_schema', 'system', canonicalReadTool.replace('  ', ' ')],
      ['system-5-structured-output', 'structured_output', 'system', '{"type":"json_object"}'],
      ['user-6', 'text', 'user', 'Hi'],
      ['system-7', 'text', 'system', 'Later'],
    ]);
    assert.deepEqual(ir.toolSchemaHashes, [
      { toolName: 'read', schemaHash: sha256(canonicalReadTool) },
      { toolName: 'again', schemaHash: sha256(canonicalReadTool) },
    ]);
    assert.equal(ir.structuredOutputSchemaId, sha256('{"type":"json_object"}'));
    assert.deepEqual(
      ir.blocks.map(block => block.sequenceIndex),
      [0, 1, 2, 3, 4, 5, 6, 7],
    );
    assert.ok(ir.blocks.every(block => block.sensitivity === 'public' && block.tokenMetadata === undefined));
  });

  it('puts them last where everything instructs, and knows an empty list from none', () => {
    const ir = build({
      messages: [{ role: 'system', content: 'Rules' }],
      tools: [readTool],
      responseFormat: null,
    });
    assert.deepEqual(
      ir.blocks.map(block => block.spanId),
      ['system-0', 'system-1-read'],
    );
    assert.equal(ir.structuredOutputSchemaId, undefined);
    assert.deepEqual(build({ messages: [], tools: [] }).toolSchemaHashes, []);
    assert.equal('toolSchemaHashes' in build({ messages: [] }), false);
  });

  it('makes one block of a text, and one of each call', () => {
    const call = { id: 'c1', type: 'function', function: { name: 'read', arguments: '{"a":  1}' } };
    const ir = build({
      messages: [
        { role: 'assistant', content: '', toolCalls: [call] },
        { role: 'assistant', toolCalls: [call] },
        { role: 'tool', content: 'out', toolCallId: 'c1' },
        { role: 'function', content: null, name: 'old' },
      ],
    });
    const callText = '{"function":{"arguments":"{\\"a\\": 1}","name":"read"},"id":"c1","type":"function"}';
    assert.deepEqual(rows(ir), [
      ['assistant-0', 'text', 'developer', ''],
      ['assistant-1-read', 'text', 'developer', callText],
      ['assistant-2-read', 'text', 'developer', callText],
      ['tool-3-c1', 'tool_result', 'tool', 'out'],
      ['tool-4-old', 'text', 'tool', ''],
    ]);
    assert.equal(ir.blocks[4]?.role, 'tool');
  });

  it('writes items among the messages as canonical JSON', () => {
    const ir = build({
      messages: [
        { role: 'tool_call', callId: 'c', name: 'n', arguments: { b: 1, a: 2 }, extra: { status: 'done' } },
        { role: 'tool_result', id: 'i', callId: 'c', output: ['x'] },
        { role: 'provider_native', provider: 'p', kind: 'k', value: null },
      ],
    });
    assert.deepEqual(rows(ir), [
      [
        'assistant-0-n',
        'text',
        'developer',
        '{"arguments":{"a":2,"b":1},"call_id":"c","name":"n","role":"tool_call","status":"done"}',
      ],
      ['tool-1-c', 'text', 'tool', '{"call_id":"c","id":"i","output":["x"],"role":"tool_result"}'],
      ['user-2-k', 'text', 'developer', '{"kind":"k","provider":"p","role":"provider_native","value":null}'],
    ]);
  });

  it('takes the text of each part, images none, everything else as compact JSON', () => {
    const ir = build({
      messages: [
        {
          role: 'user',
          content: [
            { type: 'text', text: 'one' },
            { type: 'image_url', imageUrl: { url: 'https://example.invalid/a.png' } },
            { type: 'text', text: '' },
            { type: 'refusal', refusal: 'no' },
            { type: 'tool_use', id: 'i', name: 'n', input: { b: 1, a: 1.5 }, extra: { z: 1, y: 2 } },
            { type: 'tool_result', toolUseId: 'i', content: 'r', isError: true },
            { type: 'audio', audio: { data: 'AA==' } },
          ],
        },
      ],
    });
    assert.equal(
      ir.blocks[0]?.content,
      [
        'one',
        'no',
        '{"type":"tool_use","id":"i","name":"n","input":{"a":1.5,"b":1},"y":2,"z":1}',
        '{"type":"tool_result","tool_use_id":"i","content":"r","is_error":true}',
        '{"type":"audio","audio":{"data":"AA=="}}',
      ].join('\n'),
    );
  });

  it('hashes the whole request in its JSON form', () => {
    const ir = build({
      messages: [
        { role: 'user', content: [{ type: 'text', text: 'Hi  there', extra: { cache_control: null } }] },
        { role: 'assistant', toolCalls: [] },
        { role: 'tool', content: 'r', toolCallId: 'c' },
        { role: 'function', content: null, name: 'f' },
      ],
      tools: [],
      responseFormat: null,
      extra: { model: 'm' },
    });
    const source =
      '{"messages":[{"content":[{"cache_control":null,"text":"Hi  there","type":"text"}],"role":"user"},' +
      '{"role":"assistant","tool_calls":[]},{"content":"r","role":"tool","tool_call_id":"c"},' +
      '{"content":null,"name":"f","role":"function"}],"model":"m","response_format":null,"tools":[]}';
    assert.equal(ir.sourceRequestHash, sha256(source));
    assert.equal(ir.irId, identity.irId);
    assert.equal(ir.createdAt, identity.createdAt);
  });

  it('on request gives images their own blocks and labels every block', () => {
    const ir = buildPromptIr(
      {
        messages: [
          {
            role: 'user',
            content: [
              { type: 'text', text: 'look' },
              { type: 'image_url', imageUrl: { url: 'https://example.invalid/a.png', detail: 'low' } },
            ],
          },
          { role: 'tool', content: [{ type: 'image', image: { data: 'AA==' } }], toolCallId: 'c' },
        ],
      },
      {
        ...identity,
        imageBlocks: true,
        classify: block =>
          block.contentType === 'image'
            ? { provenance: 'retrieval', sensitivity: 'private' }
            : { provenance: block.provenance, sensitivity: block.sensitivity },
      },
    );
    assert.deepEqual(rows(ir), [
      ['user-0', 'text', 'user', 'look'],
      [
        'user-1-image',
        'image',
        'retrieval',
        '{"type":"image_url","image_url":{"detail":"low","url":"https://example.invalid/a.png"}}',
      ],
      ['tool-2-image', 'image', 'retrieval', '{"type":"image","image":{"data":"AA=="}}'],
    ]);
    assert.deepEqual(
      ir.blocks.map(block => block.sensitivity),
      ['public', 'private', 'private'],
    );
  });
});
