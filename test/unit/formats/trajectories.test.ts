import assert from 'node:assert/strict';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { arrayAt, countAt, isArray, member, objectAt } from '../../../src/core/base/json';
import { readTranscript } from '../../../src/core/formats/readTranscript';
import type { RecordedUsage, Transcript } from '../../../src/core/model/transcript';
import type { SiblingFiles } from '../../../src/core/reading/format';
import { TextReader } from '../../../src/core/session/textReader';
import { inspectArchive } from '../../fixtures/formats';
import { filesBelow, readUnpacked, shared, skipWithout } from '../../fixtures/sharedFiles';
import * as fixtures from '../../fixtures/trajectories';

interface Opened {
  readonly transcript: Transcript;
  readonly texts: TextReader;
}

async function openBytes(bytes: Uint8Array, siblings?: SiblingFiles): Promise<Opened> {
  const source = {
    size: bytes.length,
    read: (offset: number, length: number) => Promise.resolve(bytes.subarray(offset, offset + length)),
  };
  const result = await readTranscript(source, { siblings });
  assert.ok(result.ok, result.ok ? '' : result.sentence);
  return {
    transcript: result.transcript,
    texts: new TextReader(result.source ?? source, result.transcript, result.document),
  };
}

const open = (value: unknown): Promise<Opened> => openBytes(new TextEncoder().encode(JSON.stringify(value)));

const openLines = (values: readonly unknown[]): Promise<Opened> =>
  openBytes(new TextEncoder().encode(values.map(value => JSON.stringify(value)).join('\n')));

async function said(texts: TextReader, { blocks }: Transcript, number: number): Promise<string> {
  const block = blocks.at(number);
  const text = (await texts.read(number)).replaceAll('\n', '⏎');
  return `${block?.role ?? ''} ${block?.kind ?? ''}: ${text.length > 60 ? `${text.slice(0, 59)}…` : text}`;
}

/** The content that the model saw in a request, and its answer after `=>`. */
async function requestOf({ transcript, texts }: Opened, number: number): Promise<readonly string[]> {
  const request = transcript.requests[number];
  assert.ok(request !== undefined);
  const context = (transcript.contexts[request.context] ?? []).slice(0, request.length);
  const lines: string[] = [];
  for (const block of context) {
    lines.push(await said(texts, transcript, block));
  }
  for (const block of request.reply) {
    lines.push(`=> ${await said(texts, transcript, block)}`);
  }
  return lines;
}

function leftOut({ leftOut: list }: Transcript): Readonly<Record<string, number>> {
  return Object.fromEntries(list.map(({ reason, count }) => [reason, count]));
}

function usages({ requests }: Transcript): readonly (RecordedUsage | undefined)[] {
  return requests.map(({ usage }) => usage);
}

const task = 'The total of an order with a voucher is wrong. Please fix it.';
const prompt = `user prompt: ${task.slice(0, 59)}…`;

