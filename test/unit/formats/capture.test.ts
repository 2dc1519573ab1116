import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { arrayAt, countAt, objectAt, stringAt } from '../../../src/core/base/json';
import { lookUpModel } from '../../../src/core/tokens/modelTable';
import {
  contextsOf,
  jsonLines,
  leftOutOf,
  type OpenedTranscript,
  openTranscriptBytes,
  problemsOf,
  readJsonLines,
  readUnpacked,
  sharedFolder,
  totalUsage,
} from '../../fixtures/openedTranscript';

const fixture = (name: string): Promise<OpenedTranscript> =>
  openTranscriptBytes(readFileSync(join('test/fixtures', name)));

/** The texts of each request's reply. */
function repliesOf({ transcript, texts }: OpenedTranscript): string[][] {
  return transcript.requests.map(({ reply }) =>
    reply.map(number => `${transcript.blocks.at(number)?.kind ?? ''}: ${texts[number] ?? ''}`),
  );
}

const schema =
  '{"name":"read_file","description":"Reads a file.","input_schema":{"type":"object","properties":{"path":{"type":"string"}}}}';

describe('pairs of HTTP request and response', () => {
  it('are a timeline of exact contexts, side calls in conversations of their own', async () => {
    const opened = await fixture('api-capture/pairs.jsonl');
    const { transcript } = opened;
    const head = [
      `system: ${schema}`,
      'system: You are a tidy agent.',
      'user: <system-reminder>Today is Monday.</system-reminder>',
      'user: What does sum.ts do?',
    ];
    const called = [
      ...head,
      'assistant: I read it.',
      'assistant: Let me look.',
      'assistant: {"path":"src/sum.ts"}',
      'tool: export const sum = 1;',
    ];
    assert.deepEqual(contextsOf(opened), [
      ['system: Write a title.', 'user: What does sum.ts do?'],
      head,
      head,
      called,
      ['system: Write a title.', 'user: What about product.ts?'],
      [...called, 'assistant: It exports one.', 'user: And now?'],
    ]);
    assert.deepEqual(repliesOf(opened), [
      ['assistant: Reading sum.ts'],
      ['thinking: I read it.', 'assistant: Let me look.', 'toolCall: {"path":"src/sum.ts"}'],
      [],
      ['assistant: It exports one.'],
      ['assistant: Reading sum.ts'],
      [],
    ]);
    assert.deepEqual(
      transcript.requests.map(({ thread }) => thread),
      [1, 0, 2, 0, 1, 0],
    );
    assert.deepEqual(transcript.conversations, [
      { thread: 0, title: 'What does sum.ts do?' },
      { thread: 1, title: 'Write a title.' },
      { thread: 2, title: 'token counting' },
    ]);
    assert.equal(transcript.title, 'What does sum.ts do?');
    // The main conversation continues in one context; repeated content is the same block.
    const main = transcript.requests.filter(({ thread }) => thread === 0);
    assert.equal(new Set(main.map(({ context }) => context)).size, 1);
    assert.deepEqual(main[1]?.reply, (transcript.contexts[main[2]?.context ?? -1] ?? []).slice(8, 9));
  });

  it('bring usage, breakpoints, times and models; headers and calls of other kinds are no blocks', async () => {
    const { transcript, texts } = await fixture('api-capture/pairs.jsonl');
    const main = transcript.requests.filter(({ thread }) => thread === 0);
    assert.deepEqual(
      main.map(({ usage }) => usage),
      [
        { input: 5, cacheRead: 0, cacheWrite: 90, output: 40 },
        { input: 6, cacheRead: 90, cacheWrite: 20, output: 9 },
        undefined,
      ],
    );
    assert.deepEqual(
      main.map(({ breakpoints }) => breakpoints),
      [[1, 3], [1], [1]],
    );
    assert.deepEqual(
      main.map(({ timestamp }) => timestamp),
      [1767600001500, 1767600003000, 1767600006000],
    );
    assert.ok(transcript.requests.every(({ complete }) => complete));
    assert.ok(!texts.some(text => text.includes('Bearer')));
    assert.deepEqual(leftOutOf(transcript), {
      'call that is none to a model': 1,
      'response without a reply': 2,
      // Three in the second request of the conversation, five in the third.
      'repeat of an earlier message': 8,
    });
    assert.deepEqual(problemsOf(transcript), {});
  });

  it('go on after a compaction, in a new context of the same conversation', async () => {
    const system = 'You are a tidy agent.';
    const tools = [{ name: 'bash', input_schema: {} }];
    const ask = (content: unknown): unknown => ({
      request: {
        url: 'https://api.example.com/v1/messages',
        headers: {},
        body: { model: 'm', system, tools, messages: [{ role: 'user', content }] },
      },
      response: null,
    });
    const { transcript } = await openTranscriptBytes(
      jsonLines([
        ask('Build a house.'),
        ask('This session is being continued from a previous conversation. The user builds a house.'),
      ]),
    );
    assert.deepEqual(
      transcript.requests.map(({ thread, context }) => [thread, context]),
      [
        [0, 0],
        [0, 1],
      ],
    );
    assert.deepEqual(transcript.compactions, [{ kind: 'compaction', request: 1, thread: 0, line: 2 }]);
  });
});

