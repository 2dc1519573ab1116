import assert from 'node:assert/strict';
import { join, resolve } from 'node:path';
import { after, describe, it } from 'node:test';
import { numberAt, objectAt, parseJson, stringAt } from '../../../src/core/base/json';
import { ClaudeCodeSession } from '../../fixtures/claudeCodeSession';
import { CommandLine } from '../../fixtures/commandLine';
import { jsonLines } from '../../fixtures/jsonLines';

const cli = new CommandLine();
const { folder } = cli;
const inspect = (...words: readonly string[]) => cli.run(...words);
const write = (name: string, text: string): string => cli.write(name, text);

/**
 * Three results of 60,000, 120,000 and 60,004 characters before the two newest prompts; at 4 characters per token,
 * 15,000, 30,000 and 15,001 tokens.
 */
function session(): ClaudeCodeSession {
  return new ClaudeCodeSession()
    .prompt('Find the slow query')
    .reply(
      { text: 'Looking.' },
      { tool: 'Read', id: 'toolu_a', input: { file_path: '/home/ada/bookshop/a.sql' } },
    )
    .result('toolu_a', 'a'.repeat(60_000))
    .reply({ tool: 'Bash', id: 'toolu_b', input: { command: 'cat b' } })
    .result('toolu_b', 'b '.repeat(60_000))
    .reply({ tool: 'Bash', id: 'toolu_c', input: { command: 'cat c' } })
    .result('toolu_c', 'c'.repeat(60_004))
    .reply({ text: 'Found it.' })
    .prompt('Fix it')
    .reply({ text: 'Fixed.' })
    .prompt('Thanks')
    .reply({ text: 'Welcome.' });
}