describe('SWE-agent', () => {
  it('takes every reply of the history as a request, and observations as results', async () => {
    const opened = await open(fixtures.sweAgentSession);
    assert.equal(opened.transcript.requests.length, 2);
    assert.deepEqual(await requestOf(opened, 1), [
      'system systemPrompt: You fix bugs with one command a turn.',
      'user injected: A demonstration of another bug.',
      prompt,
      'assistant assistant: I look around.',
      'user toolResult: order.py\r⏎',
      '=> assistant assistant: Done.',
    ]);
    assert.deepEqual(leftOut(opened.transcript), { 'step, repeated in the history': 2 });
    assert.ok(opened.transcript.requests.every(({ complete }) => complete));
  });

  it('reads a demonstration that was cut to its history', async () => {
    const mark = { agent: 'main', message_type: 'observation' };
    const opened = await open({
      history: [
        { role: 'system', content: 'You fix bugs.', agent: 'main', message_type: 'system_prompt' },
        { role: 'user', content: 'Fix it.', ...mark },
        {
          role: 'assistant',
          content: 'I look.',
          agent: 'main',
          message_type: 'action',
          tool_calls: [
            { id: 'c1', type: 'function', function: { name: 'bash', arguments: '{"command":"ls"}' } },
          ],
        },
        { role: 'tool', content: 'order.py', tool_call_ids: ['c1'], ...mark },
      ],
    });
    assert.equal(opened.transcript.format, 'swe-agent');
    assert.equal(opened.transcript.requests.length, 1);
    assert.deepEqual(
      opened.transcript.problems.map(({ kind }) => kind),
      [],
    );
  });

  it('shows what the history processors left of an observation where the queries are recorded', async () => {
    const opened = await open(fixtures.sweAgentQueries);
    const { contexts, requests } = opened.transcript;
    assert.equal(requests[0]?.context, requests[1]?.context);
    assert.equal(contexts.length, 2);
    assert.deepEqual(await requestOf(opened, 2), [
      'system systemPrompt: You fix bugs.',
      prompt,
      'assistant assistant: I read the file.',
      'user toolResult: Old environment output: (1 lines omitted)',
      'assistant assistant: I list the files.',
      'user toolResult: order.py',
      '=> assistant assistant: Done.',
    ]);
    assert.equal(opened.transcript.blocks.length, 8);
  });
});

describe('mini-swe-agent', () => {
  it('counts the copy of a reply once, and takes the usage from it', async () => {
    const opened = await open(fixtures.miniSweAgentSession);
    assert.deepEqual(await requestOf(opened, 1), [
      'system systemPrompt: You can use bash.',
      prompt,
      'assistant assistant: I look.',
      'assistant toolCall: {"command":"ls"}',
      'tool toolResult: <output>order.py</output>',
      '=> assistant thinking: ',
      '=> assistant assistant: I read it.',
      '=> assistant toolCall: {"command":"cat order.py"}',
    ]);
    assert.deepEqual(usages(opened.transcript), [
      { input: 400, cacheRead: 500, cacheWrite: 0, output: 40 },
      { input: 100, cacheRead: 900, cacheWrite: 0, output: 30 },
    ]);
    assert.deepEqual(leftOut(opened.transcript), {
      'copy of the reply in extra.response': 1,
      'exit record': 1,
    });
    assert.equal(opened.transcript.requests[0]?.complete, false);
  });
});

