import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { CacheReport } from '../../../src/core/cache/cacheFinding';
import { cacheQuestions } from '../../../src/core/questions/cacheQuestions';
import { openTranscript } from '../../../src/core/session/openTranscript';
import { survivalAfter } from '../../../src/core/tokens/cacheSurvival';
import { lookUpModel } from '../../../src/core/tokens/modelTable';
import { sourceOf } from '../../fixtures/transcriptBytes';

async function reportOf(records: readonly object[]): Promise<CacheReport> {
  const content = records.map(record => `${JSON.stringify(record)}\n`).join('');
  const result = await openTranscript(sourceOf(new TextEncoder().encode(content)), {
    fileName: 'session.jsonl',
    scanner: { scan: () => Promise.resolve([]) },
  });
  assert.ok(result.ok, result.ok ? '' : result.sentence);
  await result.session.countTokens();
  return cacheQuestions(result.session).report();
}

const told = ({ findings }: CacheReport) =>
  findings.map(({ request, causes, certainty }) => [request, ...causes, certainty]);

const words = (count: number, seed: string): string =>
  Array.from({ length: count }, (_, index) => `${seed}${index}`).join(' ');

const at = (seconds: number): string => new Date(Date.UTC(2026, 0, 5, 9) + seconds * 1000).toISOString();

interface Turn {
  readonly at: number;
  readonly total: number;
  readonly read: number;
  /** 10 if absent. */
  readonly output?: number;
  readonly prompt?: string;
  readonly reasons?: boolean;
}

/** A Codex session: every turn is a prompt or a call's result, and a reply. */
function codex(turns: readonly Turn[], model = 'gpt-5.5'): readonly object[] {
  let sum = 0;
  const record = (seconds: number, type: string, payload: object) => ({
    timestamp: at(seconds),
    type,
    payload,
  });
  const item = (seconds: number, payload: object) => record(seconds, 'response_item', payload);
  return [
    record(0, 'session_meta', { id: 's', cli_version: '0.150.0' }),
    record(0, 'turn_context', { model }),
    ...turns.flatMap(({ at: seconds, total, read, output = 10, prompt, reasons = false }, index) => {
      sum += total + output;
      return [
        prompt === undefined
          ? item(seconds, {
              type: 'function_call_output',
              call_id: `call_${index - 1}`,
              output: words(400, `out${index}_`),
            })
          : item(seconds, { type: 'message', role: 'user', content: [{ type: 'input_text', text: prompt }] }),
        ...(reasons
          ? [
              item(seconds, {
                type: 'reasoning',
                summary: [{ type: 'summary_text', text: words(300, `think${index}_`) }],
              }),
            ]
          : []),
        item(seconds, { type: 'function_call', call_id: `call_${index}`, name: 'shell', arguments: '{}' }),
        record(seconds, 'event_msg', {
          type: 'token_count',
          info: {
            last_token_usage: { input_tokens: total, cached_input_tokens: read, output_tokens: output },
            total_token_usage: { total_tokens: sum },
          },
        }),
      ];
    }),
  ];
}

const ask = words(4000, 'ask');

