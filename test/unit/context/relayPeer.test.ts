import assert from 'node:assert/strict';
import { join, relative } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { member } from '../../../src/core/base/json';
import { isJsonValue, type JsonValue, type JsonValueObject } from '../../../src/core/base/jsonValue';
import { exportContext } from '../../../src/core/export/contextExport';
import { promptIrToJson } from '../../../src/core/model/promptIr';
import type { Protocol } from '../../../src/core/model/protocol';
import { requestPromptIr } from '../../../src/core/questions/renderedRequest';
import type { TranscriptSession } from '../../../src/core/session/transcriptSession';
import { type RelayPeer, startRelayPeer } from '../../fixtures/relayPeer';
import { filesBelow, readUnpacked, shared, skipWithout } from '../../fixtures/sharedFiles';
import { someOf } from '../../fixtures/variants';
import { comparePromptIr } from '../../golden/relayCases';
import { countingScanner, openText } from '../session/openText';

const identity = { irId: '00000000-0000-4000-8000-000000000001', createdAt: '2026-01-01T00:00:00Z' };

/** A raw request, and the Prompt IR that is exported for it. */
interface Exported {
  readonly body: JsonValue;
  /** Undefined if the request is not in upstream's form, because upstream refuses it. */
  readonly ir: unknown;
}

/** Opens records of raw requests, one per line, and exports every request that upstream has a codec for. */
async function exportRequests(text: string): Promise<ReadonlyMap<Protocol, readonly Exported[]>> {
  const session = await openText(text);
  const lines = text.split('\n');
  const exported = new Map<Protocol, Exported[]>();
  for (const [request, { body, line }] of session.transcript.requests.entries()) {
    if (body !== undefined) {
      const raw = member(JSON.parse(lines[line - 1] ?? ''), 'body');
      assert.ok(isJsonValue(raw));
      const list = exported.get(body.api) ?? [];
      exported.set(body.api, list);
      list.push({ body: raw, ir: await exportedIr(session, request, list.length === 0) });
    }
  }
  return exported;
}

/** The Prompt IR of a request. The whole export is made once for each API, because it takes long. */
async function exportedIr(session: TranscriptSession, request: number, isWhole: boolean): Promise<unknown> {
  if (isWhole) {
    const scanner = countingScanner();
    const context = await exportContext({ session, request, scanner, identity }, undefined);
    assert.equal(context['promptIrOf'], 'recorded request');
    return context['promptIr'];
  }
  const { upstream, isRecorded } = await requestPromptIr(session, request, identity);
  return isRecorded ? promptIrToJson(upstream) : undefined;
}

function withoutIdentity(ir: unknown): JsonValueObject {
  assert.ok(typeof ir === 'object' && ir !== null && isJsonValue(ir));
  return Object.fromEntries(Object.entries(ir).filter(([name]) => name !== 'ir_id' && name !== 'created_at'));
}

describe('Prompt IR beside NeMo Relay', () => {
  let started: RelayPeer | string = 'not started';
  before(async () => {
    started = await startRelayPeer();
  });
  after(() => {
    if (typeof started !== 'string') {
      started.close();
    }
  });

  const compare = async (text: string): Promise<number | string> => {
    if (typeof started === 'string') {
      return started;
    }
    let compared = 0;
    for (const [api, list] of await exportRequests(text)) {
      for (const { body } of list.filter(({ ir }) => ir === undefined)) {
        await assert.rejects(started.decode(api, body));
      }
      const known = list.filter(({ ir }) => ir !== undefined);
      const theirs = await started.promptIrs(
        api,
        known.map(({ body }) => body),
      );
      assert.equal(theirs.length, known.length);
      for (const [index, { ir }] of known.entries()) {
        // Compared as text, so that the order counts too.
        assert.equal(JSON.stringify(withoutIdentity(ir)), JSON.stringify(withoutIdentity(theirs[index])));
        compared += 1;
      }
    }
    return compared;
  };

  const runs = join(shared, 'agent-runs');
  for (const file of someOf(filesBelow(runs, 'raw-requests.jsonl', 'raw-requests.jsonl.gz'), 1)) {
    it(`is the same for ${relative(runs, file)}`, { skip: skipWithout('agent-runs') }, async test => {
      const compared = await compare(readUnpacked(file).toString('utf8'));
      if (typeof compared === 'string') {
        test.skip(compared);
      }
    });
  }

  it('is the same for what agents rarely send', async test => {
    const text = rareRequests.map(record => JSON.stringify(record)).join('\n');
    const compared = await compare(text);
    if (typeof compared === 'string') {
      test.skip(compared);
    } else {
      assert.equal(compared, rareRequests.length);
    }
  });

  it('is the same for requests in upstream’s own form', async test => {
    if (typeof started === 'string') {
      test.skip(started);
      return;
    }
    const theirs = await started.promptIrs('annotated', ownForm);
    assert.equal(theirs.length, ownForm.length);
    for (const [index, annotated] of ownForm.entries()) {
      assert.deepEqual(
        comparePromptIr({ annotated, ir: theirs[index] ?? null }),
        [],
        JSON.stringify(annotated),
      );
    }
  });
});