describe('OpenHands', () => {
  it('makes one request of a reply with two calls, and forgets what a condensation takes out', async () => {
    const opened = await open(fixtures.openhandsSession);
    const { transcript } = opened;
    assert.deepEqual(await requestOf(opened, 0), [
      'system toolSchema: {"type":"function","function":{"name":"bash","description":…',
      'system systemPrompt: You are OpenHands.',
      prompt,
      'user injected: runtime_hosts: {"http://localhost:5000":5000}⏎date: 2026-03…',
      'user injected: Run the tests.',
      'user injected: Vouchers are percentages.',
      '=> assistant assistant: I look around.',
      '=> assistant toolCall: {"command":"ls"}',
      '=> assistant toolCall: {"command":"pwd"}',
    ]);
    assert.deepEqual((await requestOf(opened, 1)).slice(5), [
      'user injected: Vouchers are percentages.',
      'user summary: The file is order.py.',
      '=> assistant assistant: It is fixed.',
    ]);
    assert.deepEqual(usages(transcript), [
      { input: 100, cacheRead: 2500, cacheWrite: 400, output: 50 },
      undefined,
    ]);
    assert.deepEqual(
      transcript.compactions.map(({ request, line }) => [request, line]),
      [[1, 1]],
    );
    assert.deepEqual(leftOut(transcript), {
      'recall event': 1,
      'another call of the same reply': 1,
      'agent_state_changed event': 1,
    });
    const ran = [...transcript.blocks].findIndex(
      ({ callId, kind }) => kind === 'toolResult' && callId === 'c1',
    );
    assert.equal(
      await opened.texts.read(ran),
      'order.py\n[done]\n[Current working directory: /shop]\n[Command finished with exit code 0]',
    );
    assert.equal(
      [...transcript.blocks].find(({ callId, kind }) => kind === 'toolResult' && callId === 'c2')?.isError,
      true,
    );
    assert.equal(transcript.messages[1]?.timestamp, Date.UTC(2026, 2, 1, 10, 0, 1, 250));
  });

  it('reads the events of the SDK alike, with the usage of the latest statistics', async () => {
    const opened = await open({ events: fixtures.openhandsSdkSession });
    assert.deepEqual(await requestOf(opened, 0), [
      'system toolSchema: {"type":"function","function":{"name":"bash","parameters":{…',
      'system systemPrompt: You are OpenHands.',
      prompt,
      'user injected: Vouchers are percentages.',
      '=> assistant thinking: The bug is in the sum.',
      '=> assistant assistant: I look.',
      '=> assistant toolCall: {"command":"ls"}',
      '=> assistant toolCall: {"command":"ls"}',
    ]);
    assert.deepEqual((await requestOf(opened, 1)).slice(3), [
      'user injected: Vouchers are percentages.',
      'user summary: The file is order.py.',
      '=> assistant assistant: It is fixed.',
    ]);
    assert.deepEqual(usages(opened.transcript)[0], {
      input: 500,
      cacheRead: 1500,
      cacheWrite: 0,
      output: 60,
    });
    assert.deepEqual(leftOut(opened.transcript), { 'ConversationStateUpdateEvent event': 1 });
  });

  it('gathers the files of a folder of events, and the state beside it', async () => {
    const encoder = new TextEncoder();
    const files = new Map(
      fixtures.openhandsSdkSession.map((event, index) => [
        `event-0000${index}-x.json`,
        encoder.encode(JSON.stringify(event)),
      ]),
    );
    const state = {
      stats: { usage_to_metrics: { a: { token_usages: [{ response_id: 'r1', prompt_tokens: 7 }] } } },
    };
    files.set('../base_state.json', encoder.encode(JSON.stringify(state)));
    const siblings: SiblingFiles = {
      fileName: 'event-00001-x.json',
      folders: ['events'],
      read: path => Promise.resolve(files.get(path)),
      list: () => Promise.resolve([...files.keys()].reverse()),
    };
    const opened = await openBytes(files.get('event-00001-x.json') ?? new Uint8Array(0), siblings);
    assert.equal(opened.transcript.requests.length, 2);
    assert.equal(usages(opened.transcript)[0]?.input, 7);
    assert.equal((await requestOf(opened, 0))[2], prompt);
  });

  it('keeps the runs of a benchmark apart', async () => {
    const { transcript } = await openLines(fixtures.openhandsRuns);
    assert.deepEqual(transcript.conversations, [
      { thread: 0, title: 'shop-1' },
      { thread: 1, title: 'shop-2' },
    ]);
    assert.deepEqual(
      transcript.requests.map(({ thread }) => thread),
      [0, 0, 1],
    );
  });
});

