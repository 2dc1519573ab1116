import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { CacheSession } from '../../../src/core/cache/cacheSession';
import type { ModelRow } from '../../../src/core/model/modelRow';
import { defaultPruneOptions } from '../../../src/core/model/pruneConfig';
import { replayPrune } from '../../../src/core/prune/replay';
import { triedSettings } from '../../../src/core/whatIf/bestSettings';
import {
  assumptions,
  readSetting,
  readSettings,
  settingKinds,
  settingNames,
  takesOthers,
} from '../../../src/core/whatIf/settings';
import { noFigures, whatIf, type WhatIfOptions, type WhatIfSession } from '../../../src/core/whatIf/whatIf';
import { BestSums, type WhatIfOverview, WhatIfTotals } from '../../../src/core/whatIf/whatIfTotals';
import { whatIfHeadline, whatIfNotes } from '../../../src/core/whatIf/whatIfWords';
import { PricedSession, row, used } from '../prune/pricedSession';

const dollars = 1e-6;

/** Caches every prefix, without steps. */
const automatic: ModelRow = { ...row, cache: { ...row.cache, explicit: false, lookbackBlocks: undefined } };

/** Turns of a prompt of 1,000 tokens, a call of 100 with a result of 20,000, and a reply of 900; two requests each. */
function turns(count: number, minutes = 0): PricedSession {
  const made = new PricedSession();
  const blocks: number[] = [];
  const context = made.context();
  let sent = 0;
  let size = 0;
  let time = 0;
  const send = (tokens: number): void => {
    size += tokens;
    const read = minutes > 5 || sent < 1_024 ? 0 : sent;
    made.request(context, blocks.length, used(read, size - read), { timestamp: time * 60_000 });
    sent = size;
    time += minutes;
  };
  for (let turn = 0; turn < count; turn++) {
    blocks.push(made.append(context, made.prompt(1_000)));
    send(turn === 0 ? 1_000 : 1_900);
    blocks.push(...made.tool(20_000).map(block => made.append(context, block)));
    send(20_100);
    blocks.push(made.append(context, made.reply(900)));
  }
  return made;
}

function told(session: CacheSession, settings: readonly string[], options: Partial<WhatIfOptions> = {}) {
  const result = run(session, settings, options);
  assert.ok(result.kind === 'told', `${settings.join(' ')}: cannot be told`);
  return result;
}

function run(
  session: CacheSession,
  settings: readonly string[],
  options: Partial<WhatIfOptions> = {},
): WhatIfSession {
  return whatIf(session, {
    settings: settings.map(setting),
    parts: [],
    lookUp: () => undefined,
    ...options,
  });
}

function setting(text: string) {
  const found = readSetting(text);
  assert.ok(found !== undefined, text);
  return found;
}

const near = (actual: number, expected: number, what: string): void =>
  assert.ok(
    Math.abs(actual - expected) < 1e-6 * Math.max(1, Math.abs(expected)),
    `${what}: ${actual}, not ${expected}`,
  );