describe('context-inspector inspect', () => {
  after(() => cli.remove());

  it('counts with one thread as with two, and takes no other number of them', async () => {
    // Ten different results of 250,000 characters: more than a batch for the second thread.
    const long = new ClaudeCodeSession().prompt('Read');
    for (let index = 0; index < 10; index++) {
      long
        .reply({ tool: 'Read', id: `toolu_${index}`, input: { file_path: `/home/ada/${index}` } })
        .result(`toolu_${index}`, `row ${index}, `.repeat(31_250));
    }
    const file = write('long.jsonl', long.reply({ text: 'Read.' }).toString());
    const [one, two] = [
      await inspect('inspect', file, '--json', '--workers', '1'),
      await inspect('inspect', file, '--json', '--workers', '2'),
    ];
    assert.equal(one.code, 0);
    assert.deepEqual(two, one);
    assert.deepEqual(await inspect('inspect', file, '--workers', '3'), {
      code: 2,
      stdout: '',
      stderr: '--workers takes one of 1, 2, not "3".\n',
    });
  });

  it('lists the conversations of a file, and reports on one of them', async () => {
    const line = (...texts: readonly string[]): string =>
      JSON.stringify({
        messages: texts.map((content, index) => ({ role: index % 2 === 0 ? 'user' : 'assistant', content })),
      });
    const file = write(
      'set.jsonl',
      `${line('Name a river', 'The Elbe.')}\n${line('Name a hill', 'The Brocken.')}\n`,
    );
    const listed = await inspect('inspect', file, '--list');
    assert.deepStrictEqual(listed, {
      code: 0,
      stdout: '0  Name a river  1 request\n1  Name a hill  1 request\n',
      stderr: '',
    });
    const { stdout } = await inspect('inspect', file, '--list', '--json');
    assert.deepStrictEqual(JSON.parse(stdout), {
      conversations: [
        { number: 0, title: 'Name a river', requests: 1 },
        { number: 1, title: 'Name a hill', requests: 1 },
      ],
    });
    const second = await inspect('inspect', file, '--conversation', '1', '--json');
    const report: unknown = JSON.parse(second.stdout);
    assert.ok(
      typeof report === 'object' && report !== null && 'requests' in report && 'conversation' in report,
    );
    assert.deepStrictEqual([report.conversation, report.requests], [1, 1]);
    const missing = await inspect('inspect', file, '--conversation', '2');
    assert.deepStrictEqual(
      [missing.code, missing.stderr],
      [2, `${file}: Conversation 2 does not exist. To list them: --list\n`],
    );
  });

  it('lists a subagent by what it was asked, apart from the main conversation', async () => {
    const main = session();
    const sidechain = new ClaudeCodeSession().prompt('Count the files').reply({ text: 'Seven.' });
    const lines = sidechain.lines.map((text, index) => {
      const record: unknown = JSON.parse(text);
      assert.ok(typeof record === 'object' && record !== null && 'uuid' in record);
      const message = 'message' in record ? record.message : undefined;
      return JSON.stringify({
        ...record,
        isSidechain: true,
        agentId: 'a1f3',
        uuid: `1${String(record.uuid).slice(1)}`,
        parentUuid: index === 0 ? null : `1${sidechain.lines.length}`,
        message: typeof message === 'object' ? { ...message, id: 'msg_side' } : message,
      });
    });
    const file = write('sidechain.jsonl', `${main.toString()}${lines.join('\n')}\n`);
    const { stdout } = await inspect('inspect', file, '--list', '--json');
    const list: unknown = JSON.parse(stdout);
    assert.ok(typeof list === 'object' && list !== null && 'conversations' in list);
    assert.deepStrictEqual(list.conversations, [
      { number: 0, title: 'Find the slow query', requests: 6 },
      { number: 1, title: 'a1f3', requests: 1 },
    ]);
  });

  it('tells the recorded usage alone, by day and model', async () => {
    const record = (id: string, time: string, model: string, usage: object): string =>
      JSON.stringify({
        type: 'assistant',
        uuid: id,
        parentUuid: null,
        sessionId: 's',
        timestamp: time,
        message: { id, role: 'assistant', model, content: [{ type: 'text', text: 'Yes.' }], usage },
      });
    const file = write(
      'usage.jsonl',
      [
        record('a', '2026-01-31T23:59:59Z', 'model-one', { input_tokens: 1, output_tokens: 20 }),
        record('b', '2026-02-01T00:00:00Z', 'model-one', { input_tokens: 3, cache_read_input_tokens: 400 }),
        record('c', '2026-02-01T09:00:00Z', 'model-two', {}),
        record('d', '2026-02-01T10:00:00Z', 'model-one', {
          input_tokens: 5,
          cache_creation_input_tokens: 60,
        }),
      ].join('\n'),
    );
    const { stdout } = await inspect('inspect', file, '--usage-only', '--json');
    const report: unknown = JSON.parse(stdout);
    const none = { withoutUsage: 0, cacheRead: 0, cacheWrite: 0, input: 0, output: 0 };
    assert.deepStrictEqual(report, {
      format: 'claude-code',
      agent: { name: 'Claude Code', versions: [] },
      rows: [
        { ...none, day: '2026-01-31', model: 'model-one', requests: 1, input: 1, output: 20 },
        {
          ...none,
          day: '2026-02-01',
          model: 'model-one',
          requests: 2,
          input: 8,
          cacheRead: 400,
          cacheWrite: 60,
        },
        { ...none, day: '2026-02-01', model: 'model-two', requests: 1, withoutUsage: 1 },
      ],
      total: { requests: 4, withoutUsage: 1, input: 9, cacheRead: 400, cacheWrite: 60, output: 20 },
    });
    const table = await inspect('inspect', file, '--usage-only');
    assert.match(table.stdout, /^total +4 +9 +400 +60 +20$/m);
    assert.match(table.stdout, /^1 request has no recorded usage\.$/m);
  });

  it('shows what is not recorded with its quality, as a range where its error is large', async () => {
    // All requests have far more recorded than unrecorded tokens.
    const long = new ClaudeCodeSession().prompt('the market is '.repeat(20_000)).reply({ text: 'Read.' });
    const shown = async (name: string, of: ClaudeCodeSession) => {
      const file = write(name, of.toString());
      const { stdout } = await inspect('inspect', file);
      const report = parseJson((await inspect('inspect', file, '--json')).stdout);
      const request = objectAt(report, 'request');
      return {
        text: /^ *Identity (.*)$/m.exec(stdout)?.[1],
        quality: stringAt(request, 'notRecordedQuality'),
        error: numberAt(request, 'notRecordedError') ?? 0,
      };
    };
    const exact = await shown('smallError.jsonl', session());
    assert.match(exact.text ?? '', /^[\d,]+, [\d,]+ of them not recorded \(calibrated ±[\d.]+ %\)$/u);
    const range = await shown('largeError.jsonl', long);
    assert.match(range.text ?? '', /^[\d,]+–[\d,]+, [\d,]+–[\d,]+ of them not recorded \(calibrated\)$/u);
    assert.ok(exact.error > 0 && exact.error <= 0.2 && range.error > 0.2, `${exact.error}, ${range.error}`);
    assert.deepEqual([exact.quality, range.quality], ['calibrated', 'calibrated']);
  });

  it('says that usage is not recorded rather than 0', async () => {
    const at = '2026-01-30T06:18:17.750Z';
    const file = write(
      'stream.jsonl',
      jsonLines([
        { type: 'init', timestamp: at, session_id: 's', model: 'gemini-3-pro-preview' },
        { type: 'message', timestamp: at, role: 'user', content: 'Count the fjords.' },
        { type: 'message', timestamp: at, role: 'assistant', content: '1,190.' },
      ]),
    );
    const { stdout } = await inspect('inspect', file);
    assert.match(stdout, /^1 request, /m);
    assert.match(stdout, /^Total usage: not recorded for the requests$/m);
    assert.doesNotMatch(stdout, /at full price/);
  });

  it('says that output is recorded too low, and what the replies themselves make of it', async () => {
    const text = session()
      .toString()
      .replaceAll(/"version":"[^"]*"/g, '"version":"2.1.30"')
      .replaceAll(/"output_tokens":\d+/g, '"output_tokens":1');
    const file = write('doubtful.jsonl', text);
    const { stdout } = await inspect('inspect', file);
    // Six replies of one token each; they consist of a few words and three calls.
    const sum =
      /^Cost at list prices: ≥ \$0\.\d+\nThe recorded output of 6 requests is too low\.\nTheir output: 6 tokens recorded, about (\d+) in the replies \(estimated\), for a total cost of about \$/m.exec(
        stdout,
      );
    assert.ok(Number(sum?.[1]) > 30, stdout);
    assert.match(
      stdout,
      /^ {2}output: 1 recorded \(too low\); the reply has about [2-9] tokens \(estimated/m,
    );
    const parsed: unknown = JSON.parse((await inspect('inspect', file, '--json')).stdout);
    const cost = objectAt(parsed, 'cost');
    assert.equal(numberAt(cost, 'doubtfulRequests'), 6);
    assert.equal(numberAt(objectAt(cost, 'estimatedOutput'), 'recorded'), 6);
    const [recorded, estimated] = [
      numberAt(cost, 'total'),
      numberAt(objectAt(cost, 'estimatedOutput'), 'total'),
    ];
    assert.ok(recorded !== undefined && estimated !== undefined && estimated > recorded);
  });

  it('counts and scans only where it is wanted', async () => {
    const file = write('plain.jsonl', session().toString());
    const reported = async (...words: readonly string[]): Promise<unknown> => {
      const report: unknown = JSON.parse((await inspect('inspect', file, '--json', ...words)).stdout);
      assert.ok(typeof report === 'object' && report !== null && 'prune' in report && 'request' in report);
      const { prune, request } = report;
      assert.ok(typeof prune === 'object' && prune !== null && 'tokensFreed' in prune);
      assert.ok(typeof request === 'object' && request !== null && 'sensitivity' in request);
      return [request.sensitivity === null, prune.tokensFreed];
    };
    const [scanned, exact] = await Promise.all([reported(), reported('--no-scan')]);
    const [, estimated] = [0, await reported('--no-tokens', '--no-scan')];
    assert.ok(Array.isArray(scanned) && Array.isArray(exact) && Array.isArray(estimated));
    assert.deepStrictEqual([scanned[0], exact[0], estimated[0]], [false, true, true]);
    // Repeated 'b ' does not make one token per four bytes.
    assert.equal(exact[1], scanned[1]);
    assert.notEqual(estimated[1], exact[1]);
  });

  it('reports sums, the last request and the prune plan as JSON', async () => {
    const file = write('session.jsonl', session().toString());
    const config = write('config.json', JSON.stringify({ measure: 'chars4' }));
    const { code, stdout } = await inspect('inspect', file, '--json', '--config', config);
    assert.equal(code, 0);
    const report: unknown = JSON.parse(stdout);
    assert.ok(isReport(report));
    assert.equal(report.format, 'claude-code');
    assert.deepEqual(report.agent, { name: 'Claude Code', versions: ['2.1.62'] });
    assert.equal(report.model, 'claude-sonnet-4-5-20250929');
    assert.equal(report.requests, 6);
    // Six replies, three prompts, three results.
    assert.equal(report.messages, 12);
    // The first reply has two blocks.
    assert.equal(report.blocks, 13);
    assert.equal(report.request.index, 5);
    assert.equal(report.request.tokens.quality, 'exact');
    // 6 × 3 fresh tokens, as the fixture writes them.
    assert.equal(report.usage.input, 18);
    // From the newest result on, the sums are 15,001, 45,001 and 60,001 tokens. The last two are above the protected
    // 40,000, so their results (30,000 and 15,000) are queued: 45,000, more than the minimum of 20,000.
    assert.deepEqual(
      report.prune.candidates.map(({ sourceId, tool, line }) => [sourceId, tool, line]),
      [
        ['toolu_a', 'Read', 4],
        ['toolu_b', 'Bash', 6],
      ],
    );
    assert.equal(report.prune.candidateCount, 2);
    assert.equal(report.prune.executes, true);
  });

  it('tells money at the prices of the table, or at those of a file', async () => {
    const file = write('session.jsonl', session().toString());
    const free = write('models.json', '{"Claude-Sonnet-4.5": {"prices": {"input": 0, "output": 1000000}}}');
    const wrong = write('wrong-models.json', '{"acme": {"prices": {"input": 1}}}');
    const [listed, own, refused] = await Promise.all([
      inspect('inspect', file, '--json'),
      inspect('inspect', file, '--json', '--models', free),
      inspect('inspect', file, '--models', wrong),
    ]);
    const close = (text: string, dollars: (sums: readonly number[]) => number): void => {
      const report: unknown = JSON.parse(text);
      assert.ok(isReport(report));
      const { input, cacheRead, cacheWrite, output } = report.usage;
      const total = numberAt(objectAt(report, 'cost'), 'total');
      const expected = dollars([input, cacheRead, cacheWrite, output]);
      assert.ok(total !== undefined && Math.abs(total - expected) < 1e-6, `${total} for ${expected}`);
    };
    close(
      listed.stdout,
      ([input = 0, cacheRead = 0, cacheWrite = 0, output = 0]) =>
        (input * 3 + cacheRead * 0.3 + cacheWrite * 3.75 + output * 15) / 1e6,
    );
    close(own.stdout, sums => sums[3] ?? 0);
    assert.deepEqual(
      [refused.code, refused.stderr],
      [2, `${wrong}: The model "acme" lacks the member "prices.output".\n`],
    );
  });

  it('takes another request, and says if the session has no such request', async () => {
    const file = write('session.jsonl', session().toString());
    const first = await inspect('inspect', file, '--json', '--request', '0');
    const report: unknown = JSON.parse(first.stdout);
    assert.ok(isReport(report));
    assert.equal(report.request.index, 0);
    assert.equal(report.prune.candidateCount, 0);
    const none = await inspect('inspect', file, '--request', '6');
    assert.deepEqual(
      [none.code, none.stderr],
      [2, `${file}: Request 7 (--request 6) does not exist. The conversation has 6 requests.\n`],
    );
  });

  it('reads a database with what is still in its log', async () => {
    const { code, stdout } = await inspect('inspect', resolve('test/fixtures/sqlite/opencode.db'), '--json');
    assert.equal(code, 0);
    const report: unknown = JSON.parse(stdout);
    assert.ok(isReport(report));
    assert.deepEqual([report.format, report.blocks], ['opencode', 3]);
  });

  it('answers a foreign file with one sentence and exit code 2', async () => {
    for (const [name, text] of [
      ['package.json', '{"name": "shop", "version": "1.0.0"}'],
      ['empty.jsonl', ''],
      ['notes.txt', 'just some words\nand more'],
    ] as const) {
      const { code, stdout, stderr } = await inspect('inspect', write(name, text));
      assert.deepEqual([code, stdout, stderr.trim().split('\n').length], [2, '', 1], name);
    }
    const missing = await inspect('inspect', join(folder, 'missing.jsonl'));
    assert.deepEqual(
      [missing.code, missing.stderr],
      [2, `${join(folder, 'missing.jsonl')}: The file does not exist.\n`],
    );
  });

  it('answers wrong words with one sentence and exit code 2', async () => {
    const file = write('session.jsonl', session().toString());
    for (const [words, sentence] of [
      [[folder], `${folder}: This is a folder, not a file.`],
      [[file, '--request', '-1'], "Option '--request' argument is ambiguous."],
      [[file, '--request=1.5'], '--request takes a whole number from 0, not "1.5".'],
      [[file, '--every'], "Unknown option '--every'."],
    ] as const) {
      const { code, stdout, stderr } = await inspect('inspect', ...words);
      assert.deepEqual([code, stdout, stderr], [2, '', `${sentence}\n`]);
    }
  });

  it('takes prune options from an editor that writes a byte order mark', async () => {
    const config = write('marked.json', '\uFEFF{"ruleSet": "katu"}');
    const file = write('session.jsonl', session().toString());
    const { code, stdout } = await inspect('inspect', file, '--config', config);
    assert.equal(code, 0);
    assert.match(stdout, /Pruning old results with the rule set katu:/);
  });

  it('reads what a damaged file still holds, lists the damage and succeeds', async () => {
    const text = session().toString();
    const file = write('damaged.jsonl', text.slice(0, -200).replace('\n', '\n{"type":"user", broken\n'));
    const { code, stdout } = await inspect('inspect', file, '--json');
    const report: unknown = JSON.parse(stdout);
    assert.ok(isReport(report));
    assert.equal(code, 0);
    assert.deepEqual(report.problems, [
      { kind: 'unparsableLine', line: 2, count: 1 },
      { kind: 'truncatedLastLine', line: 14, count: 1 },
    ]);
    assert.equal(report.requests, 5);
  });

  it('refuses a prune option that it does not know', async () => {
    const config = write('wrong.json', '{"protectToken": 1}');
    const { code, stderr } = await inspect(
      'inspect',
      write('session.jsonl', session().toString()),
      '--config',
      config,
    );
    assert.equal(code, 2);
    assert.match(stderr, /"protectToken" is not a prune option/);
  });

  it('describes the same for a person', async () => {
    const { code, stdout } = await inspect('inspect', write('session.jsonl', session().toString()));
    assert.equal(code, 0);
    assert.match(
      stdout,
      /^Claude Code · 2\.1\.62 · claude-sonnet-4-5-20250929\n6 requests, 12 messages, 13 blocks/,
    );
    assert.match(stdout, /Pruning old results with the rule set opencode:/);
  });
});

interface Report {
  readonly format: string;
  readonly agent: unknown;
  readonly model: string;
  readonly requests: number;
  readonly messages: number;
  readonly blocks: number;
  readonly problems: unknown;
  readonly usage: Readonly<Record<'input' | 'cacheRead' | 'cacheWrite' | 'output', number>>;
  readonly request: { readonly index: number; readonly tokens: { readonly quality: string } };
  readonly prune: {
    readonly candidates: readonly {
      readonly sourceId: string;
      readonly tool: string;
      readonly line: number;
    }[];
    readonly candidateCount: number;
    readonly executes: boolean;
  };
}

/** Checks that the documented members are all there; other tests check their values. */
function isReport(value: unknown): value is Report {
  return (
    typeof value === 'object' &&
    value !== null &&
    [
      'format',
      'agent',
      'model',
      'requests',
      'messages',
      'blocks',
      'subagents',
      'compactions',
      'problems',
      'usage',
      'request',
      'prune',
    ].every(key => key in value)
  );
}