describe('Inspect', () => {
  for (const [name, read] of [
    ['JSON', () => open(fixtures.inspectSession)],
    ['an archive', () => openBytes(inspectArchive('header.json', fixtures.inspectSamples))],
    [
      'an archive that was cut off',
      () => openBytes(inspectArchive('_journal/start.json', fixtures.inspectSamples)),
    ],
  ] as const) {
    it(`reads the model events of ${name} as exact requests`, async () => {
      const opened = await read();
      const { transcript } = opened;
      assert.deepEqual(
        transcript.requests.map(({ thread, complete }) => [thread, complete]),
        [
          [0, true],
          [0, true],
          [1, true],
          [2, true],
          [2, true],
          [3, true],
        ],
      );
      const attached = `user prompt: ${fixtures.attachedText.slice(0, 59)}…`;
      assert.deepEqual((await requestOf(opened, 1)).slice(1), [
        'system systemPrompt: You are a shop assistant.',
        attached,
        'assistant assistant: I look.',
        `assistant toolCall: {"command":"ls","note":"${fixtures.attachedText.slice(0, 35)}…`,
        'tool toolResult: order.py',
        '=> assistant assistant: Fixed.',
      ]);
      const [schema] = transcript.contexts[0] ?? [];
      assert.equal(
        await opened.texts.read(schema ?? -1),
        JSON.stringify({ name: 'bash', description: fixtures.attachedText, parameters: { type: 'object' } }),
      );
      assert.deepEqual(usages(transcript)[0], { input: 200, cacheRead: 300, cacheWrite: 0, output: 20 });
      assert.deepEqual(
        transcript.conversations.map(({ thread }) => thread),
        [0, 2],
      );
      assert.deepEqual(
        transcript.subagents.map(({ thread, description }) => [thread, description]),
        [
          [1, 'scorer'],
          [3, 'scorer'],
        ],
      );
    });
  }

  it('names an archive that is damaged', async () => {
    const bytes = inspectArchive('header.json', fixtures.inspectSamples);
    const read = (content: Uint8Array): ReturnType<typeof readTranscript> =>
      readTranscript({
        size: content.length,
        read: (offset, length) => Promise.resolve(content.subarray(offset, offset + length)),
      });
    const cut = await read(bytes.subarray(0, bytes.length - 200));
    assert.ok(cut.ok);
    assert.ok(cut.transcript.requests.length >= 3);
    const broken = bytes.slice();
    const inSample = Buffer.from(bytes).indexOf('samples/1_epoch_1.json') + 60;
    broken.fill(0xff, inSample, inSample + 40);
    const damaged = await read(broken);
    assert.ok(damaged.ok);
    assert.deepEqual(damaged.transcript.problems, [{ kind: 'malformedRecord', line: 1, count: 1 }]);
    assert.equal(damaged.transcript.requests.length, 3);
  });
});

describe('ATIF', () => {
  it('skips copied steps, counts cached tokens once and gives a subagent its own thread', async () => {
    const opened = await open(fixtures.atifSession);
    const { transcript } = opened;
    assert.deepEqual(await requestOf(opened, 0), [
      'system toolSchema: {"type":"function","function":{"name":"bash","parameters":{…',
      'system systemPrompt: You fix bugs.',
      prompt,
      'assistant assistant: Copied.',
      '=> assistant thinking: It is far.',
      '=> assistant assistant: I ask another.',
      '=> assistant toolCall: {"command":"ls"}',
    ]);
    assert.deepEqual(usages(transcript), [
      { input: 400, cacheRead: 600, cacheWrite: 0, output: 30 },
      { input: 1100, cacheRead: 0, cacheWrite: 0, output: 9 },
      { input: 50, cacheRead: 0, cacheWrite: 0, output: 2 },
    ]);
    assert.deepEqual(transcript.subagents, [{ id: 'child', thread: 1, callId: 'c1', description: 'reader' }]);
  });
});