describe('what if', () => {
  it('changes nothing without a setting, and simulates what was recorded', () => {
    for (const known of [row, automatic]) {
      const { recorded, changed, money, tokens, readError } = told(turns(5).build(known), []);
      assert.deepEqual(changed, recorded);
      assert.deepEqual(
        [money, tokens],
        [
          { value: 0, low: 0, high: 0 },
          { value: 0, low: 0, high: 0 },
        ],
      );
      assert.equal(readError, 0);
    }
  });

  it('saves what the replay of a prune saves', () => {
    const session = turns(8).build(automatic);
    const options = { ...defaultPruneOptions('opencode'), protectTokens: 0, minimumTokens: 0 };
    const { saved } = replayPrune(session, 0, options);
    const { money, tokens } = told(session, ['prune=opencode,protect=0,minimum=0']);
    near(money.value, -(saved?.money ?? 0), 'money');
    assert.ok(tokens.value < -100_000, `${tokens.value}`);
    assert.ok(money.low < money.value && money.value < money.high);
  });

  it('keeps what was written for an hour alive, at the price of an hour', () => {
    const hour = {
      ...row,
      prices: { input: 10, cacheRead: 1, cacheWrite: 12.5, cacheWriteHour: 20, output: 50 },
    };
    const { recorded, changed, money, tokens } = told(turns(2, 10).build(hour), ['lifetime=1h']);
    // Four requests of 1,000, 21,100, 23,000 and 43,100 tokens; the first is too short to be cached.
    assert.deepEqual([recorded.cacheRead, recorded.cacheWrite], [0, 88_200]);
    assert.deepEqual([changed.cacheRead, changed.cacheWrite], [44_100, 44_100]);
    near(money.value, (44_100 * 1 + 44_100 * 20 - 88_200 * 12.5) * dollars, 'money');
    assert.equal(tokens.value, 0);
    // A pause within the lifetime changes the price alone.
    const close = told(turns(2, 2).build(hour), ['lifetime=1h']);
    near(close.money.value, close.recorded.cacheWrite * 7.5 * dollars, 'price');
    assert.deepEqual(
      run(turns(2).build(automatic), ['lifetime=1h']).kind,
      'untold',
      'no lifetime to choose with automatic caching',
    );
  });

  it('adds tokens at the start to every request, read or written as the rest', () => {
    const { recorded, changed, tokens } = told(turns(3).build(automatic), ['start=+2000']);
    assert.equal(tokens.value, 6 * 2_000);
    // The second request reads now, because 3,000 tokens are enough to be cached.
    assert.equal(changed.cacheRead - recorded.cacheRead, 3_000 + 4 * 2_000);
  });

  it('takes out thinking, servers, and files of the memory, where they are recorded', () => {
    const made = new PricedSession();
    const { made: by } = made;
    const sized = (block: number, tokens: number) => made.sized(block, tokens);
    const schema = sized(
      by.block({
        label: 'x',
        kind: 'toolSchema',
        role: 'system',
        toolName: 'mcp__ledger__find',
        content: 'schema',
      }),
      700,
    );
    const memory = sized(by.block({ label: 'm', kind: 'injected', content: 'half and half' }), 600);
    const thinking = sized(by.block({ label: 't', kind: 'thinking', role: 'assistant', content: 'hm' }), 500);
    const context = made.context(schema, memory, made.prompt(2_000), thinking, made.reply(100));
    made.request(context, 3, used(0, 3_300), { timestamp: 0 });
    made.request(context, 5, used(3_300, 600), { timestamp: 0 });
    const session = made.build(automatic);
    const parts = [{ block: memory, kind: 'memory', name: '/work/CLAUDE.md', start: 0, end: 13 } as const];
    assert.equal(told(session, ['thinking=none']).tokens.value, -500);
    assert.equal(told(session, ['without-server=Ledger']).tokens.value, -1_400);
    assert.equal(told(session, ['without-server=other']).tokens.value, 0);
    assert.equal(told(session, ['tools=deferred']).tokens.value, 2 * (12 - 700));
    assert.equal(told(session, ['without-memory=CLAUDE.md'], { parts }).tokens.value, -1_200);
    assert.equal(run(session, ['without-memory=AGENTS.md'], { parts }).kind, 'untold');
    assert.equal(run(turns(1).build(), ['without-server=ledger']).kind, 'untold', 'no tools on record');
    const both = told(session, ['thinking=none', 'without-server=ledger']);
    assert.equal(both.tokens.value, -1_900);
    // The shorter start is written once and read once.
    assert.equal(both.recorded.cacheRead - both.changed.cacheRead, 700);
  });

  it('puts results back that the agent cleared', () => {
    const made = new PricedSession();
    const [call, result] = made.tool(5_000);
    const notice = made.notice(result, 10);
    const prompt = made.prompt(2_000);
    made.request(made.context(prompt, call, result), 3, used(0, 7_100), { timestamp: 0 });
    made.request(made.context(prompt, call, notice), 3, used(2_100, 10), { timestamp: 0 });
    const { tokens, changed } = told(made.build(automatic), ['prune=off']);
    assert.equal(tokens.value, 4_990);
    assert.equal(changed.cacheRead, 7_100);
  });

  it('compacts at another threshold, and takes recorded compactions back', () => {
    const made = turns(3);
    made.compact();
    const summary = made.sized(
      made.made.block({ label: 's', kind: 'summary', role: 'user', content: 'what was' }),
      2_000,
    );
    const context = made.context(summary, made.prompt(1_000));
    made.request(context, 2, used(0, 3_000), { timestamp: 0 });
    const session = made.build(automatic);
    // Without the compaction, the last prompt follows all that came before: 3 turns of 22,000.
    const never = told(session, ['compaction=off']);
    assert.equal(never.tokens.value, 66_000 + 1_000 - 3_000);
    assert.equal(told(session, ['compaction=1m']).tokens.value, never.tokens.value);
    // Compacted before the second results, to the 2,000 tokens that were left as recorded: 43,100 tokens become 2,000,
    // and so much less goes into the two requests after it. The recorded compaction is taken back: 24,000, the reply and
    // the prompt in place of 3,000.
    const early = told(session, ['compaction=40k']);
    assert.equal(early.tokens.value, -3 * (43_100 - 2_000) + (24_000 + 900 + 1_000 - 3_000));
    assert.equal(run(turns(3).build(automatic), ['compaction=40k']).kind, 'untold');
    assert.equal(run(turns(3).build(automatic), ['compaction=40k,summary=500']).kind, 'told');
    assert.equal(told(turns(3).build(automatic), ['compaction=1m']).tokens.value, 0);
    // The second prompt of 21,100 tokens is above this threshold before it is sent.
    const claude = { agent: 'Claude Code' };
    const one = told(turns(1).build(automatic), ['compaction=21k,summary=500'], claude);
    assert.equal(one.tokens.value, 500 - 21_100);
    assert.equal(told(turns(1).build(automatic), ['compaction=21100,summary=500'], claude).tokens.value, 0);
    assert.equal(run(session, ['compaction=off'], { agent: 'opencode' }).kind, 'untold');
  });

  it('takes the size of a summary as the provider counts it', () => {
    // The blocks are counted at twice the size that the provider records.
    const made = new PricedSession();
    const context = made.context(made.prompt(40_000));
    made.request(context, 1, used(0, 20_000), { timestamp: 0 });
    made.append(context, made.reply(2_000));
    made.append(context, made.prompt(2_000));
    made.request(context, 3, used(20_000, 2_000), { timestamp: 60_000 });
    const found = (agent: string) => told(made.build(automatic), ['compaction=10k,summary=1000'], { agent });
    // A summary of 1,000 and a prompt of 1,000 in place of 22,000.
    const claude = found('Claude Code');
    assert.equal(claude.tokens.value, 2_000 - 22_000);
    // Codex records the request for the summary: 21,000 tokens in, none of them from the cache, and 1,000 out.
    const codex = found('Codex');
    assert.equal(codex.tokens.value, claude.tokens.value + 21_000);
    assert.equal(codex.changed.cacheRead, claude.changed.cacheRead);
    assert.equal(codex.changed.output, claude.changed.output + 1_000);
  });

  it('prices with another model', () => {
    const twice = { ...row, prices: { input: 20, cacheRead: 2, cacheWrite: 25, output: 100 } };
    const { recorded, money, tokens } = told(turns(3).build(), ['model=other'], { lookUp: () => twice });
    near(money.value, recorded.money, 'twice the price');
    // Another model counts a little differently.
    near(money.high - money.value, 0.03 * money.value, 'above');
    near(money.value - money.low, 0.03 * money.value, 'below');
    assert.equal(tokens.value, 0);
    assert.equal(run(turns(3).build(), ['model=unknown']).kind, 'untold');
  });

  it('tells nothing of a session without recorded usage, and counts included requests alone', () => {
    const made = new PricedSession();
    made.request(made.context(made.prompt(2_000)), 1);
    assert.deepEqual(run(made.build(), ['lifetime=1h']), { kind: 'untold', reason: { kind: 'noUsage' } });
    const { recorded } = told(turns(3).build(), [], { includes: request => request > 3 });
    assert.equal(recorded.requests, 2);
  });

  it('counts dropped results that later texts refer to', () => {
    const session = turns(6).build(automatic);
    const settings = ['prune=opencode,protect=0,minimum=0'];
    assert.equal(told(session, settings).lost, undefined);
    const last = session.columns.blocks.kind.length - 1;
    assert.equal(told(session, settings, { lastUse: () => -1 }).lost, 0);
    // The results of the first three turns are pruned before the last reply was written.
    assert.equal(told(session, settings, { lastUse: () => last }).lost, 3);
  });
});

