import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { describe, it, type TestContext } from 'node:test';
import { arrayAt, stringAt } from '../../../src/core/base/json';
import { TranscriptBuilder } from '../../../src/core/content/transcriptBuilder';
import {
  openaiChatConversations,
  openaiChatMessages,
  openaiChatRequest,
} from '../../../src/core/formats/api/openaiChat';
import { readUsage } from '../../../src/core/wire/usage';
import type { Block } from '../../../src/core/model/block';
import type { RecordedUsage, Transcript } from '../../../src/core/model/transcript';
import type { LineFormat } from '../../../src/core/reading/format';
import { createLocator } from '../../../src/core/reading/jsonLocator';
import { resolveText } from '../../../src/core/session/textReader';
import { lookUpModel } from '../../../src/core/tokens/modelTable';
import { requestCost } from '../../../src/core/tokens/prices';

function readDocument(text: string): Transcript {
  const value: unknown = JSON.parse(text);
  const locate = createLocator(text);
  const builder = new TranscriptBuilder();
  openaiChatRequest.read({ value, range: locate([]) }, locate, builder);
  return builder.build(openaiChatRequest.id);
}

function readLines(format: LineFormat, text: string): Transcript {
  const builder = new TranscriptBuilder();
  const reading = format.open(builder);
  let offset = 0;
  text.split('\n').forEach((line, index) => {
    const length = Buffer.byteLength(line);
    if (line !== '') {
      const value: unknown = JSON.parse(line);
      reading.push({ value, range: { line: index + 1, offset, length } });
    }
    offset += length + 1;
  });
  reading.end?.();
  return builder.build(format.id);
}

/** The text that a block refers to, read from the file's bytes using only the reference. */
function textOf(bytes: Buffer, { text }: Block): string {
  assert.ok(text.kind !== 'joined');
  if (text.kind === 'literal') {
    return text.text;
  }
  const { offset, length } = text.record;
  return resolveText(JSON.parse(bytes.subarray(offset, offset + length).toString()), text);
}

function assertTextsResolve(file: string, transcript: Transcript): void {
  const bytes = Buffer.from(file);
  for (const block of transcript.blocks) {
    const expected = textOf(bytes, block);
    assert.equal(block.size.bytes, Buffer.byteLength(expected), block.label);
    if (block.contentType !== 'image') {
      assert.equal(block.size.characters, expected.length, block.label);
    }
  }
}

const outline = (transcript: Transcript): string[] =>
  [...transcript.blocks].map(({ role, kind, provenance, partition }) =>
    [role, kind, provenance, partition].join(' '),
  );

// 3 × 2 pixels; only the header matters.
const png = Buffer.from('89504e470d0a1a0a0000000d49484452000000030000000208020000001216f14d', 'hex').toString(
  'base64',
);

const request = {
  model: 'gpt-5.5',
  messages: [
    { role: 'system', content: 'You keep the books.' },
    { role: 'developer', content: [{ type: 'text', text: 'Answer in Norwegian: blåbær 🫐.' }] },
    {
      role: 'user',
      content: [
        { type: 'text', text: '<documents>\nPosting rules, chapter 4\n</documents>' },
        { type: 'text', text: 'What does this receipt say?' },
        { type: 'image_url', image_url: { url: `data:image/png;base64,${png}` } },
        { type: 'input_audio', input_audio: { data: 'UklGRg==', format: 'wav' } },
        { type: 'file', file: { filename: 'march.pdf', file_data: 'data:application/pdf;base64,JVBERi0=' } },
      ],
    },
    {
      role: 'assistant',
      content: null,
      reasoning_content: 'The rule may have changed.',
      tool_calls: [
        {
          id: 'call_1',
          type: 'function',
          function: { name: 'web_search', arguments: '{"query":"vat rules 2026"}' },
        },
        {
          id: 'call_2',
          type: 'function',
          function: { name: 'read_file', arguments: '{"path":"books/march.csv"}' },
        },
      ],
    },
    { role: 'tool', tool_call_id: 'call_2', content: 'date,amount\n2026-03-01,4.20' },
    {
      role: 'tool',
      tool_call_id: 'call_1',
      content: [
        { type: 'text', text: 'one' },
        { type: 'text', text: 'two' },
      ],
    },
    { role: 'tool', tool_call_id: 'call_9', content: 'nobody asked' },
    { role: 'assistant', content: 'It is four.', refusal: 'I will not say more.' },
    { role: 'assistant', content: null, function_call: { name: 'post', arguments: 'not json' } },
    { role: 'function', name: 'post', content: 'posted' },
    { role: 'assistant', content: '' },
    { role: 'user', content: 'Thanks<system-reminder>Be brief.</system-reminder>' },
  ],
  tools: [
    {
      type: 'function',
      function: { name: 'web_search', description: 'Search', parameters: { type: 'object' } },
    },
  ],
  response_format: { type: 'json_schema', json_schema: { name: 'receipt', schema: { type: 'object' } } },
};