describe('LangChain', () => {
  it('reads the three spellings of a message', async () => {
    const dicts = await open(fixtures.langchainDicts);
    assert.deepEqual(await requestOf(dicts, 1), [
      'system systemPrompt: You fix bugs.',
      prompt,
      'assistant assistant: I look.',
      'assistant toolCall: {"command":"ls"}',
      'tool toolResult: order.py',
      '=> assistant assistant: Fixed.',
    ]);
    assert.deepEqual(usages(dicts.transcript)[0], {
      input: 80,
      cacheRead: 120,
      cacheWrite: 0,
      output: 30,
      reasoning: 10,
    });
    const dumps = await open(fixtures.langchainDumps);
    assert.deepEqual(await requestOf(dumps, 0), [prompt, '=> assistant toolCall: {"command":"ls"}']);
    assert.deepEqual(usages(dumps.transcript), [{ input: 400, cacheRead: 500, cacheWrite: 0, output: 40 }]);
    const run = await open(fixtures.langsmithRun);
    assert.deepEqual(await requestOf(run, 0), [prompt, '=> assistant assistant: Fixed.']);
    assert.deepEqual(leftOut(run.transcript), { 'chain run': 1 });
  });

  it('takes no sentence that ends like the name of a class for one', async () => {
    const file = (name: string) => ({ messages: [{ lc: 1, type: 'constructor', id: [name], kwargs: {} }] });
    await open(file('AIMessage'));
    await assert.rejects(open(file('Then this.\nAIMessage')), /not a known transcript format/);
  });
});

describe('ShareGPT', () => {
  it('makes every conversation its own, with system prompt, tools and calls', async () => {
    const opened = await open(fixtures.shareGptSet);
    assert.deepEqual(await requestOf(opened, 1), [
      'system toolSchema: {"name":"stock","parameters":{}}',
      'system systemPrompt: You sell books.',
      'user prompt: Is it there?',
      'assistant toolCall: {"name":"stock","arguments":{"title":"Emma"}}',
      'tool toolResult: 3',
      '=> assistant assistant: Yes, three.',
    ]);
    assert.deepEqual(opened.transcript.conversations, [
      { thread: 0, title: 'Is it there?' },
      { thread: 1, title: 'Hello' },
    ]);
  });
});

describe('OpenTelemetry', () => {
  it('reads each convention, and counts no span around calls', async () => {
    const opened = await open(fixtures.otlpTrace);
    const { transcript } = opened;
    assert.equal(transcript.agent.name, 'bookshop');
    assert.deepEqual(await requestOf(opened, 0), [
      'system toolSchema: {"type":"function","function":{"name":"bash"}}',
      'system systemPrompt: You fix bugs.',
      prompt,
      '=> assistant toolCall: {"command":"ls"}',
    ]);
    assert.deepEqual(await requestOf(opened, 1), [
      'system toolSchema: {"type":"function","name":"bash"}',
      'system systemPrompt: You fix bugs.',
      prompt,
      'assistant toolCall: {"command":"ls"}',
      'tool toolResult: order.py',
      '=> assistant thinking: Hm.',
      '=> assistant assistant: Fixed.',
    ]);
    assert.deepEqual(await requestOf(opened, 2), [
      'user prompt: Thanks',
      '=> assistant assistant: With pleasure.',
    ]);
    assert.deepEqual(await requestOf(opened, 3), ['user prompt: Bye', '=> assistant assistant: Bye.']);
    assert.deepEqual(usages(transcript), [
      { input: 40, cacheRead: 60, cacheWrite: 0, output: 10 },
      { input: 120, cacheRead: 0, cacheWrite: 0, output: 12 },
      { input: 30, cacheRead: 0, cacheWrite: 0, output: 3 },
      undefined,
    ]);
    assert.equal(leftOut(transcript)['span of a call that another span records'], 1);
    assert.equal(transcript.requests[0]?.timestamp, 1_790_000_001_000);
  });
});

describe('Langfuse', () => {
  it('takes the innermost generations, and each observation once', async () => {
    const opened = await open(fixtures.langfuseTrace);
    assert.deepEqual(await requestOf(opened, 0), [
      'system systemPrompt: You fix bugs.',
      prompt,
      '=> assistant toolCall: {"command":"ls"}',
    ]);
    assert.deepEqual(await requestOf(opened, 1), ['user prompt: Hello', '=> assistant assistant: Hello.']);
    assert.deepEqual(usages(opened.transcript), [
      { input: 100, cacheRead: 40, cacheWrite: 0, output: 15, reasoning: 5 },
      undefined,
    ]);
    assert.deepEqual(leftOut(opened.transcript), {
      'generation that contains other generations': 1,
      'TOOL observation': 1,
      'copy of an observation': 4,
    });
  });
});