describe('causes of lost cache that the record tells', () => {
  it('are an entry that was not written yet, if a read stops one entry early at once', async () => {
    const early = (seconds: number) =>
      codex([
        { at: 0, total: 20_480, read: 0, prompt: ask },
        { at: 30, total: 22_528, read: 20_480 },
        { at: 60, total: 25_600, read: 22_528 },
        { at: 60 + seconds, total: 27_648, read: 22_528 },
      ]);
    assert.deepEqual(told(await reportOf(early(4))), [[3, 'notWrittenYet', 'narrowed']]);
    assert.deepEqual(told(await reportOf(early(200))), [[3, 'evicted', 'assumed']]);
  });

  it('are no pause if nearly all was read', async () => {
    const paused = (read: number) =>
      codex([
        { at: 0, total: 20_480, read: 0, prompt: ask },
        { at: 30, total: 22_528, read: 20_480 },
        { at: 60, total: 25_600, read: 22_528 },
        { at: 60 + 3 * 3600, total: 27_648, read },
      ]);
    assert.deepEqual(told(await reportOf(paused(0))), [[3, 'lifetimeExpired', 'shown']]);
    assert.deepEqual(told(await reportOf(paused(24_064))), [[3, 'evicted', 'assumed']]);
  });

  it('are reasoning that OpenAI’s models drop at a new turn', async () => {
    const turns = (prompt: string | undefined) =>
      codex([
        { at: 0, total: 20_480, read: 0, prompt: ask, reasons: true },
        { at: 30, total: 24_576, read: 20_480, reasons: true },
        { at: 60, total: 28_672, read: 24_576, reasons: true },
        { at: 90, total: 26_624, read: 20_480, ...(prompt === undefined ? {} : { prompt }) },
      ]);
    assert.deepEqual(told(await reportOf(turns('And now?'))), [[3, 'reasoningDropped', 'narrowed']]);
    assert.deepEqual(told(await reportOf(turns(undefined))), [[3, 'historyRewritten', 'narrowed']]);
  });

  it('are a change in what is not recorded if the read ends there, whatever else the turn may have changed', async () => {
    const possible = async (first: number) => {
      const report = await reportOf(
        codex([
          { at: 0, total: first, read: 0, prompt: 'Look.', reasons: true },
          { at: 30, total: 41_600, read: first, reasons: true },
          { at: 60, total: 42_240, read: 39_936, prompt: 'And now?' },
        ]),
      );
      assert.deepEqual(told(report), [[2, 'unrecordedChanged', 'narrowed']]);
      return report.findings[0]?.possible;
    };
    assert.deepEqual(await possible(40_960), ['unrecordedChanged', 'reasoningDropped', 'evicted']);
    // All of the first request was read, so its unrecorded part was too.
    assert.deepEqual(await possible(39_936), [
      'unrecordedChanged',
      'reasoningDropped',
      'historyRewritten',
      'evicted',
    ]);
  });

  it('are a part of the history that went away, if more did than the unrecorded start has', async () => {
    const report = await reportOf(
      codex([
        { at: 0, total: 20_480, read: 0, prompt: ask },
        { at: 30, total: 61_440, read: 20_480 },
        { at: 60, total: 22_528, read: 9984, prompt: 'Next.' },
      ]),
    );
    assert.deepEqual(told(report), [[2, 'historyRewritten', 'narrowed']]);
    assert.ok(report.findings[0]?.possible.includes('unrecordedChanged'));
  });

  it('are reasoning that is not sent again, if a new turn reads up to the reply that first reasoned', async () => {
    const turns = (read: number, reasons: boolean) =>
      codex(
        [
          { at: 0, total: 20_480, read: 0, prompt: ask },
          { at: 30, total: 24_576, read: 20_480, reasons },
          { at: 60, total: 28_672, read: 24_576, reasons },
          { at: 90, total: 32_768, read: 28_672 },
          { at: 120, total: 34_816, read, prompt: 'Next.' },
        ],
        'somebody-elses-model',
      );
    assert.deepEqual(told(await reportOf(turns(24_576, true))), [[4, 'reasoningDropped', 'narrowed']]);
    assert.deepEqual(told(await reportOf(turns(28_672, true))), [[4, 'unknown', 'narrowed']]);
    assert.deepEqual(told(await reportOf(turns(24_576, false))), [[4, 'unknown', 'narrowed']]);
  });

  it('are a change back, if a new turn reads the last entry from before an earlier change', async () => {
    const turns = (last: number) =>
      codex([
        { at: 0, total: 20_480, read: 0, prompt: ask },
        { at: 30, total: 24_576, read: 20_480 },
        { at: 60, total: 25_600, read: 9984, prompt: 'Next.' },
        { at: 90, total: 28_672, read: 25_600 },
        { at: 120, total: 30_720, read: last, prompt: 'Last.' },
      ]);
    const returned = await reportOf(turns(24_576));
    assert.deepEqual(told(returned), [
      [2, 'unrecordedChanged', 'narrowed'],
      [4, 'unrecordedChanged', 'narrowed'],
    ]);
    assert.match(returned.findings[1]?.evidence.join(' ') ?? '', /3 requests earlier.*changed back/);
    assert.deepEqual(told(await reportOf(turns(25_600)))[1], [4, 'unknown', 'narrowed']);
  });

  it('are none in what is not recorded, if a later request of the turn reads what was written before', async () => {
    const { findings } = await reportOf(
      codex([
        { at: 0, total: 20_480, read: 0, prompt: ask },
        { at: 30, total: 24_576, read: 2432 },
        { at: 60, total: 26_624, read: 20_480 },
      ]),
    );
    assert.deepEqual(findings.map(({ causes, certainty, possible }) => [...causes, certainty, possible])[0], [
      'evicted',
      'assumed',
      [],
    ]);
  });

  it('are a miss of the provider, if nothing is read within a turn of a session with such misses', async () => {
    const missed = (misses: readonly number[]) =>
      codex([
        { at: 0, total: 20_480, read: 0, prompt: ask },
        ...[20_480, ...misses, 28_672].map((read, index) => ({
          at: 30 + 30 * index,
          total: 24_576 + 1024 * index,
          read: index === 0 ? read : Math.min(read, 24_576 + 1024 * (index - 1)),
        })),
        { at: 300, total: 40_960, read: 0 },
      ]);
    const last = async (misses: readonly number[]) =>
      (await reportOf(missed(misses))).findings.at(-1)?.causes;
    assert.deepEqual(await last([21_504, 22_528, 23_552]), ['evicted']);
    assert.deepEqual(await last([30_000, 30_000, 30_000]), ['unrecordedChanged']);
  });

  it('are reasoning that was dropped, even if an older entry than the one before it was read', async () => {
    const { findings } = await reportOf(
      codex([
        { at: 0, total: 20_480, read: 0, prompt: ask },
        { at: 30, total: 24_576, read: 20_480, prompt: ask, reasons: true },
        { at: 60, total: 28_672, read: 24_576, reasons: true },
        { at: 90, total: 26_624, read: 20_480, prompt: 'And now?' },
      ]),
    );
    assert.deepEqual(
      findings.map(({ request, causes, certainty }) => [request, ...causes, certainty]),
      [[3, 'reasoningDropped', 'narrowed']],
    );
  });

  it('are another model, also if the first one comes back', async () => {
    const [start, ...rest] = codex([
      { at: 0, total: 20_480, read: 0, prompt: ask },
      { at: 30, total: 24_576, read: 20_480 },
    ]);
    const later = (model: string, total: number, read: number, seconds: number) =>
      codex([{ at: seconds, total, read, prompt: `Go on ${seconds}.` }], model).slice(1);
    const report = await reportOf([
      start ?? {},
      ...rest,
      ...later('gpt-5.4', 25_600, 0, 60),
      ...later('gpt-5.5', 26_624, 24_576, 90),
    ]);
    assert.deepEqual(told(report), [[2, 'modelChanged', 'shown']]);
  });

  it('are a pause after which the cache may have expired, as often as it was seen to', async () => {
    const after = (seconds: number, read: number, model = 'gpt-5.5') =>
      codex(
        [
          { at: 0, total: 20_480, read: 0, prompt: ask },
          { at: 30, total: 24_576, read: 20_480 },
          { at: 30 + seconds, total: 26_624, read },
        ],
        model,
      );
    const lost = await reportOf(after(400, 0));
    assert.deepEqual(told(lost), [[2, 'lifetimeExpired', 'narrowed']]);
    assert.deepEqual(lost.findings[0]?.possible, ['lifetimeExpired', 'evicted']);
    const seen = survivalAfter(lookUpModel('gpt-5.5')?.cache, undefined, 400);
    assert.ok(seen !== undefined && seen.survived > 0);
    assert.match(
      lost.findings[0].evidence.join(' '),
      new RegExp(
        `may have expired.* ${seen.survived} of ${seen.of} .* survived .*likely range: \\d+ % to \\d+ %`,
      ),
    );
    const kept = await reportOf(after(400, 24_576));
    assert.deepEqual([kept.findings, kept.boundaries[2]?.surplus], [[], 'outlived']);
    assert.deepEqual(told(await reportOf(after(7200, 0))), [[2, 'lifetimeExpired', 'shown']]);
  });

  it('are none where the provider had cached the reply too, or another session had written more', async () => {
    const reading = (read: number) =>
      codex(
        [
          { at: 0, total: 20_480, read: 0, prompt: ask, output: 3000, reasons: true },
          { at: 30, total: 24_700, read },
        ],
        'deepseek-chat',
      );
    const surplus = async (read: number) => (await reportOf(reading(read))).boundaries[1]?.surplus;
    assert.equal(await surplus(20_480 + 2990), 'reply');
    assert.equal(await surplus(20_480 + 3328), 'elsewhere');
  });

  it('are a pause within the promised lifetime, for a model whose caches were seen to be gone sooner', async () => {
    const after = (seconds: number, model: string) =>
      codex(
        [
          { at: 0, total: 20_480, read: 0, prompt: ask },
          { at: 30, total: 24_576, read: 20_480 },
          { at: 30 + seconds, total: 26_624, read: 0 },
        ],
        model,
      );
    const gone = await reportOf(after(400, 'gpt-5.6-luna'));
    assert.deepEqual(told(gone), [[2, 'lifetimeExpired', 'narrowed']]);
    assert.equal(gone.boundaries[2]?.agreement, 'agrees');
    const often = await reportOf(after(200, 'gpt-5.6-luna'));
    assert.deepEqual(told(often), [[2, 'lifetimeExpired', 'narrowed']]);
    assert.equal(often.boundaries[2]?.agreement, 'short');
    assert.deepEqual(told(await reportOf(after(400, 'gpt-5.6-sol'))), [[2, 'unrecordedChanged', 'narrowed']]);
    assert.deepEqual(told(await reportOf(after(30, 'gpt-5.6-luna'))), [[2, 'unrecordedChanged', 'narrowed']]);
  });
});