describe('batch files', () => {
  it('hold a conversation per entry, whichever API it is for', async () => {
    const opened = await fixture('api-capture/batch.jsonl');
    assert.deepEqual(contextsOf(opened), [
      ['system: Answer in one word.', 'user: Capital of France?'],
      ['system: Answer in one word.', 'user: Capital of Peru?'],
      ['system: Answer in one word.', 'user: Capital of Kenya?'],
    ]);
    assert.deepEqual(
      opened.transcript.conversations.map(({ title }) => title),
      ['Capital of France?', 'Capital of Peru?', 'Capital of Kenya?'],
    );
    assert.deepEqual(problemsOf(opened.transcript), { unknownRecord: 1 });
  });

  it('come back with replies and usage, and without a context', async () => {
    const opened = await fixture('api-capture/batch-results.jsonl');
    assert.deepEqual(contextsOf(opened), [[], []]);
    assert.deepEqual(repliesOf(opened), [['assistant: Paris'], ['assistant: Nairobi']]);
    assert.deepEqual(opened.transcript.requests[0]?.usage, {
      input: 36,
      cacheRead: 64,
      cacheWrite: 0,
      output: 20,
      reasoning: 8,
      billing: { terms: ['batch'], tools: [], passes: [] },
    });
    assert.ok(opened.transcript.requests.every(({ complete }) => !complete));
    assert.deepEqual(leftOutOf(opened.transcript), { 'call that is none to a model': 1 });
    assert.deepEqual(problemsOf(opened.transcript), {});
  });
});

describe('requests and responses in one document', () => {
  it('of DeepSeek give the reasoning and take the cached tokens out of the input', async () => {
    const opened = await fixture('api-calls/deepseek.json');
    assert.deepEqual(repliesOf(opened), [['thinking: Seven has no divisors.', 'assistant: Yes.']]);
    assert.deepEqual(opened.transcript.requests[0]?.usage, {
      input: 6,
      cacheRead: 4,
      cacheWrite: 0,
      output: 9,
      reasoning: 6,
    });
  });

  it('of the Responses API bring what the provider kept before what was sent', async () => {
    const opened = await fixture('api-calls/responses.json');
    const tool =
      '{"type":"function","name":"weather","description":"Tells the weather.","parameters":{"type":"object"}}';
    const first = [
      `system: ${tool}`,
      'system: You report the weather.',
      'system: Be brief.',
      'user: Weather in Rome?',
      'assistant: Ask the tool.',
      'assistant: {"city":"Rome"}',
      'tool: sunny',
    ];
    assert.deepEqual(contextsOf(opened), [
      first,
      [...first, 'assistant: It is sunny.', 'user: And tomorrow?'],
    ]);
    assert.ok(opened.transcript.requests.every(({ complete }) => complete));
    assert.deepEqual(opened.transcript.requests[1]?.usage, {
      input: 18,
      cacheRead: 32,
      cacheWrite: 0,
      output: 7,
      reasoning: 2,
    });
  });

  it('of Gemini count thoughts with the output', async () => {
    const opened = await fixture('api-calls/gemini.json');
    assert.deepEqual(contextsOf(opened), [
      [
        'system: {"name":"list","description":"Lists.","parameters":{"type":"OBJECT"}}',
        'system: You are a shell.',
        'user: List the files.',
        'assistant: I list them.',
        'assistant: {"path":"."}',
        'tool: a.txt',
      ],
    ]);
    assert.deepEqual(repliesOf(opened), [['assistant: One file: a.txt.']]);
    assert.deepEqual(opened.transcript.requests[0]?.usage, {
      input: 24,
      cacheRead: 16,
      cacheWrite: 0,
      output: 8,
      reasoning: 3,
    });
  });
});