// Totals stated in the recorded files

function total(transcript: Transcript, part: (usage: RecordedUsage) => number): number {
  return transcript.requests.reduce((sum, { usage }) => sum + (usage === undefined ? 0 : part(usage)), 0);
}

const wholeInput = ({ input, cacheRead, cacheWrite }: RecordedUsage): number =>
  input + cacheRead + cacheWrite;

describe('Totals of the recorded files', { skip: skipWithout('samples') }, () => {
  const file = (...path: readonly string[]): Buffer => readUnpacked(join(shared, 'samples', ...path));
  const parsed = (bytes: Buffer): unknown => JSON.parse(bytes.toString());

  it('are those of the runs’ own metrics (OpenHands)', async () => {
    const bytes = file('openhands', 'multi_swe_output.jsonl');
    const { transcript } = await openBytes(bytes);
    const metrics = bytes
      .toString()
      .trim()
      .split('\n')
      .map(line => objectAt(member(JSON.parse(line), 'metrics'), 'accumulated_token_usage'));
    metrics.forEach((metric, thread) => {
      const ofThread = {
        ...transcript,
        requests: transcript.requests.filter(request => request.thread === thread),
      };
      assert.equal(total(ofThread, wholeInput), countAt(metric, 'prompt_tokens'));
      assert.equal(
        total(ofThread, ({ output }) => output),
        countAt(metric, 'completion_tokens'),
      );
    });
  });

  it('are those of the samples’ own model usage (Inspect)', async () => {
    for (const path of filesBelow(join(shared, 'samples', 'inspect'), '.json')) {
      const bytes = readUnpacked(path);
      const { transcript } = await openBytes(bytes);
      const stats = Object.values(objectAt(objectAt(parsed(bytes), 'stats'), 'model_usage') ?? {});
      const sum = (key: string): number => stats.reduce<number>((all, usage) => all + countAt(usage, key), 0);
      assert.equal(total(transcript, wholeInput), sum('input_tokens'), path);
      assert.equal(
        total(transcript, ({ output }) => output),
        sum('output_tokens'),
        path,
      );
      assert.equal(
        total(transcript, ({ cacheRead }) => cacheRead),
        sum('input_tokens_cache_read'),
        path,
      );
    }
  });

  it('are those of the calls that mini-swe-agent counted', async () => {
    const bytes = file('mini-swe-agent', 'deepseek-chat-django-13265.traj.json');
    const { transcript } = await openBytes(bytes);
    const stats = objectAt(objectAt(parsed(bytes), 'info'), 'model_stats');
    assert.equal(transcript.requests.length, countAt(stats, 'api_calls'));
  });

  it('are those of the calls that SWE-agent counted', async () => {
    for (const path of filesBelow(join(shared, 'samples', 'swe-agent'), '.traj')) {
      const bytes = readUnpacked(path);
      const { transcript } = await openBytes(bytes);
      const stats = objectAt(objectAt(parsed(bytes), 'info'), 'model_stats');
      assert.equal(transcript.requests.length, countAt(stats, 'api_calls'), path);
    }
  });

  it('are those of the innermost spans’ own counts (Langfuse)', async () => {
    for (const path of filesBelow(join(shared, 'samples', 'otel-spans'), '.json')) {
      const bytes = readUnpacked(path);
      const document = parsed(bytes);
      if (!isArray(member(document, 'observations'))) {
        continue;
      }
      const { transcript } = await openBytes(bytes);
      const counted = arrayAt(document, 'observations').reduce<number>(
        (sum, item) => sum + countAt(objectAt(item, 'usageDetails'), 'total'),
        0,
      );
      assert.equal(
        total(transcript, usage => wholeInput(usage) + usage.output),
        counted,
        path,
      );
    }
  });
});