/** The place of a request's body that fills a record. */
function bodyAt(
  record: string,
  place: { readonly line: number; readonly offset: number } = { line: 1, offset: 0 },
) {
  const length = Buffer.byteLength(record);
  return { api: 'openaiChat', text: { kind: 'json', path: [], record: { ...place, length } } };
}

describe('OpenAI chat request', () => {
  const text = JSON.stringify(request, null, 2);
  const transcript = readDocument(text);

  it('puts tools first, then the messages in order, one block for each part', () => {
    assert.deepEqual(outline(transcript), [
      'system toolSchema system system',
      'system structuredOutput system system',
      'system systemPrompt system system',
      'system systemPrompt developer system',
      'user injected retrieval knowledge',
      'user prompt user history',
      'user image user history',
      'user other user knowledge',
      'user other user knowledge',
      'assistant thinking developer history',
      'assistant toolCall developer history',
      'assistant toolCall developer history',
      'tool toolResult tool history',
      'tool toolResult retrieval history',
      'tool toolResult tool history',
      'assistant assistant developer history',
      'assistant assistant developer history',
      'assistant toolCall developer history',
      'tool toolResult tool history',
      'assistant assistant developer history',
      'user prompt user history',
      'user injected system state',
    ]);
    assert.deepEqual(transcript.contexts, [[...transcript.blocks].map((_, index) => index)]);
  });

  it('is one complete request without reply or usage', () => {
    assert.deepEqual(transcript.requests, [
      {
        context: 0,
        length: 22,
        thread: 0,
        reply: [],
        complete: true,
        line: 1,
        model: 'gpt-5.5',
        body: bodyAt(text),
      },
    ]);
  });

  it('pairs results with calls and reports the one without', () => {
    const results = [...transcript.blocks].filter(block => block.kind === 'toolResult');
    assert.deepEqual(
      results.map(({ toolName, callId, label }) => [toolName, callId, label]),
      [
        ['read_file', 'call_2', 'read_file march.csv'],
        ['web_search', 'call_1', 'web_search vat rules 2026'],
        [undefined, 'call_9', 'result'],
        ['post', undefined, 'post not json'],
      ],
    );
    // Its content is on the line after its id.
    const line = text.slice(0, text.indexOf('"call_9"')).split('\n').length + 1;
    assert.deepEqual(transcript.problems, [{ kind: 'resultWithoutCall', line, count: 1 }]);
  });

  it('reads the size of an image from its header and keeps its base64 by reference', () => {
    const image = [...transcript.blocks].find(block => block.kind === 'image');
    assert.ok(image);
    assert.deepEqual(image.image, { width: 3, height: 2, mediaType: 'image/png' });
    assert.deepEqual(image.size, { characters: 0, bytes: png.length });
    assert.equal(textOf(Buffer.from(text), image), png);
  });

  it('refers to the exact text and place of every block', () => {
    assertTextsResolve(text, transcript);
    const bytes = Buffer.from(text);
    const developer = transcript.blocks.at(3);
    assert.ok(developer);
    const { offset, length } = developer.source;
    assert.equal(bytes.subarray(offset, offset + length).toString(), '"Answer in Norwegian: blåbær 🫐."');
  });

  it('takes answer and usage that stand in the same object', () => {
    const document = JSON.stringify({
      model: 'deepseek-chat',
      created: 1_760_000_000,
      messages: [{ role: 'user', content: 'Hi' }],
      choices: [{ message: { role: 'assistant', content: 'Hello' } }],
      usage: { prompt_tokens: 50, completion_tokens: 7, prompt_cache_hit_tokens: 20 },
    });
    const whole = readDocument(document);
    assert.deepEqual(whole.requests, [
      {
        context: 0,
        length: 1,
        thread: 0,
        reply: [1],
        complete: true,
        line: 1,
        model: 'deepseek-chat',
        usage: { input: 30, cacheRead: 20, cacheWrite: 0, output: 7 },
        timestamp: 1_760_000_000_000,
        body: bodyAt(document),
      },
    ]);
  });
});