describe('recorded streams', () => {
  it('of Anthropic are the reply that they make, with the last count of its tokens', async () => {
    const opened = await fixture('api-calls/anthropic.sse');
    assert.deepEqual(repliesOf(opened), [
      ['thinking: Hm.', 'assistant: Grüße!', 'toolCall: {"path":"src/sum.ts"}'],
    ]);
    assert.deepEqual(opened.transcript.requests[0]?.usage, {
      input: 3,
      cacheRead: 7,
      cacheWrite: 0,
      output: 21,
    });
  });

  it('point at the events of each part', async () => {
    const { transcript } = await fixture('api-calls/anthropic.sse');
    const bytes = readFileSync('test/fixtures/api-calls/anthropic.sse');
    const { source } = transcript.blocks.at(1) ?? assert.fail();
    const events = bytes.subarray(source.offset, source.offset + source.length).toString();
    // From content_block_start to content_block_stop, both of index 1.
    assert.deepEqual(
      [...events.matchAll(/"index": (\d)/g)].map(([, index]) => index),
      ['1', '1', '1', '1'],
    );
  });

  it('of chat completions and Z.ai join reasoning, text and arguments', async () => {
    const opened = await fixture('api-calls/chat.sse');
    assert.deepEqual(repliesOf(opened), [
      ['thinking: First I read.', 'assistant: Reading.', 'toolCall: {"path":"a"}'],
    ]);
    assert.deepEqual(opened.transcript.requests[0]?.usage, {
      input: 20,
      cacheRead: 10,
      cacheWrite: 0,
      output: 12,
    });
  });

  it('may be lines of JSON, and may break off', async () => {
    const opened = await fixture('api-calls/responses.sse');
    assert.deepEqual(repliesOf(opened), [['assistant: Broken off']]);
    const chunks = ['Hel', 'lo'].map(content => ({
      object: 'chat.completion.chunk',
      id: 'x',
      choices: [{ index: 0, delta: { content } }],
    }));
    const lines = await openTranscriptBytes(`${jsonLines(chunks)}{"object":"chat.comp`);
    assert.deepEqual(repliesOf(lines), [['assistant: Hello']]);
  });
});

describe('lists of messages', () => {
  it('make every reply a request of all before it', async () => {
    for (const name of ['message-list/anthropic.json', 'anthropic-messages/session.jsonl']) {
      const opened = await fixture(name);
      assert.deepEqual(contextsOf(opened), [
        ['user: Read it.'],
        ['user: Read it.', 'assistant: {"path":"src/sum.ts"}', 'tool: export const sum = 1;'],
      ]);
    }
  });

  it('are turned round where the platform lists the newest item first', async () => {
    const opened = await fixture('message-list/items.json');
    assert.deepEqual(contextsOf(opened), [['user: Weather?']]);
    assert.deepEqual(repliesOf(opened), [['assistant: It is sunny.']]);
  });
});