describe('causes of lost cache in a pi session', () => {
  it('are a thinking level that changed, which pi records', async () => {
    const usage = (read: number, written: number) => ({
      input: 3,
      output: 9,
      cacheRead: read,
      cacheWrite: written,
    });
    const message = (id: string, parentId: string | null, role: string, rest: object) => ({
      type: 'message',
      id,
      parentId,
      timestamp: at(10),
      message: { role, ...rest, content: [{ type: 'text', text: `Text ${id}` }] },
    });
    const reply = (id: string, parentId: string, read: number, written: number) =>
      message(id, parentId, 'assistant', { model: 'claude-sonnet-4-5', usage: usage(read, written) });
    const records = (level: string) => [
      { type: 'session', version: 3, id: 's', timestamp: at(0), cwd: '/shop' },
      { type: 'thinking_level_change', id: 'l1', parentId: null, thinkingLevel: 'high', timestamp: at(0) },
      message('u1', 'l1', 'user', {}),
      reply('a1', 'u1', 0, 20_000),
      { type: 'thinking_level_change', id: 'l2', parentId: 'a1', thinkingLevel: level, timestamp: at(1) },
      message('u2', 'l2', 'user', {}),
      reply('a2', 'u2', 0, 20_100),
    ];
    assert.deepEqual(told(await reportOf(records('low'))), [[1, 'settingsChanged', 'narrowed']]);
    assert.deepEqual(told(await reportOf(records('high'))), [[1, 'unrecordedChanged', 'narrowed']]);
  });
});

