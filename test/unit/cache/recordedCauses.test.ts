import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { agreesWith, narrowedBy } from '../../../src/core/cache/recordedCause';
import { cacheQuestions } from '../../../src/core/questions/cacheQuestions';
import { openTranscript } from '../../../src/core/session/openTranscript';
import type { TranscriptSession } from '../../../src/core/session/transcriptSession';
import { attributionText, repliedIn } from '../../../src/core/view/attribution';
import { scriptedChanges, scriptSession } from '../../fixtures/cacheScript';
import { anthropicCapture, claudeCodeRecords } from '../../fixtures/cacheTranscripts';
import { sourceOf } from '../../fixtures/transcriptBytes';
import { isDeep, someOf } from '../../fixtures/variants';

async function opened(content: string): Promise<TranscriptSession> {
  const result = await openTranscript(sourceOf(new TextEncoder().encode(content)), {
    fileName: 'session.jsonl',
    scanner: { scan: () => Promise.resolve([]) },
  });
  assert.ok(result.ok, result.ok ? '' : result.sentence);
  return result.session;
}

interface Line {
  readonly read: number;
  readonly written: number;
  readonly diagnostics?: unknown;
  readonly rest?: Readonly<Record<string, unknown>>;
  readonly content?: readonly unknown[];
}

const said = (type: string, tokens?: number) => ({
  cache_miss_reason: { type, ...(tokens === undefined ? {} : { cache_missed_input_tokens: tokens }) },
});

/** A Claude Code session without request records: system prompt and tools are not on record. */
function claudeCode(lines: readonly Line[]): string {
  const records = lines.flatMap(({ read, written, diagnostics, rest, content }, index) => {
    const common = {
      parentUuid: null,
      sessionId: 's',
      version: '2.1.150',
      isSidechain: false,
      timestamp: new Date(Date.UTC(2026, 0, 5, 9, 0, 30 * index)).toISOString(),
    };
    const message = {
      id: `msg_${index}`,
      type: 'message',
      role: 'assistant',
      model: 'claude-sonnet-4-5-20250929',
      usage: {
        input_tokens: 3,
        cache_read_input_tokens: read,
        cache_creation_input_tokens: written,
        output_tokens: 10,
      },
      ...(diagnostics === undefined ? {} : { diagnostics }),
    };
    return [
      { ...common, type: 'user', uuid: `u${index}`, message: { role: 'user', content: `Question ${index}` } },
      ...(content ?? [{ type: 'text', text: `Answer ${index}` }]).map((item, place) => ({
        ...common,
        ...rest,
        type: 'assistant',
        uuid: `a${index}.${place}`,
        message: { ...message, content: [item] },
      })),
    ];
  });
  return records.map(record => `${JSON.stringify(record)}\n`).join('');
}

/** The form in which the API streams a reply. */
function streamed(diagnostics: unknown, id: string, read: number): string {
  const usage = {
    input_tokens: 3,
    cache_read_input_tokens: read,
    cache_creation_input_tokens: 20_000 - read,
    output_tokens: 1,
  };
  const message = { id, type: 'message', role: 'assistant', model: 'claude-sonnet-4-5', content: [] };
  return [
    { type: 'message_start', message: { ...message, usage, diagnostics } },
    { type: 'content_block_start', index: 0, content_block: { type: 'text', text: '' } },
    { type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text: 'Yes.' } },
    { type: 'message_delta', delta: { stop_reason: 'end_turn' }, usage: { output_tokens: 4 } },
    { type: 'message_stop' },
  ]
    .map(event => `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`)
    .join('');
}