describe('detection', () => {
  const plain = { model: 'm', messages: [{ role: 'user', content: 'Hi' }] };
  it('takes a request of plain strings for OpenAI, and leaves Anthropic ones alone', () => {
    assert.equal(openaiChatRequest.matches(plain), true);
    assert.equal(openaiChatRequest.matches({ ...plain, system: 'Be kind' }), false);
    assert.equal(openaiChatRequest.matches({ ...plain, tools: [{ name: 'Read', input_schema: {} }] }), false);
    assert.equal(openaiChatRequest.matches({ ...plain, anthropic_version: 'bedrock-2023-05-31' }), false);
    const thinking = { role: 'assistant', content: [{ type: 'thinking', thinking: 'x', signature: 'y' }] };
    assert.equal(openaiChatRequest.matches({ ...plain, messages: [thinking] }), false);
    const marked = {
      role: 'user',
      content: [{ type: 'text', text: 'x', cache_control: { type: 'ephemeral' } }],
    };
    assert.equal(openaiChatRequest.matches({ ...plain, messages: [marked] }), false);
  });

  it('refuses documents that only resemble a request', () => {
    for (const value of [
      null,
      [],
      'text',
      {},
      { messages: [] },
      { messages: [{ info: {} }] },
      { messages: 'x' },
    ]) {
      assert.equal(openaiChatRequest.matches(value), false, JSON.stringify(value));
    }
  });

  it('tells lines of messages from lines of conversations', () => {
    const message = { role: 'user', content: 'Hi' };
    const claudeCode = { type: 'user', uuid: 'u', parentUuid: null, sessionId: 's', message };
    const cursor = { role: 'user', message: { content: [] } };
    assert.equal(openaiChatMessages.matches([message, message, { note: 1 }]), true);
    assert.equal(openaiChatMessages.matches([{ messages: [message] }]), false);
    assert.equal(openaiChatMessages.matches([claudeCode]), false);
    assert.equal(openaiChatMessages.matches([cursor]), false);
    assert.equal(openaiChatMessages.matches([]), false);
    assert.equal(openaiChatConversations.matches([{ messages: [message] }]), true);
    assert.equal(openaiChatConversations.matches([message]), false);
  });
});

describe('OpenAI chat messages, one per line', () => {
  const lines = [
    { role: 'system', content: 'Be kind.' },
    { role: 'user', content: 'Hi' },
    { role: 'assistant', content: 'Hello', usage: { prompt_tokens: 12, completion_tokens: 2 } },
    { role: 'user', content: 'List' },
    {
      role: 'assistant',
      content: '',
      tool_calls: [{ id: 'a', type: 'function', function: { name: 'ls', arguments: '{}' } }],
    },
    { role: 'tool', tool_call_id: 'a', content: 'README.md' },
    { role: 'assistant', content: 'One file.' },
  ];
  const text = lines.map(line => JSON.stringify(line)).join('\n') + '\n';
  const transcript = readLines(openaiChatMessages, text);

  it('makes every assistant message the reply to all before it', () => {
    assert.deepEqual(
      transcript.requests.map(({ length, reply, complete, line }) => ({ length, reply, complete, line })),
      [
        { length: 2, reply: [2], complete: true, line: 3 },
        { length: 4, reply: [4], complete: true, line: 5 },
        // Tools are in use from here on, and their schemas are not in the file.
        { length: 6, reply: [6], complete: false, line: 7 },
      ],
    );
    assert.deepEqual(transcript.requests[0]?.usage, { input: 12, cacheRead: 0, cacheWrite: 0, output: 2 });
    assert.equal(transcript.requests[1]?.usage, undefined);
    assertTextsResolve(text, transcript);
  });

  it('counts lines that are no message, and goes on', () => {
    const damaged = readLines(openaiChatMessages, `{"a":1}\n5\n{"role":"user","content":"Hi"}\nnull\n`);
    assert.deepEqual(damaged.problems, [{ kind: 'unknownRecord', line: 1, count: 3 }]);
    assert.equal(damaged.blocks.length, 1);
  });
});

describe('OpenAI chat conversations, one per line', () => {
  it('gives every line its own context', () => {
    const lines = [
      {
        messages: [
          { role: 'system', content: 'S' },
          { role: 'user', content: 'A' },
          { role: 'assistant', content: 'B' },
        ],
      },
      { messages: [{ role: 'user', content: 'C' }] },
    ].map(line => JSON.stringify(line));
    const text = lines.join('\n');
    const transcript = readLines(openaiChatConversations, text);
    assert.deepEqual(transcript.contexts, [[0, 1], [3]]);
    assert.deepEqual(transcript.requests, [
      { context: 0, length: 2, thread: 0, reply: [2], complete: true, line: 1 },
      {
        context: 1,
        length: 1,
        thread: 1,
        reply: [],
        complete: false,
        line: 2,
        body: bodyAt(lines[1] ?? '', { line: 2, offset: (lines[0]?.length ?? 0) + 1 }),
      },
    ]);
    assert.deepEqual(transcript.conversations, [
      { thread: 0, title: 'A' },
      { thread: 1, title: 'C' },
    ]);
    assertTextsResolve(text, transcript);
  });
});