describe('the settings', () => {
  it('are read from their texts', () => {
    for (const text of [
      'prune=katu',
      'prune=opencode,protect=20k',
      'lifetime=5m',
      'compaction=120000',
      'start=-500',
      'breakpoints=best',
      'tools=deferred',
    ]) {
      assert.equal(readSetting(text)?.name, text.slice(0, text.indexOf('=')));
    }
    for (const text of [
      '',
      'prune',
      'prune=',
      'prune=mine',
      'prune=off,protect=1',
      'prune=opencode,protect=',
      'lifetime=2h',
      'lifetime=toString',
      'compaction=soon',
      'start=500',
      'without-memory=',
      'toString=1',
    ]) {
      assert.equal(readSetting(text), undefined, text);
    }
  });

  it('have values to choose from that can be read', () => {
    for (const { name, choices = [] } of settingKinds) {
      for (const choice of choices) {
        assert.equal(readSetting(`${name}=${choice}`)?.name, name, choice);
      }
    }
  });

  it('have words, and the assumption about the model comes first', () => {
    assert.deepEqual(
      settingKinds.map(({ name }) => name),
      settingNames,
    );
    for (const kind of settingKinds) {
      assert.match(kind.told(kind.choices?.[0] ?? 'x'), /^(with|without|at) /, kind.name);
      assert.notEqual(kind.label(), '');
    }
    assert.deepEqual(
      settingKinds.filter(takesOthers).map(kind => kind.name),
      ['without-memory', 'without-server', 'start', 'compaction', 'prune', 'model'],
    );
    assert.equal(readSettings(['lifetime=1h', 'lifetime=5m']), undefined);
    assert.equal(readSettings(['lifetime=2h']), undefined);
    assert.equal(readSettings(['lifetime=1h', 'prune=off'])?.length, 2);
    const [first = '', ...rest] = assumptions([setting('lifetime=1h')]);
    assert.match(first, /acted the same/);
    assert.equal(rest.length, 1);
  });
});