describe('what the provider says about a cache break', () => {
  it('stands beside the finding, makes it certain and narrows what is inferred', async () => {
    const session = await opened(
      claudeCode([
        { read: 0, written: 30_000, diagnostics: null },
        { read: 30_000, written: 100, diagnostics: said('messages_changed', 12) },
        { read: 18_000, written: 12_300, diagnostics: said('system_changed', 11_689) },
        { read: 30_300, written: 100, diagnostics: { cache_miss_reason: null } },
        { read: 30_400, written: 100, diagnostics: said('something_new') },
        { read: 30_500, written: 100 },
      ]),
    );
    const report = await cacheQuestions(session).report();
    assert.deepEqual(
      report.findings.map(({ request, causes, certainty, recorded }) => [
        request,
        causes,
        certainty,
        recorded,
      ]),
      [[2, ['systemChanged'], 'recorded', { type: 'system_changed', tokens: 11_689 }]],
    );
    assert.deepEqual(report.diagnostics, {
      messages_changed: 1,
      system_changed: 1,
      not_yet_compared: 1,
      other: 1,
    });
    assert.deepEqual(
      report.boundaries.map(({ diagnosis }) => diagnosis),
      [
        undefined,
        { type: 'messages_changed', tokens: 12 },
        { type: 'system_changed', tokens: 11_689 },
        { type: 'not_yet_compared', tokens: null },
        { type: 'other', tokens: null },
        undefined,
      ],
    );
    const inferred = await cacheQuestions(session).inferredReport();
    assert.deepEqual(
      [inferred.findings[0]?.recorded, inferred.findings[0]?.certainty === 'recorded', inferred.diagnostics],
      [null, false, {}],
    );
  });

  it('says nothing about the cause where it compared nothing', async () => {
    for (const type of ['previous_message_not_found', 'unavailable']) {
      const content = claudeCode([
        { read: 0, written: 30_000 },
        { read: 18_000, written: 12_300, diagnostics: said(type) },
      ]);
      const [finding] = (await cacheQuestions(await opened(content)).report()).findings;
      assert.deepEqual(finding?.recorded, { type, tokens: null });
      assert.notEqual(finding.certainty, 'recorded');
    }
  });

  it('leaves a cause that the transcript shows as it is where it means another', () => {
    const shownCause: Parameters<typeof narrowedBy>[1] = {
      causes: ['historyRewritten'],
      certainty: 'shown',
      possible: [],
    };
    assert.deepEqual(
      [
        narrowedBy({ type: 'tools_changed', tokens: 9 }, shownCause),
        narrowedBy({ type: 'messages_changed', tokens: 9 }, shownCause),
      ],
      [shownCause, { ...shownCause, certainty: 'recorded' }],
    );
  });

  it('is read from a stream', async () => {
    const call = (index: number, diagnostics: unknown, read: number): string =>
      JSON.stringify({
        request: {
          url: 'https://api.anthropic.com/v1/messages',
          timestamp: 1_767_603_600 + index,
          body: {
            model: 'claude-sonnet-4-5',
            system: [{ type: 'text', text: 'You help.', cache_control: { type: 'ephemeral' } }],
            messages: [{ role: 'user', content: 'Well?' }],
          },
        },
        response: { body_raw: streamed(diagnostics, `msg_${index}`, read) },
      });
    const content = [call(0, null, 0), call(1, said('tools_changed', 9), 0)].join('\n');
    const report = await cacheQuestions(await opened(content)).report();
    assert.deepEqual(report.diagnostics, { tools_changed: 1 });
    assert.deepEqual(report.boundaries[1]?.diagnosis, { type: 'tools_changed', tokens: 9 });
  });

  it('is read from what Claude Code prints', async () => {
    const line = (rest: object) => JSON.stringify({ session_id: 's', ...rest });
    const message = {
      id: 'msg_a',
      role: 'assistant',
      model: 'claude-sonnet-4-5',
      usage: { input_tokens: 5 },
    };
    const content = [
      line({ type: 'system', subtype: 'init' }),
      line({
        type: 'assistant',
        message: {
          ...message,
          diagnostics: said('model_changed', 4),
          content: [{ type: 'text', text: 'a' }],
        },
      }),
      line({ type: 'assistant', message: { ...message, content: [{ type: 'text', text: 'b' }] } }),
    ].join('\n');
    const report = await cacheQuestions(await opened(content)).report();
    assert.deepEqual(report.diagnostics, { model_changed: 1 });
  });

  it('is read from OpenAI’s responses, by its reason where it names one', async () => {
    const call = (index: number, verdict: unknown): string =>
      JSON.stringify({
        request: { model: 'gpt-5.6', input: [{ role: 'user', content: 'Well?' }] },
        response: {
          id: `resp_${index}`,
          object: 'response',
          model: 'gpt-5.6',
          output: [{ type: 'message', role: 'assistant', content: [{ type: 'output_text', text: 'Yes.' }] }],
          usage: { input_tokens: 9, input_tokens_details: { cached_tokens: 0 }, output_tokens: 2 },
          prompt_cache_diagnostics: verdict,
        },
      });
    const content = [
      call(0, { type: 'cache_hit' }),
      call(1, { type: 'cache_miss', reason: 'service_tier_changed', cache_missed_tokens: 7 }),
      call(2, { type: 'comparison_response_not_found' }),
    ].join('\n');
    const report = await cacheQuestions(await opened(content)).report();
    assert.deepEqual(report.diagnostics, {
      cache_hit: 1,
      service_tier_changed: 1,
      comparison_response_not_found: 1,
    });
    assert.deepEqual(report.boundaries[1]?.diagnosis, { type: 'service_tier_changed', tokens: 7 });
  });
});

