import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { describe, it } from 'node:test';
import { visibleText } from '../../../src/core/base/visibleText';
import { type CacheFinding, type CacheReport, isMeant } from '../../../src/core/cache/cacheFinding';
import { breakCount, packLosses } from '../../../src/core/index/lossTable';
import type { Insight, Insights } from '../../../src/core/insights/insight';
import { insightsOf } from '../../../src/core/insights/insightsOf';
import { insightLine } from '../../../src/core/insights/insightWords';
import { type Analyses, rankInsights } from '../../../src/core/insights/rankInsights';
import { defaultPruneOptions } from '../../../src/core/model/pruneConfig';
import { knownLosses } from '../../../src/core/prune/laterRequests';
import { findBestMoment, runSearch } from '../../../src/core/prune/search';
import { cacheQuestions } from '../../../src/core/questions/cacheQuestions';
import { sightOf } from '../../../src/core/questions/sightQuestion';
import { wasteOf } from '../../../src/core/questions/wasteQuestion';
import { openTranscript } from '../../../src/core/session/openTranscript';
import type { TranscriptSession } from '../../../src/core/session/transcriptSession';
import type { WasteFinding, WasteReport } from '../../../src/core/waste/wasteReport';
import { secretScanner } from '../../../src/node/secrets/secretScannerOnDemand';
import { ClaudeCodeSession, sourceText } from '../../fixtures/claudeCodeSession';
import { sourceOf } from '../../fixtures/transcriptBytes';
import { everything, model, PricedSession, used } from '../prune/pricedSession';

async function opened(text: string | Uint8Array, fileName = 'session.jsonl'): Promise<TranscriptSession> {
  const found = await openTranscript(sourceOf(Buffer.from(text)), { fileName, scanner: secretScanner });
  assert.ok(found.ok);
  await found.session.measure();
  return found.session;
}

const example = (): Promise<TranscriptSession> => opened(readFileSync('media/example/session.jsonl'));

const only = <Item>(items: readonly Item[]): Item => {
  const [item, ...others] = items;
  assert.ok(item !== undefined && others.length === 0, `${items.length} items`);
  return item;
};

const lossAt = (request: number, moneyLost: number | undefined, cause: CacheFinding['causes'][0]) =>
  ({
    request,
    previous: request - 1,
    causes: [cause],
    certainty: 'shown',
    possible: [],
    recorded: null,
    readable: 30_000,
    read: 0,
    tokensLost: 1_000 * request,
    evidence: ['The file <b>changed</b>.'],
    ...(moneyLost === undefined ? {} : { moneyLost }),
  }) satisfies CacheFinding;

const reportOf = (...findings: readonly CacheFinding[]): CacheReport => ({
  findings,
  causes: [],
  diagnostics: {},
  boundaries: [],
  input: { read: 0, written: 0, fresh: 0 },
  lost: { tokens: 0 },
  conservation: { checked: 0, kept: 0 },
  agreement: { compared: 0, agreeing: 0 },
});

const wasted = (change: Partial<WasteFinding>): WasteReport => ({
  findings: [
    {
      kind: 'noisyOutput',
      detail: 'vitest',
      tokens: 800,
      requests: 20,
      perRequest: 800,
      cached: 15_000,
      fresh: 1_000,
      money: 0.25,
      quality: 'calibrated',
      error: 0.1,
      sent: 0,
      called: 0,
      count: 1,
      blocks: [{ block: 0, evidence: -1, since: 1, tokens: 800, carried: 16_000 }],
      ...change,
    },
  ],
  saved: { cached: 0, fresh: 0, money: null },
  input: { cached: 0, fresh: 0, money: null },
  requests: 20,
  unpriced: 0,
});

/** A prompt and four requests. */
function fourRequests() {
  const made = new PricedSession();
  const context = made.context(made.prompt(2_000), made.reply(100));
  for (let request = 0; request < 4; request += 1) {
    made.request(context, 2, used(0, 2_100));
  }
  return made.build();
}

function ranked(analyses: Analyses): Insights {
  const { columns } = fourRequests();
  const summary = {
    format: 'hand-made',
    agent: { name: '', versions: [] },
    title: '',
    model,
    models: [],
    messages: 2,
    compactions: [],
    subagents: [],
    conversations: [],
    problems: [],
    leftOut: [],
    encoding: 'o200k_base',
  } as const;
  return rankInsights({ columns, summary }, analyses);
}