const numbers = {
  ...{
    a: 1,
    b: 1.5,
    c: 1e21,
    d: -0,
    e: 1e-7,
    f: 1e-5,
    g: 2 ** 32 - 1,
    h: 2 ** 32,
    i: -(2 ** 31),
    j: -(2 ** 31) - 1,
  },
  ...{ k: 1e15, l: 1e16, m: 123456.789, n: 1_700_000_000_000, o: 0.0001, p: 5e-324, q: -1e22, r: 1.5e-10 },
};

const messages = '/v1/messages';
const chat = '/v1/chat/completions';
const responses = '/v1/responses';
const gemini = '/v1beta/models/gemini-3-flash:generateContent';

/** Raw requests with members, parts and tools of every kind that the codecs distinguish. */
const rareRequests = [
  {
    path: messages,
    body: {
      model: 'claude-sonnet-4-5',
      max_tokens: 9,
      temperature: 0.5,
      stop_sequences: ['x'],
      top_k: 3,
      system: [{ type: 'text', text: ' s  s ', cache_control: { type: 'ephemeral' } }],
      metadata: { user_id: 'u' },
      thinking: { type: 'enabled', budget_tokens: 5_000_000_000 },
      output_config: { format: { type: 'json_schema', schema: { description: 'a  b' } }, effort: 'low' },
      tool_choice: { type: 'tool', name: 'T', disable_parallel_tool_use: true },
      context_management: { edits: [numbers] },
      response_format: { description: 'c   d', a: 1e21 },
      tools: [
        { name: 'T', description: null, strict: null, input_schema: { z: 1, é: numbers } },
        { name: 'C', type: 'custom', input_schema: null, cache_control: { type: 'ephemeral' }, strict: true },
        { name: 'D', type: null, input_schema: {} },
        { name: 'N', description: 'no schema' },
        { type: 'web_search_20250305', name: 'web_search', max_uses: 5 },
      ],
      messages: [
        { role: 'system', content: 'in the middle' },
        {
          role: 'user',
          content: [
            { type: 'text', text: 'one' },
            { type: 'text', text: '' },
            { type: 'image', source: { type: 'url', url: 'https://example.invalid/a.png' } },
            { type: 'document', source: { type: 'text', data: 'd  d' }, title: 't' },
            { type: 'search_result', title: 'r', content: [] },
          ],
        },
        {
          role: 'assistant',
          content: [
            { type: 'thinking', thinking: 't  t', signature: 's' },
            { type: 'redacted_thinking', data: 'AA==' },
            { type: 'tool_use', id: 'i', name: 'T', input: numbers, caller: { type: 'direct' } },
            { type: 'server_tool_use', id: 'j', name: 'web_search', input: {} },
          ],
        },
        {
          role: 'user',
          content: [
            {
              type: 'tool_result',
              tool_use_id: 'i',
              content: [{ type: 'text', text: 'r  r' }],
              is_error: true,
            },
            { type: 'tool_result', tool_use_id: 'k', content: null, is_error: null },
          ],
        },
        { role: 'assistant', content: 'kept whole', id: 'msg_1' },
        { role: 'assistant', content: [] },
      ],
    },
  },
  {
    path: messages,
    body: { model: 'claude-haiku-4-5', tools: [], messages: [{ role: 'user', content: 'plain' }] },
  },
  { path: `${messages}?beta=true`, body: { model: 'm', messages: [{ role: 'user', content: 'plain too' }] } },
  {
    path: chat,
    body: {
      model: 'gpt-5',
      max_completion_tokens: 7,
      max_tokens: 8,
      stop: 'end',
      seed: -3,
      n: 1,
      modalities: ['text'],
      stream_options: { include_usage: true },
      response_format: { type: 'json_schema', json_schema: { name: 'n', schema: { description: 'e  f' } } },
      tool_choice: { type: 'function', function: { name: 'f' } },
      unknown_member: { deep: numbers },
      tools: [
        {
          type: 'function',
          function: { name: 'f', parameters: null, strict: false, extra: 1 },
          cache: { a: 1 },
        },
        { type: 'custom', custom: { name: 'g', format: { type: 'text' } } },
      ],
      messages: [
        { role: 'developer', content: 'style', name: 'dev' },
        { role: 'system', content: [{ type: 'text', text: 'rules' }] },
        {
          role: 'user',
          content: [
            { type: 'text', text: 'look' },
            { type: 'image_url', image_url: { url: 'data:image/png;base64,AA==', detail: 'low', more: 1 } },
            { type: 'input_audio', input_audio: { data: 'AA==', format: 'wav' }, level: 1.25 },
            { type: 'file', file: { file_id: 'f', size: 5_000_000_000 } },
            { type: 'other', value: numbers },
          ],
        },
        {
          role: 'assistant',
          content: null,
          tool_calls: [{ id: 'c1', type: 'function', function: { name: 'f', arguments: '{"a":  1}' } }],
        },
        { role: 'tool', tool_call_id: 'c1', content: [{ type: 'text', text: 'out' }] },
        { role: 'tool', tool_call_id: 'c2', content: 'named', name: 'f' },
        { role: 'assistant', content: 'with thoughts', reasoning_content: 'hm' },
        {
          role: 'assistant',
          content: 'own call',
          tool_calls: [{ id: 'c3', index: 0, type: 'function', function: { name: 'f', arguments: '' } }],
        },
        { role: 'assistant', content: [{ type: 'refusal', refusal: 'no' }], tool_calls: [] },
        { role: 'function', name: 'old', content: null },
      ],
    },
  },
  { path: chat, body: { model: 'gpt-5', stop: null, tools: [], messages: [{ role: 'user', content: '' }] } },
  {
    path: responses,
    body: {
      model: 'gpt-6',
      instructions: 'be  brief',
      max_output_tokens: 11,
      truncation: null,
      include: ['reasoning.encrypted_content'],
      reasoning: { effort: 'low' },
      text: { format: { type: 'json_schema', name: 'n', schema: { description: 'g  h' } } },
      tool_choice: { type: 'allowed_tools', tools: [] },
      client_metadata: { at: 1_700_000_000_000 },
      tools: [
        {
          type: 'function',
          name: 'f',
          description: null,
          parameters: { b: 1, a: 2 },
          strict: false,
          more: 1,
        },
        { type: 'function', function: { name: 'w', parameters: {} }, outer: 1 },
        { type: 'custom', name: 'apply_patch', format: { type: 'grammar' } },
        { type: 'web_search' },
      ],
      input: [
        { type: 'message', role: 'developer', content: [{ type: 'input_text', text: 'rules' }] },
        { role: 'user', content: 'plain' },
        { type: 'message', role: 'user', id: 'kept', content: [{ type: 'input_text', text: 'whole' }] },
        {
          role: 'user',
          content: [
            { type: 'input_image', image_url: 'data:image/png;base64,AA==', detail: 'auto' },
            { type: 'input_file', file_id: 'f', size: 5_000_000_000 },
            { type: 'input_other', value: numbers },
          ],
        },
        { type: 'reasoning', id: 'rs', summary: [], encrypted_content: 'AA' },
        {
          type: 'message',
          role: 'assistant',
          content: [{ type: 'output_text', text: 'a', annotations: [] }],
        },
        {
          type: 'function_call',
          id: null,
          call_id: 'c',
          name: 'f',
          arguments: '{"n": 1.0, "big": 1234567890123}',
        },
        { type: 'function_call', call_id: 'd', name: 'f', arguments: 'not {json', status: 'completed' },
        { type: 'function_call', call_id: 'e', name: 'f', arguments: '{"half":"\\ud800"}' },
        { type: 'function_call', call_id: 'g', name: 'f', arguments: '{"huge":1e999}' },
        { type: 'function_call', call_id: 'h', name: 'f', arguments: `${'['.repeat(127)}${']'.repeat(127)}` },
        { type: 'function_call', call_id: 'i', name: 'f', arguments: `${'['.repeat(128)}${']'.repeat(128)}` },
        { type: 'function_call_output', id: 'o', call_id: 'c', output: [{ type: 'input_text', text: 'x' }] },
        { type: 'custom_tool_call', call_id: 'p', name: 'apply_patch', input: '*** Begin' },
      ],
    },
  },
  { path: responses, body: { model: 'gpt-6', tools: [], input: 'just a text' } },
  {
    path: gemini,
    body: {
      model: 'models/gemini-3-flash',
      systemInstruction: { parts: [{ text: 'be  brief' }, { text: 'rules' }] },
      generationConfig: {
        ...{ temperature: 0.5, topP: 0.25, topK: 3, maxOutputTokens: 9, stopSequences: ['x'] },
        responseSchema: { type: 'OBJECT' },
      },
      safetySettings: [{ category: 'c' }],
      toolConfig: { functionCallingConfig: { mode: 'ANY', allowedFunctionNames: ['f'] } },
      tools: [
        {
          functionDeclarations: [
            { name: 'f', description: 'd  d', parameters: { b: 1, a: numbers } },
            { name: 'g', parametersJsonSchema: { type: 'object' }, behavior: 'BLOCKING' },
          ],
          googleSearch: {},
        },
        { urlContext: {}, codeExecution: {} },
        { function_declarations: [{ name: 'h' }] },
        { functionDeclarations: [] },
      ],
      contents: [
        { parts: [{ text: 'one' }, { text: '' }, { text: 'two' }] },
        {
          role: 'user',
          parts: [
            { text: 'look', videoMetadata: { fps: 1 } },
            { inlineData: { mimeType: 'image/png', data: 'AA==' } },
            { fileData: { fileUri: 'u' } },
            { inline_data: { data: 'AA==' } },
          ],
        },
        { role: 'model', parts: [{ text: 'hm', thought: true }] },
        {
          role: 'model',
          parts: [
            { text: 'calling' },
            { functionCall: { name: 'f', args: numbers }, thoughtSignature: 's' },
            { functionCall: { id: 'i', name: 'f' }, thought: true },
          ],
        },
        {
          role: 'user',
          parts: [
            { functionResponse: { name: 'f', response: { output: 'x  x', a: 1 } }, more: 1 },
            { functionResponse: { id: 'i', name: 'f', response: {}, willContinue: true } },
            {
              functionResponse: {
                id: 'j',
                name: 'f',
                response: {},
                parts: [{ inlineData: {} }, { text: 't' }],
              },
            },
          ],
        },
        { role: 'model', parts: [{ executableCode: { code: 'x' } }, { text: 'z', thoughtSignature: 's' }] },
      ],
    },
  },
  // Members that a codec does not know, with names of upstream's own form.
  {
    path: messages,
    body: { model: 'm', store: null, params: null, reasoning: 1, instructions: 'i', messages: [] },
  },
  { path: chat, body: { model: 'm', include: null, instructions: [], response_format: null, messages: [] } },
  {
    path: responses,
    body: {
      model: 'm',
      params: { temperature: null, more: 1 },
      messages: [{ role: 'user', content: 'm' }],
      input: 'i',
    },
  },
];

/** Requests in upstream's form with members that it leaves out. */
const ownForm: readonly JsonValueObject[] = [
  {},
  { params: { temperature: null, max_tokens: 4096, top_p: 1e-7, stop: [], unknown: 1 } },
  { params: {}, tool_choice: 'auto', store: null, model: '', metadata: [1], unknown: null },
  { tool_choice: { type: 'function', function: { name: 'f', more: 1 }, other: 2 } },
  { tool_choice: { type: 'provider_native', provider: 'p', kind: 'k', value: null } },
  { api_specific: { api: 'openai_chat', audio: 1, n: null, seed: -1, functions: [], unknown: 1 } },
  {
    api_specific: { api: 'openai_responses', background: true, text: 't', context_management: 1, unknown: 1 },
  },
  {
    api_specific: {
      api: 'anthropic_messages',
      top_k: 1,
      thinking: null,
      user_profile_id: 'u',
      api_name: 'n',
    },
  },
  { api_specific: { api: 'oci_genai', serving_mode: [1], compartment_id: null, unknown: 1 } },
  { api_specific: { api: 'custom', api_name: 'n', data: null, unknown: 1 } },
];