interface Line {
  readonly id: string;
  readonly read: number;
  readonly written: number;
  readonly agent?: string;
  readonly text?: string;
  readonly result?: string;
  /** The tool that it calls. */
  readonly tool?: string;
  readonly input?: object;
  /** The texts that the client adds to the prompt. */
  readonly injected?: readonly string[];
}

const claudeCommon = { parentUuid: null, sessionId: 's', version: '2.1.30', userType: 'external' };

function claudeLines(
  { id, read, written, agent, text, result, tool = 'Read', input = {}, injected = [] }: Line,
  index: number,
): readonly object[] {
  const common = {
    ...claudeCommon,
    timestamp: at(20 * index),
    isSidechain: agent !== undefined,
    ...(agent === undefined ? {} : { agentId: agent }),
  };
  const content =
    result === undefined
      ? (text ?? `Question ${id}`)
      : [{ type: 'tool_result', tool_use_id: `toolu_${result}`, content: words(6000, result) }];
  const usage = {
    input_tokens: 3,
    cache_read_input_tokens: read,
    cache_creation_input_tokens: written,
    output_tokens: 10,
  };
  const call = { type: 'tool_use', id: `toolu_${id}`, name: tool, input };
  const message = { id: `msg_${id}`, role: 'assistant', model: 'claude-sonnet-4-5', content: [call], usage };
  return [
    { ...common, type: 'user', uuid: `u${id}`, message: { role: 'user', content } },
    ...injected.map((words, place) => ({
      ...common,
      type: 'user',
      uuid: `i${place}${id}`,
      isMeta: true,
      message: { role: 'user', content: [{ type: 'text', text: words }] },
    })),
    { ...common, type: 'assistant', uuid: `a${id}`, message },
  ];
}