describe('archives', () => {
  it('HAR: bodies are JSON in strings, streams, or base64', async () => {
    const opened = await fixture('har/devtools.json');
    assert.deepEqual(
      contextsOf(opened).map(context => context.length),
      [4, 8],
    );
    assert.deepEqual(repliesOf(opened)[1], ['assistant: It exports one.']);
    assert.deepEqual(totalUsage(opened.transcript), {
      input: 17,
      cacheRead: 0,
      cacheWrite: 0,
      output: 44,
      reasoning: 0,
    });
    assert.ok(!opened.texts.some(text => text.includes('Bearer')));
    assert.equal(leftOutOf(opened.transcript)['call that is none to a model'], 1);
  });

  it('LHAR: with bodies it is exact, without them there is usage alone', async () => {
    for (const name of ['lhar/session.lhar', 'lhar-document/session.lhar.json']) {
      const { transcript } = await fixture(name);
      assert.deepEqual(
        transcript.requests.map(({ usage, complete, length }) => [usage, complete, length]),
        [
          [{ input: 12, cacheRead: 0, cacheWrite: 0, output: 4 }, true, 4],
          [{ input: 10, cacheRead: 50, cacheWrite: 0, output: 9, reasoning: 4 }, false, 0],
        ],
      );
      assert.deepEqual(problemsOf(transcript), { missingRequestContent: 1 });
      assert.equal(transcript.agent.name, 'claude');
    }
  });
});

describe('a model that stands in the address alone', () => {
  const contents = [{ role: 'user', parts: [{ text: 'Hi' }] }];
  const reply = { candidates: [{ content: { role: 'model', parts: [{ text: 'Hello' }] } }] };
  const host = 'https://generativelanguage.googleapis.com/v1beta';
  const addresses: readonly (readonly [address: string, model: string | undefined])[] = [
    [`${host}/models/gemini-3.8-flash:generateContent`, 'gemini-3.8-flash'],
    [`${host}/models/gemini-3.8-flash:streamGenerateContent?alt=sse`, 'gemini-3.8-flash'],
    [`${host}/models/gemini-3.8-flash:countTokens`, 'gemini-3.8-flash'],
    [
      'https://x-aiplatform.googleapis.com/v1/projects/p/locations/x/publishers/google/models/gemini-4-argon:generateContent',
      'gemini-4-argon',
    ],
    [`${host}/models/gemini-3.8-flash`, undefined],
    ['https://api.example.com/v1/generate', undefined],
  ];
  const modelsOf = ({ transcript }: OpenedTranscript): readonly (string | undefined)[] =>
    transcript.requests.map(({ model }) => model);

  it('is read from pairs and logs', async () => {
    for (const [url, model] of addresses) {
      const pair = { request: { url, headers: {}, body: { contents } }, response: { body: reply } };
      const entry = { path: url.replace(/^https:..[^/]*/, ''), body: { contents } };
      for (const record of [pair, entry]) {
        assert.deepEqual(modelsOf(await openTranscriptBytes(Buffer.from(jsonLines([record])))), [model], url);
      }
    }
  });

  it('is read from HTTP archives', async () => {
    const entries = addresses.map(([url], index) => ({
      request: { url, postData: { text: JSON.stringify({ contents, seed: index }) } },
      response: { content: { text: JSON.stringify(reply) } },
    }));
    const archive = Buffer.from(JSON.stringify({ log: { version: '1.2', entries } }));
    assert.deepEqual(
      modelsOf(await openTranscriptBytes(archive)),
      addresses.map(([, model]) => model),
    );
  });

  it('stands beside the bodies in LHAR', async () => {
    const entry = {
      type: 'entry',
      gen_ai: { system: 'google', request: { model: 'gemini-3.8-flash' } },
      raw: { request_body: { contents }, response_body: reply },
    };
    assert.deepEqual(modelsOf(await openTranscriptBytes(Buffer.from(jsonLines([entry])))), [
      'gemini-3.8-flash',
    ]);
  });

  it('gives way to what request or response say', async () => {
    const url = `${host}/models/gemini-flash-latest:generateContent`;
    const asked = { request: { url, body: { model: 'models/gemini-4-argon', contents } } };
    const answered = {
      request: { url, body: { contents } },
      response: { body: { ...reply, modelVersion: 'gemini-3.8-flash' } },
    };
    for (const [record, model] of [
      [asked, 'gemini-4-argon'],
      [answered, 'gemini-3.8-flash'],
    ] as const) {
      assert.deepEqual(modelsOf(await openTranscriptBytes(Buffer.from(jsonLines([record])))), [model]);
    }
  });

  it('gives every request of a recorded run its model, and so its price', async test => {
    const folder = sharedFolder(test, 'agent-runs/gemini-cli/0.61.0/rich');
    if (folder === undefined) {
      return;
    }
    const path = join(folder, 'raw-requests.jsonl.gz');
    const { transcript } = await openTranscriptBytes(readUnpacked(path));
    const named = readJsonLines(path).map(
      record => stringAt(record, 'path')?.split('/models/')[1]?.split(':')[0],
    );
    assert.deepEqual([...new Set(named)].sort(), ['gemini-3.5-flash-lite', 'gemini-3.8-flash']);
    assert.deepEqual(
      transcript.requests.map(({ model }) => model),
      named,
    );
    assert.ok(named.every(model => lookUpModel(model ?? '')?.prices !== undefined));
  });
});