describe('findings worth a look', () => {
  it('have secrets first, then private data, then what costs most', async () => {
    const { found, isComplete, unpriced } = await insightsOf(await example(), defaultPruneOptions());
    assert.ok(isComplete);
    assert.equal(unpriced, '');
    const kinds = found.map(({ kind }) => kind);
    assert.deepEqual(kinds.slice(0, 3), ['secret', 'secret', 'privateData']);
    assert.ok(
      found.slice(0, 3).every(({ money, why }) => money === null && /^sent in \d+ requests/u.test(why)),
    );
    const money = found.slice(3).map(insight => insight.money ?? -1);
    assert.deepEqual(
      money,
      money.toSorted((one, other) => other - one),
    );
    assert.ok(kinds.includes('loss') && kinds.includes('waste') && kinds.includes('fetchedAgain'));
  });

  it('begin with losses, secrets and private data, which need little work', async () => {
    const session = await example();
    const quick = await insightsOf(session, defaultPruneOptions(), { isQuick: true });
    assert.equal(quick.isComplete, false);
    assert.deepEqual([...new Set(quick.found.map(({ kind }) => kind))].sort(), [
      'loss',
      'privateData',
      'secret',
    ]);
    const all = await insightsOf(session, defaultPruneOptions());
    assert.ok(quick.found.every(({ what }) => all.found.some(other => other.what === what)));
  });

  it('have the figures of the panels', async () => {
    const session = await example();
    const { found } = await insightsOf(session, defaultPruneOptions());
    const moneyOf = (kind: Insight['kind']): readonly (number | null)[] =>
      found.filter(insight => insight.kind === kind).map(({ money }) => money);
    const { findings } = await cacheQuestions(session).report();
    const [expired] = findings.filter(({ causes: [first] }) => first === 'lifetimeExpired');
    assert.deepEqual(moneyOf('loss'), [expired?.moneyLost]);
    assert.deepEqual(
      moneyOf('waste'),
      (await wasteOf(session)).findings.map(({ money }) => money),
    );
    assert.deepEqual(moneyOf('fetchedAgain'), [only((await sightOf(session)).compactions).money]);
    const { best } = await cacheQuestions(session).bestMoment(0, defaultPruneOptions());
    assert.deepEqual(moneyOf('prune'), best === undefined ? [] : [best.gained.money]);
  });

  it('leave out what costs less than a two hundredth of the session, and count it', async () => {
    const session = await example();
    const { found, below } = await insightsOf(session, defaultPruneOptions());
    const { findings } = await cacheQuestions(session).report();
    // The session costs $2.82: the compaction paid $0.0029 again.
    const [compaction] = findings.filter(({ causes: [first] }) => first === 'compaction');
    assert.ok((compaction?.moneyLost ?? 1) < 2.82 / 200);
    assert.equal(below, 1);
    assert.ok(
      found.every(({ kind, money }) => kind !== 'compaction' && (money === null || money > 2.82 / 200)),
    );
  });

  it('count compactions as a price and not as a loss', () => {
    const { found } = ranked({ cache: reportOf(lossAt(1, 0.4, 'compaction'), lossAt(2, 0.2, 'toolsAdded')) });
    assert.deepEqual(
      found.map(({ kind, panel, what }) => [kind, panel, what]),
      [
        ['compaction', 'compaction', 'Compacted at request 2'],
        ['loss', 'cache', 'Cache lost at request 3'],
      ],
    );
  });

  it('count the losses in the list of sessions as the editor does', async () => {
    const session = await example();
    const { findings } = await cacheQuestions(session).report();
    assert.deepEqual(findings.map(isMeant), [true, false]);
    assert.equal(breakCount(packLosses(session.transcript.requests, findings, new Map(), () => 0)), 1);
  });

  it('say how good a figure is: nothing if exact, its error, or a range', () => {
    const figures = (analyses: Analyses) => ranked(analyses).found.map(({ figure, mark }) => [figure, mark]);
    assert.deepEqual(figures({ cache: reportOf(lossAt(2, 0.2, 'toolsAdded')) }), [['$0.20', '']]);
    assert.deepEqual(figures({ waste: wasted({}) }), [['$0.25', '≈ ±10 %']]);
    assert.deepEqual(figures({ waste: wasted({ error: 0.4, quality: 'estimated' }) }), [
      ['$0.15–$0.35', 'about'],
    ]);
    assert.deepEqual(figures({ waste: wasted({ money: null, error: 0.4 }) }), [['9,600–22,400 tokens', '≈']]);
  });

  it('are ranked by tokens where nothing has a price, and say why', () => {
    const { found, unpriced } = ranked({
      cache: reportOf(lossAt(1, undefined, 'evicted'), lossAt(3, undefined, 'evicted')),
      waste: wasted({ money: null }),
    });
    assert.deepEqual(
      found.map(({ tokens }) => tokens),
      [16_000, 3_000, 1_000],
    );
    assert.equal(unpriced, `no price known for ${model}`);
  });

  it('show hostile names as they are, on one line and without markup of their own', async () => {
    const hostile = '</script><img src=x onerror=alert(1)>\u202e';
    const made = new ClaudeCodeSession().prompt('Go');
    for (let turn = 0; turn < 4; turn += 1) {
      const id = `toolu_${turn}`;
      made.reply({ tool: 'Read', id, input: { file_path: `/home/ada/${hostile}.ts` } });
      made.result(id, sourceText(1, 9_000)).reply({ text: 'Read.' }).prompt('Again');
    }
    const { found } = await insightsOf(await opened(made.reply({ text: 'Done.' }).toString()), everything);
    const line = found.map(insightLine).find(text => text.includes('onerror'));
    assert.ok(line !== undefined && !line.includes('\n'), found.map(insightLine).join('\n'));
    assert.ok(visibleText(line).includes('[U+202E]'));
  });
});