describe('usage', () => {
  it('takes cached tokens out of the prompt tokens', () => {
    const usage = {
      prompt_tokens: 1000,
      completion_tokens: 80,
      prompt_tokens_details: { cached_tokens: 900 },
      completion_tokens_details: { reasoning_tokens: 60 },
    };
    assert.deepEqual(readUsage(usage, 'openaiChat'), {
      input: 100,
      cacheRead: 900,
      cacheWrite: 0,
      output: 80,
      reasoning: 60,
    });
    assert.equal(readUsage({ input_tokens: 5 }, 'openaiChat'), undefined);
  });

  it('takes tokens that were written to the cache out of the input too, in both of OpenAI’s APIs', () => {
    const cached = { cached_tokens: 6_000, cache_write_tokens: 3_000 };
    const billionths = (model: string, usage: RecordedUsage | undefined): number => {
      const prices = lookUpModel(model)?.prices;
      assert.ok(prices !== undefined && usage !== undefined);
      return Math.round((requestCost(prices, usage) ?? Number.NaN) * 1e9);
    };
    const parts = { input: 1_000, cacheRead: 6_000, cacheWrite: 3_000, output: 500 };
    const chat = { prompt_tokens: 10_000, prompt_tokens_details: cached, completion_tokens: 500 };
    const responses = { input_tokens: 10_000, input_tokens_details: cached, output_tokens: 500 };
    for (const usage of [readUsage(chat, 'openaiChat'), readUsage(responses, 'openaiResponses')]) {
      assert.deepEqual(usage, parts);
      // Before GPT-5.6, writing costs the same as uncached input: 4,000 × 1.25 + 6,000 × 0.125 + 500 × 10 millionths.
      assert.equal(billionths('gpt-5.6-luna', usage), 1_670_000);
      // Before GPT-5.6, writing costs the same as fresh input: 4,000 × 1.25 + 6,000 × 0.125 + 500 × 10 millionths.
      assert.equal(billionths('gpt-5', usage), 10_750_000);
    }
  });

  it('never makes more input than was sent of a cache’s figures', () => {
    const cached = { cached_tokens: 80, cache_write_tokens: 70 };
    assert.deepEqual(readUsage({ prompt_tokens: 100, prompt_tokens_details: cached }, 'openaiChat'), {
      input: 0,
      cacheRead: 80,
      cacheWrite: 20,
      output: 0,
    });
  });
});

describe('recorded requests', () => {
  const folder = resolve('../shared/samples/raw-api');

  function sample(test: TestContext, name: string): string | undefined {
    const path = resolve(folder, name);
    if (!existsSync(path)) {
      test.skip(`${name} is not there`);
      return undefined;
    }
    return readFileSync(path, 'utf8');
  }

  for (const name of ['openai-chat-request.json', 'nilenso-ask_github_gc.json']) {
    it(`${name}: every message, call and tool is a block, and every text resolves`, test => {
      const text = sample(test, name);
      if (text === undefined) {
        return;
      }
      const document: unknown = JSON.parse(text);
      assert.equal(openaiChatRequest.matches(document), true);
      const transcript = readDocument(text);
      const messages = arrayAt(document, 'messages');
      const count = (kind: string): number =>
        [...transcript.blocks].filter(block => block.kind === kind).length;
      assert.equal(count('toolSchema'), arrayAt(document, 'tools').length);
      assert.equal(count('toolCall'), messages.flatMap(message => arrayAt(message, 'tool_calls')).length);
      assert.equal(
        count('toolResult'),
        messages.filter(message => stringAt(message, 'role') === 'tool').length,
      );
      const answers = arrayAt(document, 'choices').length;
      assert.equal(transcript.messages.length, 1 + messages.length + answers);
      assert.equal(
        new Set([...transcript.blocks].map(block => block.message)).size,
        transcript.messages.length,
      );
      assert.deepEqual(transcript.problems, []);
      assertTextsResolve(text, transcript);
    });
  }

  it('deepseek-reasoner-messages.jsonl: every line is accounted for, reasoning included', test => {
    const text = sample(test, 'deepseek-reasoner-messages.jsonl');
    if (text === undefined) {
      return;
    }
    const lines = text
      .split('\n')
      .filter(line => line !== '')
      .map((line): unknown => JSON.parse(line));
    assert.equal(openaiChatMessages.matches(lines.slice(0, 60)), true);
    const transcript = readLines(openaiChatMessages, text);
    const replies = lines.filter(line => stringAt(line, 'role') === 'assistant');
    assert.equal(transcript.messages.length, lines.length);
    assert.equal(new Set([...transcript.blocks].map(block => block.message)).size, lines.length);
    assert.equal(transcript.requests.length, replies.length);
    const thinking = [...transcript.blocks].filter(block => block.kind === 'thinking');
    assert.equal(
      thinking.length,
      replies.filter(reply => (stringAt(reply, 'reasoning_content') ?? '') !== '').length,
    );
    assert.deepEqual(transcript.problems, []);
    assertTextsResolve(text, transcript);
  });
});