describe('real captures', () => {
  it('claude-trace: usage is the provider’s, and every request is complete', async test => {
    const folder = sharedFolder(test, 'samples/claude-trace');
    if (folder === undefined) {
      return;
    }
    const path = join(folder, 'test-traffic.jsonl');
    const { transcript, texts } = await openTranscriptBytes(readUnpacked(path));
    let output = 0;
    for (const pair of readJsonLines(path)) {
      const response = objectAt(pair, 'response');
      const body = objectAt(response, 'body');
      const counts = (stringAt(response, 'body_raw') ?? '').matchAll(
        /"usage":\s*\{[^}]*"output_tokens":\s*(\d+)/g,
      );
      output +=
        body === undefined
          ? Number([...counts].at(-1)?.[1] ?? 0)
          : countAt(objectAt(body, 'usage'), 'output_tokens');
    }
    assert.equal(transcript.requests.length, 64);
    assert.equal(totalUsage(transcript).output, output);
    assert.ok(transcript.requests.every(({ complete }) => complete));
    assert.deepEqual(problemsOf(transcript), {});
    assert.ok(!texts.some(text => /authorization/i.test(text) && text.includes('Bearer ')));
    // The agent's own conversation: 16 requests, and a compaction before the 14th.
    assert.equal(transcript.requests.filter(({ thread }) => thread === 0).length, 16);
    assert.equal(transcript.compactions.length, 1);
  });

  it('logs of requests: contexts are what was sent, block by block', async test => {
    const folder = sharedFolder(test, 'agent-runs/claude-code/2.1.330');
    if (folder === undefined) {
      return;
    }
    const path = join(folder, 'rich/raw-requests.jsonl.gz');
    const opened = await openTranscriptBytes(readUnpacked(path));
    const sent = readJsonLines(path);
    assert.equal(opened.transcript.requests.length, sent.length);
    let blocks = 0;
    contextsOf(opened).forEach((context, index) => {
      const body = objectAt(sent[index], 'body');
      const texts = context.map(text => text.slice(text.indexOf(': ') + 2));
      const system = arrayAt(body, 'system').flatMap(part => stringAt(part, 'text') ?? []);
      const tools = arrayAt(body, 'tools').map(tool => JSON.stringify(tool));
      assert.deepEqual(texts.slice(0, tools.length + system.length), [...tools, ...system]);
      const rest = texts.slice(tools.length + system.length).join('');
      for (const message of arrayAt(body, 'messages')) {
        for (const part of arrayAt(message, 'content')) {
          const text =
            stringAt(part, 'text') ?? stringAt(part, 'thinking') ?? stringAt(part, 'content') ?? '';
          assert.ok(rest.includes(text));
        }
      }
      blocks += context.length;
    });
    test.diagnostic(`captured requests: ${sent.length}, blocks ${blocks}`);
  });
});