describe('a saving that rests on a later loss', () => {
  /** Turns with a large old result; from one request on, nothing is read from the cache once. */
  function withLossAt(lost: number) {
    const made = new PricedSession();
    const blocks: number[] = [made.prompt(10), ...made.tool(20_000), made.reply(10)];
    blocks.push(made.prompt(10), made.reply(10), made.prompt(10), made.reply(10));
    const context = made.context(blocks);
    let before = 0;
    for (let request = 0; request < 8; request += 1) {
      const length = blocks.length + request;
      made.append(context, made.reply(10));
      const total = 20_160 + 10 * request;
      made.request(context, length, request === lost ? used(0, total) : used(before, total - before));
      before = total;
    }
    return made.build();
  }

  const momentIn = async (lost: number) => {
    const session = withLossAt(lost);
    const finding = lossAt(lost, 0.2, 'evicted');
    const losses = knownLosses([{ ...finding, tokensLost: 20_000 }]);
    const found = await runSearch(findBestMoment(session, 0, everything, losses));
    return { found, without: await runSearch(findBestMoment(session, 0, everything)) };
  };

  it('gives the same saving, and the smaller one without the loss', async () => {
    const { found, without } = await momentIn(5);
    const choice = found.ranked.find(({ request }) => request === 2);
    assert.ok(choice?.foreseen !== undefined);
    assert.equal(choice.restsOn, 5);
    assert.ok(choice.foreseen.money < choice.gained.money / 2);
    assert.equal(choice.gained.money, without.ranked.find(({ request }) => request === 2)?.gained.money);
  });

  it('is named in the list, with the figure and the best moment without it', async () => {
    const { found } = await momentIn(5);
    const { best } = found;
    assert.ok(best !== undefined);
    const insight = only(ranked({ moment: { ...found, best: { ...best, request: 1, restsOn: 3 } } }).found);
    assert.match(insight.why, /in hindsight: (?:\$[\d.]+|nothing) without the loss at request 4/u);
    assert.equal(insight.kind, 'prune');
    const alone = only(
      ranked({
        moment: {
          best: { ...best, request: 1, foreseen: best.gained },
          ranked: [],
          considered: 1,
          unpriced: 0,
        },
      }).found,
    );
    assert.doesNotMatch(alone.why, /hindsight/u);
  });
});