describe('causes inferred in scripted sessions', () => {
  for (const [name, write] of [
    ['captures of the Messages API', anthropicCapture],
    ['Claude Code sessions', claudeCodeRecords],
  ] as const) {
    it(`are those that the provider gives: ${name}`, async () => {
      let compared = 0;
      // Requests sent at the same time have no reply to compare with.
      const changes = scriptedChanges.filter(change => change !== 'parallel');
      const pairs = changes.flatMap(first => changes.map(second => [first, second] as const));
      for (const pair of someOf(pairs, 50)) {
        const session = await opened(write(scriptSession(pair), true));
        const recorded = new Map(
          (await cacheQuestions(session).report()).boundaries.map(({ request, diagnosis }) => [
            request,
            diagnosis,
          ]),
        );
        const { findings } = await cacheQuestions(session).inferredReport();
        for (const { request, causes } of findings) {
          const diagnosis = recorded.get(request);
          if (diagnosis !== undefined) {
            compared += 1;
            assert.ok(
              causes.some(cause => agreesWith(diagnosis, cause)),
              `${pair.join(', ')}: ${causes.join(', ')} for ${diagnosis.type}`,
            );
          }
        }
      }
      assert.ok(compared > (isDeep ? 150 : 30), String(compared));
    });
  }
});

describe('what an agent notes with a request', () => {
  it('is shown with its reply, and the name of a call wins over the server noted last', async () => {
    const noted = { attributionMcpServer: 'shop', attributionSkill: 'review', effort: 'high' };
    const call = (name: string) => [{ type: 'tool_use', id: `toolu_${name}`, name, input: {} }];
    const session = await opened(
      claudeCode([
        { read: 0, written: 9000, rest: noted, content: call('mcp__books__find') },
        { read: 9000, written: 10, rest: noted, content: call('Read') },
        {
          read: 9010,
          written: 10,
          rest: { ...noted, attributionPlugin: 'tools', attributionAgent: 'Explore' },
        },
        { read: 9020, written: 10 },
      ]),
    );
    const { columns } = session.toSession();
    assert.deepEqual(
      [0, 1, 2, 3].map(request => attributionText(columns, request)),
      [
        'Skill review · MCP server books · Reasoning effort high',
        'Skill review · Reasoning effort high',
        'Skill review · Plugin tools · Agent Explore · MCP server shop · Reasoning effort high',
        '',
      ],
    );
    // Prompt 0, call 0, prompt 1, call 1.
    assert.deepEqual(
      [0, 1, 2, 3].map(block => repliedIn(columns, block)),
      [-1, 0, -1, 1],
    );
  });
});