describe('sums of sessions', () => {
  const name = (id: string) => ({
    id,
    title: `title of ${id}`,
    agent: 'a',
    project: 'p',
    file: `/p/${id}.jsonl`,
    conversation: 0,
  });

  it('add subagents to their session, and keep sessions that cannot be told out of the total', () => {
    const totals = new WhatIfTotals();
    const result = told(turns(4).build(), ['start=+1000']);
    totals.add('a 1', name('1'), false, result);
    totals.add('a 1', name('1'), true, result);
    totals.add('a 2', name('2'), false, { kind: 'untold', reason: { kind: 'noUsage' } });
    const overview = totals.overview(['start=+1000'], ['Assumed.'], 0.9);
    assert.deepEqual([overview.total.sessions, overview.total.untold], [1, 1]);
    assert.equal(overview.total.tokens.value, 2 * result.tokens.value);
    assert.deepEqual(
      overview.rows.map(({ id, isTold }) => [id, isTold]),
      [
        ['1', true],
        ['2', false],
      ],
    );
    const notes = whatIfNotes(overview).join('\n');
    assert.match(notes, /90 %/);
    assert.match(notes, /Cannot be told for 1 session: usage is not recorded/);
  });

  it('say in one sentence what the settings save or cost, and of how many sessions', () => {
    const difference = (value: number, low: number, high: number) => ({ value, low, high });
    const none = { requests: 4, input: 0, cacheRead: 0, cacheWrite: 0, output: 0, money: 5 };
    const said = (
      money: ReturnType<typeof difference>,
      total: Partial<WhatIfOverview['total']> = {},
    ): string =>
      whatIfHeadline({
        settings: ['lifetime=1h', 'prune=opencode,protect=20k'],
        total: {
          recorded: none,
          changed: none,
          money,
          tokens: difference(-1200, -1300, -1100),
          unpriced: 0,
          sessions: 41,
          untold: 1,
          ...total,
        },
      });
    const begin = 'With a cache lifetime of 1 hour, with pruning by opencode (protect=20k): ';
    assert.equal(
      said(difference(-3.1, -3.7, -2.6)),
      `${begin}about $3.10 less ($2.60 to $3.70) over 41 sessions`,
    );
    assert.equal(
      said(difference(0.5, 0.2, 0.8), { sessions: 1 }),
      `${begin}about $0.50 more ($0.20 to $0.80) over 1 session`,
    );
    assert.equal(
      said(difference(-0.1, -0.3, 0.2)),
      `${begin}about $0.10 less (−$0.30 to +$0.20) over 41 sessions`,
    );
    assert.equal(said(difference(0, 0, 0)), `${begin}the same cost over 41 sessions`);
    assert.equal(said(difference(0, 0, 0), { unpriced: 4 }), `${begin}−1,200 input tokens over 41 sessions`);
    assert.equal(
      said(difference(0, 0, 0), { sessions: 0 }),
      `${begin}cannot be told for any session of this period`,
    );
  });

  it('search the choices that save for certain', () => {
    const sums = new BestSums();
    const session = turns(8, 10).build();
    for (const settings of triedSettings()) {
      sums.add(
        settings.map(({ name: known, text }) => `${known}=${text}`),
        whatIf(session, { settings, parts: [], lookUp: () => undefined }),
      );
    }
    const [first, ...rest] = sums.best(3);
    assert.ok(first !== undefined);
    assert.ok(first.money.high < 0);
    // No other setting does anything in this session.
    assert.deepEqual([first.settings, rest], [['lifetime=1h'], []]);
  });

  it('name only the simplest of choices with the same result in every session', () => {
    const sums = new BestSums();
    const told = (value: number): WhatIfSession => ({
      kind: 'told',
      recorded: noFigures(),
      changed: noFigures(),
      money: { value, low: value, high: value },
      tokens: { value: 0, low: 0, high: 0 },
      unpriced: 0,
      readError: 0,
    });
    const untold: WhatIfSession = { kind: 'untold', reason: { kind: 'noUsage' } };
    const results: readonly (readonly [string, readonly WhatIfSession[]])[] = [
      ['compaction=100k lifetime=1h', [told(-2), told(-1)]],
      ['lifetime=1h', [told(-2), told(-1)]],
      ['prune=off lifetime=1h', [told(-2), told(-1.000_000_000_1)]],
      // The same sum from other sessions is another result.
      ['prune=opencode', [told(-1), told(-2)]],
      ['prune=microcompact', [told(0), told(-1)]],
      ['prune=microcompact compaction=100k', [untold, told(-1)]],
    ];
    for (const [settings, sessions] of results) {
      sessions.forEach(session => sums.add(settings.split(' '), session));
    }
    assert.deepEqual(
      sums.best(9).map(({ settings }) => settings.join(' ')),
      ['lifetime=1h', 'prune=opencode', 'prune=microcompact'],
    );
  });
});
