import assert from 'node:assert/strict';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { arrayAt, isArray, member, stringAt, valueAt } from '../../../src/core/base/json';
import type { Block } from '../../../src/core/model/block';
import { filesBelow, readUnpacked, shared, skipWithout } from '../../fixtures/sharedFiles';
import { allTexts, blocksOf, openBytes, type OpenedTranscript } from '../../fixtures/transcriptBytes';

const mark = { cache_control: { type: 'ephemeral' } };
const text = (value: string) => ({ type: 'text', text: value });
const tool = (name: string) => ({ name, description: `Use ${name}.`, input_schema: { type: 'object' } });

async function open(request: object): Promise<OpenedTranscript & { readonly shown: readonly string[] }> {
  const opened = await openBytes(
    JSON.stringify({ model: 'claude-sonnet-4-5', max_tokens: 100, ...request }, undefined, 2),
  );
  const texts = await allTexts(opened);
  const blocks = blocksOf(opened.transcript, opened.transcript.requests[0]);
  const shown = blocks.map(
    (block, position) =>
      `${block.role} ${block.kind}: ${block.kind === 'toolSchema' ? block.label : (texts[position] ?? '')}`,
  );
  return { ...opened, shown };
}

describe('an Anthropic request', () => {
  it('is tools, system and messages, in this order whatever the file’s', async () => {
    const { shown, transcript } = await open({
      messages: [{ role: 'user', content: 'Hello' }],
      system: 'You help.',
      tools: [tool('Read'), { type: 'web_search_20250305', name: 'web_search' }],
    });
    assert.deepEqual(shown, [
      'system toolSchema: Read',
      'system toolSchema: web_search',
      'system systemPrompt: You help.',
      'user prompt: Hello',
    ]);
    assert.equal(transcript.format, 'anthropic-request');
    assert.equal(transcript.requests.length, 1);
    assert.equal(transcript.requests[0]?.complete, true);
    assert.equal(transcript.requests[0].model, 'claude-sonnet-4-5');
    assert.equal(transcript.title, 'Hello');
  });

  it('knows results that an earlier prune took out by the notice in their place', async () => {
    const results = [
      '[Old tool result content cleared]',
      '[内容已修剪 - 原文超过 2000 字符]',
      'It printed "[Old tool result content cleared]".',
    ];
    const { transcript } = await open({
      messages: results.flatMap((content, index) => [
        { role: 'assistant', content: [{ type: 'tool_use', id: `toolu_${index}`, name: 'Bash', input: {} }] },
        { role: 'user', content: [{ type: 'tool_result', tool_use_id: `toolu_${index}`, content }] },
      ]),
    });
    assert.deepEqual(
      [...transcript.blocks]
        .filter(({ kind }) => kind === 'toolResult')
        .map(({ cleared }) => cleared === true),
      [true, true, false],
    );
  });

  it('says where its cache breakpoints stand', async () => {
    const { transcript } = await open({
      tools: [tool('Read'), { ...tool('Bash'), ...mark }],
      system: [text('One.'), { type: 'unheard-of' }, { ...text('Two.'), ...mark }],
      messages: [
        { role: 'user', content: [text('Go <system-reminder>note</system-reminder>')] },
        { role: 'assistant', content: [{ type: 'tool_use', id: 't', name: 'Read', input: {} }] },
        {
          role: 'user',
          content: [{ type: 'tool_result', tool_use_id: 't', content: 'out', ...mark }, text('on')],
        },
      ],
    });
    const [request] = transcript.requests;
    const marked = request?.breakpoints?.map(position => blocksOf(transcript, request)[position]);
    assert.deepEqual(
      marked?.map(block => block?.label),
      ['Bash', 'Two.', 'Read'],
    );
    assert.deepEqual(request?.breakpoints, [1, 4, 8]);
  });

  it('marks its last block where caching is automatic', async () => {
    const { transcript } = await open({ ...mark, system: 'S', messages: [{ role: 'user', content: 'Go' }] });
    assert.deepEqual(transcript.requests[0]?.breakpoints, [1]);
  });

  it('holds documents, images, server tools, summaries and messages in the system’s name', async () => {
    const document = (source: object) => ({ type: 'document', title: 'A report', source });
    const { shown, transcript } = await open({
      system: 'S',
      messages: [
        {
          role: 'user',
          content: [
            document({ type: 'text', media_type: 'text/plain', data: 'The report.' }),
            document({ type: 'base64', media_type: 'application/pdf', data: 'JVBERi0=' }),
            document({ type: 'file', file_id: 'file_1' }),
            { type: 'image', source: { type: 'url', url: 'https://pictures.example/a.png' } },
            text('Read this.'),
          ],
        },
        {
          role: 'assistant',
          content: [
            { type: 'compaction', content: 'What was.' },
            { type: 'server_tool_use', id: 'w', name: 'web_search', input: { query: 'x' } },
            {
              type: 'web_search_tool_result',
              tool_use_id: 'w',
              content: [{ type: 'web_search_result', url: 'https://a.example' }],
            },
            { type: 'code_execution_tool_result', tool_use_id: 'c', content: { stdout: '4' } },
            text('Found.'),
          ],
        },
        { role: 'system', content: 'The date has changed.' },
      ],
    });
    const file = JSON.stringify(document({ type: 'file', file_id: 'file_1' }));
    assert.deepEqual(shown, [
      'system systemPrompt: S',
      'user other: The report.',
      'user other: JVBERi0=',
      `user other: ${file}`,
      'user image: https://pictures.example/a.png',
      'user prompt: Read this.',
      'assistant summary: What was.',
      'assistant toolCall: {"query":"x"}',
      'tool toolResult: [{"type":"web_search_result","url":"https://a.example"}]',
      'tool toolResult: {"stdout":"4"}',
      'assistant assistant: Found.',
      'system injected: The date has changed.',
    ]);
    const [, , pdf] = transcript.blocks;
    assert.equal(pdf?.size.characters, 0);
    assert.equal(transcript.blocks.at(8)?.provenance, 'retrieval');
  });

  it('takes the usage of a captured exchange', async () => {
    const { transcript } = await open({
      system: 'S',
      messages: [],
      usage: {
        input_tokens: 7,
        cache_read_input_tokens: 70,
        cache_creation_input_tokens: 700,
        output_tokens: 9,
        cache_creation: { ephemeral_5m_input_tokens: 700 },
      },
    });
    assert.deepEqual(transcript.requests[0]?.usage, {
      input: 7,
      cacheRead: 70,
      cacheWrite: 700,
      output: 9,
      cacheLifetime: 300,
    });
  });

  it('finds the place of each part in the file', async () => {
    const request = {
      model: 'm',
      system: 'Sé',
      messages: [{ role: 'user', content: [text('😀'), text('two')] }],
    };
    const file = JSON.stringify(request, undefined, 2);
    const { transcript } = await openBytes(file);
    const bytes = Buffer.from(file);
    const parts = [...transcript.blocks].map(({ source: { offset, length } }): unknown =>
      JSON.parse(bytes.toString('utf8', offset, offset + length)),
    );
    assert.deepEqual(parts, ['Sé', '😀', 'two']);
    assert.deepEqual(
      [...transcript.blocks].map(({ source }) => source.line),
      [3, 10, 14],
    );
  });
});