describe('causes of lost cache in a Claude Code session', () => {
  const before: readonly Line[] = [
    { id: 'a', read: 0, written: 20_000 },
    { id: 'b', read: 20_000, written: 12_000, result: 'a' },
  ];
  const hook = (kind: string) => ({
    ...claudeCommon,
    type: 'progress',
    uuid: 'hook',
    data: { type: 'hook_progress', hookEvent: 'SessionStart', hookName: `SessionStart:${kind}` },
  });

  it('are a resume, which the hook of its start shows', async () => {
    const records = (kind: string) => [
      ...before.flatMap(claudeLines),
      hook(kind),
      ...claudeLines({ id: 'c', read: 15_000, written: 20_000, text: 'Go on.' }, 3),
      ...claudeLines({ id: 'd', read: 35_000, written: 100, text: 'And?' }, 4),
    ];
    assert.deepEqual(told(await reportOf(records('resume'))), [[2, 'resumed', 'narrowed']]);
    const [finding] = (await reportOf(records('startup'))).findings;
    assert.equal(finding?.request, 2);
    assert.ok(!finding.causes.includes('resumed'));
  });

  it('are a skill or tools that were loaded just before, where the break is in what is not recorded', async () => {
    const calling = (tool: string): readonly Line[] => [
      { id: 'a', read: 0, written: 90_000 },
      { id: 'b', read: 90_000, written: 12_000, result: 'a', tool },
      { id: 'c', read: 16_000, written: 98_000, result: 'b' },
    ];
    const causes = async (tool: string) => told(await reportOf(calling(tool).flatMap(claudeLines)));
    assert.deepEqual(await causes('Skill'), [[2, 'skillLoaded', 'narrowed']]);
    assert.deepEqual(await causes('ToolSearch'), [[2, 'toolsAdded', 'narrowed']]);
    assert.deepEqual(await causes('Bash'), [[2, 'unrecordedChanged', 'narrowed']]);
  });

  it('are a skill that a slash command injects, at every place', async () => {
    const skill = `Base directory for this skill: /home/me/.claude/skills/review\n\n${words(300, 'rule')}`;
    const records = [
      { id: 'a', read: 0, written: 90_000 },
      { id: 'b', read: 16_000, written: 78_000, text: '/review', injected: [skill] },
      { id: 'c', read: 94_000, written: 2_000, result: 'b' },
      { id: 'd', read: 16_000, written: 84_000, text: '/review again', injected: [skill] },
    ].flatMap(claudeLines);
    assert.deepEqual(told(await reportOf(records)), [
      [1, 'skillLoaded', 'narrowed'],
      [3, 'skillLoaded', 'narrowed'],
    ]);
  });

  it('are ranked by what moved outside, where the break is in what is not recorded', async () => {
    const after = async (lines: readonly Line[]) => {
      const [finding] = (await reportOf(lines.flatMap(claudeLines))).findings;
      return [finding?.causes, finding?.possible, finding?.evidence.at(-1)];
    };
    const calls = (tool: string, input: object, next: Partial<Line>): readonly Line[] => [
      { id: 'a', read: 0, written: 90_000, tool, input },
      { id: 'b', read: 16_000, written: 80_000, result: 'a', ...next },
    ];
    assert.deepEqual(await after(calls('Edit', { file_path: '/shop/CLAUDE.md' }, {})), [
      ['unrecordedChanged'],
      ['unrecordedChanged', 'systemChanged', 'historyRewritten', 'evicted'],
      'The instruction file CLAUDE.md was edited shortly before.',
    ]);
    assert.deepEqual((await after(calls('Edit', { file_path: '/shop/main.ts' }, {})))[1], [
      'unrecordedChanged',
      'historyRewritten',
      'evicted',
    ]);
    const updated = calls('Read', {}, {}).flatMap((line, index) =>
      claudeLines(line, index).map(record => (index === 0 ? record : { ...record, version: '2.1.31' })),
    );
    const { findings } = await reportOf(updated);
    assert.deepEqual(
      [findings[0]?.causes, findings[0]?.evidence.at(-1)],
      [['unrecordedChanged'], 'The agent’s version changed to 2.1.31.'],
    );
    assert.deepEqual(await after(calls('Read', {}, { tool: 'mcp__ledger__look_up' })), [
      ['unrecordedChanged'],
      ['unrecordedChanged', 'toolsAdded', 'historyRewritten', 'evicted'],
      'The MCP server ledger is used for the first time soon after.',
    ]);
  });

  it('are results that were cleared, where the input fell by less than they have', async () => {
    const fallen = [...before, { id: 'c', read: 19_000, written: 4000, text: 'Go on.' }];
    const report = await reportOf(fallen.flatMap(claudeLines));
    assert.deepEqual(told(report), [[2, 'cleared', 'narrowed']]);
    assert.ok(report.findings[0]?.possible.includes('historyRewritten'));
  });
});