/** Every text of the messages, found without the program's own walk. */
function textsOfMessages(document: unknown): readonly string[] {
  return arrayAt(document, 'messages').flatMap(message => {
    const content = member(message, 'content');
    return typeof content === 'string'
      ? [content]
      : (isArray(content) ? content : []).flatMap(item => {
          const inner = member(item, 'content');
          return (
            stringAt(item, 'text') ??
            stringAt(item, 'thinking') ??
            (typeof inner === 'string' ? inner : JSON.stringify(inner ?? member(item, 'input')))
          );
        });
  });
}

describe('recorded Anthropic requests', { skip: skipWithout('samples', 'raw-api') }, () => {
  const files = filesBelow(join(shared, 'samples', 'raw-api'), '.json').filter(path =>
    path.includes('anthropic-request'),
  );
  for (const path of files) {
    it(`holds every text of ${path.slice(shared.length)} in order`, async () => {
      const bytes = readUnpacked(path);
      const document: unknown = JSON.parse(bytes.toString());
      const opened = await openBytes(bytes);
      const texts = await allTexts(opened);
      const blocks: readonly Block[] = [...opened.transcript.blocks];
      const tools = arrayAt(document, 'tools').length;
      const system = arrayAt(document, 'system').length;
      assert.equal(blocks.filter(({ kind }) => kind === 'toolSchema').length, tools);
      assert.equal(blocks.filter(({ kind }) => kind === 'systemPrompt').length, system);
      assert.equal(texts.slice(tools + system).join(''), textsOfMessages(document).join(''));
      assert.equal(valueAt(document, ['model']), opened.transcript.requests[0]?.model);
    });
  }
});