describe('conversations side by side', () => {
  const subagents = (lastRead: number): readonly Line[] => [
    { id: 'm1', read: 0, written: 30_000 },
    { id: 'x1', read: 0, written: 12_000, agent: 'x' },
    { id: 'y1', read: 9000, written: 4000, agent: 'y' },
    { id: 'x2', read: 12_000, written: 500, agent: 'x', result: 'x1' },
    { id: 'm2', read: 30_000, written: 700, result: 'm1' },
    { id: 'y2', read: 13_000, written: 400, agent: 'y', result: 'y1' },
    { id: 'x3', read: lastRead, written: 13_400 - lastRead, agent: 'x', result: 'x2' },
  ];

  it('of interleaved subagents of one file are no misses of each other, and a real miss is one', async () => {
    assert.deepEqual(told(await reportOf(subagents(12_500).flatMap(claudeLines))), []);
    const report = await reportOf(subagents(0).flatMap(claudeLines));
    assert.deepEqual(
      report.findings.map(({ request, previous, readable }) => [request, previous, readable]),
      [[6, 3, 12_500]],
    );
  });

  interface Call {
    readonly system: string;
    readonly tools: readonly string[];
    readonly messages: readonly string[];
    readonly read: number;
    readonly written: number;
  }

  const main = { system: words(300, 'main'), tools: ['Read', 'Edit', 'Search'] };
  const agent = { system: words(300, 'agent'), tools: ['Grep', 'List'] };
  const title = { system: 'Write a title for the conversation.', tools: [] };

  function capture(calls: readonly Call[]): readonly object[] {
    return calls.map(({ system, tools, messages, read, written }, index) => ({
      request: {
        timestamp: at(15 * index),
        url: 'https://api.anthropic.com/v1/messages',
        method: 'POST',
        headers: {},
        body: {
          model: 'claude-sonnet-4-5',
          system: [{ type: 'text', text: system, cache_control: { type: 'ephemeral' } }],
          tools: tools.map(name => ({ name, description: words(200, name), input_schema: {} })),
          messages: messages.map((content, place) => ({
            role: place % 2 === 0 ? 'user' : 'assistant',
            content:
              place === messages.length - 1
                ? [{ type: 'text', text: content, cache_control: { type: 'ephemeral' } }]
                : content,
          })),
        },
      },
      response: {
        status: 200,
        headers: {},
        body: {
          id: `msg_${index}`,
          type: 'message',
          role: 'assistant',
          model: 'claude-sonnet-4-5',
          content: [{ type: 'text', text: `Reply ${index}` }],
          usage: {
            input_tokens: 3,
            cache_read_input_tokens: read,
            cache_creation_input_tokens: written,
            output_tokens: 10,
          },
        },
      },
    }));
  }

  /**
   * The content that VS Code's Cache Explorer compares in order of time: an agent's turns, its subagent's, and other
   * calls.
   */
  const calls = (lastRead: number): readonly Call[] => [
    { ...main, messages: ['Fix it'], read: 0, written: 9000 },
    { ...title, messages: ['Fix it'], read: 0, written: 0 },
    { ...agent, messages: ['Search for it'], read: 0, written: 7000 },
    { ...main, messages: ['Fix it', 'Reply 0', 'More'], read: 9000, written: 300 },
    { ...agent, messages: ['Search for it', 'Reply 2', 'Go on'], read: 7000, written: 200 },
    { ...title, messages: ['More'], read: 0, written: 0 },
    { ...main, messages: ['Fix it', 'Reply 0', 'More', 'Reply 3', 'Thanks'], read: lastRead, written: 300 },
  ];

  it('of a capture are no misses of each other, and a real miss among them is one', async () => {
    assert.deepEqual(told(await reportOf(capture(calls(9300)))), []);
    const report = await reportOf(capture(calls(0)));
    assert.deepEqual(
      report.findings.map(({ request, previous, readable }) => [request, previous, readable]),
      [[6, 3, 9300]],
    );
  });

  it('of two sessions that begin alike are no misses of each other', async () => {
    const session = (name: string, turn: number): readonly string[] =>
      ['Fix it', `Reply of ${name}`, `More of ${name}`, `Then ${name}`, `Last of ${name}`].slice(
        0,
        1 + 2 * turn,
      );
    const report = (lastRead: number) =>
      reportOf(
        capture([
          { ...main, messages: session('one', 0), read: 0, written: 9000 },
          { ...main, messages: session('two', 0), read: 9000, written: 0 },
          { ...main, messages: session('one', 1), read: 9000, written: 12 },
          { ...main, messages: session('two', 1), read: 9000, written: 12 },
          { ...main, messages: session('one', 2), read: 9012, written: 12 },
          { ...main, messages: session('two', 2), read: lastRead, written: 9024 - lastRead },
        ]),
      );
    assert.deepEqual(told(await report(9012)), []);
    assert.deepEqual(
      (await report(0)).findings.map(({ request, previous }) => [request, previous]),
      [[5, 3]],
    );
  });
});
