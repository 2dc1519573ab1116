import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { CacheReport } from '../../../src/core/cache/cacheFinding';
import { cacheReport, findCacheBreaks, outlineCache } from '../../../src/core/cache/cacheReport';
import { CacheSession } from '../../../src/core/cache/cacheSession';
import type { Session } from '../../../src/core/model/columns';
import type { RecordedRequest } from '../../../src/core/model/transcript';
import { lookUpModel } from '../../../src/core/tokens/modelTable';
import { assertLinear } from '../../fixtures/linearWork';
import { HandMade, measuresOf, toColumns } from '../session/handMade';

const sonnet = 'claude-sonnet-4-5-20250929';
const gpt = 'gpt-5.1';

function sessionOf(made: HandMade, tokens: (block: number) => number): Session {
  const transcript = made.build();
  const ids = new Set(transcript.requests.flatMap(({ model }) => model ?? []));
  return {
    columns: toColumns(transcript, measuresOf(transcript, tokens)),
    summary: {
      format: 'hand-made',
      agent: { name: '', versions: [] },
      title: '',
      model: sonnet,
      models: [...ids].flatMap(id => {
        const row = lookUpModel(id);
        return row === undefined ? [] : [{ id, row }];
      }),
      messages: transcript.messages.length,
      compactions: transcript.compactions,
      subagents: [],
      conversations: [],
      problems: [],
      leftOut: [],
      encoding: 'o200k_base',
    },
  };
}

function report(session: Session): CacheReport {
  const cache = new CacheSession(session);
  const outline = outlineCache(cache);
  return cacheReport(cache, outline, findCacheBreaks(cache, outline.broken));
}

interface Usage {
  readonly read: number;
  readonly written: number;
  readonly fresh?: number;
  readonly life?: number;
}

function usage({ read, written, fresh = 0, life }: Usage): RecordedRequest['usage'] {
  return {
    input: fresh,
    cacheRead: read,
    cacheWrite: written,
    output: 10,
    ...(life === undefined ? {} : { cacheLifetime: life }),
  };
}

/** Requests that each add a block of 1,000 tokens to a prompt of 1,000, a minute apart unless `at` says otherwise. */
function growing(uses: readonly (Usage & { readonly at?: number })[], rest: Partial<RecordedRequest> = {}) {
  const made = new HandMade();
  const context = made.builder.startContext([]);
  uses.forEach(({ at, ...use }, index) => {
    made.builder.contexts[context]?.push(made.prompt(`block ${index}`));
    const given = usage(use);
    made.request(context, index + 1, {
      timestamp: (at ?? 60 * index) * 1000,
      ...(given === undefined ? {} : { usage: given }),
      ...rest,
    });
  });
  return report(sessionOf(made, () => 1000));
}

describe('cache report', () => {
  it('checks that what was read and written is read again', () => {
    const { boundaries, conservation, agreement, input, findings } = growing([
      { read: 0, written: 20_000 },
      { read: 20_000, written: 1_000 },
      { read: 21_000, written: 1_000, fresh: 3 },
      { read: 23_000, written: 500 },
    ]);
    assert.deepEqual(
      boundaries.map(boundary => boundary.conservation),
      ['unknown', 'kept', 'kept', 'more'],
    );
    // 20,000 + 1,000 + 1,000 = 22,000 had been written before, so someone else wrote the rest; 1,000 is one block.
    assert.deepEqual(conservation, { checked: 3, kept: 2 });
    assert.deepEqual(
      boundaries.map(({ predicted }) => predicted.tokens),
      [0, 20_000, 21_000, 22_000],
    );
    assert.deepEqual(agreement, { compared: 4, agreeing: 4 });
    assert.deepEqual(input, { read: 64_000, written: 22_500, fresh: 3 });
    assert.deepEqual(findings, []);
  });

  it('says that more was read than any request on record had written', () => {
    const { boundaries } = growing([
      { read: 16_000, written: 4_000 },
      { read: 20_000, written: 1_000 },
    ]);
    assert.deepEqual([boundaries[0]?.agreement, boundaries[0]?.surplus], ['beyond', 'elsewhere']);
    assert.equal(boundaries[1]?.agreement, 'agrees');
  });

  it('prices what was lost: written again at the price of its lifetime, the rest as fresh input, less reading it', () => {
    const forMinutes = growing([
      { read: 0, written: 50_000 },
      { read: 0, written: 51_000, at: 400 },
    ]);
    // Sonnet 4.5, US dollars per million tokens: input 3, write 3.75, for an hour 6, read 0.3.
    assert.equal(forMinutes.findings[0]?.tokensLost, 50_000);
    assert.ok(Math.abs((forMinutes.findings[0].moneyLost ?? 0) - 0.05 * (3.75 - 0.3)) < 1e-9);
    const forAnHour = growing([
      { read: 0, written: 50_000, life: 3600 },
      { read: 0, written: 30_000, fresh: 21_000, life: 3600, at: 3700 },
    ]);
    // 30,000 were written again, the other 20,000 sent as fresh input.
    const money = 0.03 * (6 - 0.3) + 0.02 * (3 - 0.3);
    assert.ok(Math.abs((forAnHour.findings[0]?.moneyLost ?? 0) - money) < 1e-9);
    assert.deepEqual(forAnHour.findings[0]?.causes, ['lifetimeExpired']);
    assert.ok(Math.abs((forAnHour.lost.money ?? 0) - money) < 1e-9);
  });

  it('shows no money for a model whose prices are unknown', () => {
    const { findings, lost, causes } = growing(
      [
        { read: 0, written: 50_000 },
        { read: 0, written: 51_000 },
      ],
      { model: 'somebody-elses-model' },
    );
    assert.equal(findings.length, 1);
    assert.ok(findings.every(finding => !('moneyLost' in finding)));
    assert.deepEqual(lost, { tokens: 50_000 });
    assert.ok(causes.every(cause => !('moneyLost' in cause)));
  });

  it('never counts more as lost than was paid for', () => {
    const { findings } = growing([
      { read: 0, written: 50_000 },
      { read: 10_000, written: 12_000 },
    ]);
    assert.equal(findings[0]?.readable, 50_000);
    assert.equal(findings[0].tokensLost, 12_000);
  });

  it('names only what is possible where tools and system text are not on record', () => {
    const hidden = growing([
      { read: 0, written: 20_000 },
      { read: 20_000, written: 1_000 },
      { read: 5_000, written: 17_000 },
    ]).findings[0];
    // About 19,000 tokens are not recorded; the read ended within them.
    assert.deepEqual(hidden?.causes, ['unrecordedChanged']);
    assert.equal(hidden.certainty, 'narrowed');
    assert.deepEqual(hidden.possible, ['unrecordedChanged', 'historyRewritten', 'evicted']);
    assert.ok(hidden.evidence.some(fact => fact.includes('5,000')));
  });

  it('takes messages for changed where a read ends at an older entry than a marked one of just before', () => {
    const uses = Array.from({ length: 8 }, (_, index) => ({
      read: index === 0 ? 0 : 4_000 + 1_000 * index,
      written: index === 0 ? 5_000 : 1_000,
    }));
    const { findings } = growing([...uses, { read: 10_000, written: 3_000 }]);
    assert.deepEqual(findings[0]?.causes, ['historyRewritten']);
    assert.deepEqual(
      [findings[0].certainty, findings[0].possible],
      ['narrowed', ['historyRewritten', 'evicted']],
    );
    // The sixth request left 10,000 readable, three before the ninth.
    assert.ok(findings[0].evidence.some(fact => fact.includes('3 requests earlier')));
  });

  it('sees that something not on record left the input', () => {
    const { findings } = growing([
      { read: 0, written: 60_000 },
      { read: 60_000, written: 1_000 },
      { read: 20_000, written: 20_000 },
    ]);
    assert.deepEqual(findings[0]?.causes, ['unrecordedChanged']);
    assert.equal(findings[0].certainty, 'narrowed');
    // 61,000 before, 40,000 now.
    assert.ok(findings[0].evidence.some(fact => fact.includes('21,000')));
  });

  it('takes steps in which a provider counts hits for agreement', () => {
    const totals = [5_000, 6_000, 7_000, 8_000, 9_000, 10_000];
    const uses = totals.map((total, index) => {
      const read = Math.floor((totals[index - 1] ?? 0) / 128) * 128;
      return { read, written: 0, fresh: total - read };
    });
    const { findings, conservation } = growing(uses, { model: gpt });
    assert.deepEqual(findings, []);
    assert.deepEqual(conservation, { checked: 5, kept: 5 });
  });

  it('takes losses below two steps of the provider, or below the scatter of its counts, for noise', () => {
    const reads = [20_000, 21_000, 22_000, 23_000].map(total => total - 100);
    const uses = [0, ...reads].map((read, index) => ({
      read,
      written: 0,
      fresh: 20_000 + 1000 * index - read,
    }));
    assert.deepEqual(growing(uses, { model: 'somebody-elses-model' }).findings, []);
    const scattered = uses.map(({ read }, index) => {
      const counted = read === 0 ? 0 : read + 100 - ([0, 917, 1303, 711, 1201][index] ?? 0);
      return { read: counted, written: 0, fresh: 20_000 + 1000 * index - counted };
    });
    assert.deepEqual(growing(scattered, { model: 'gemini-3-pro-preview' }).findings, []);
    const lost = [...scattered, { read: 15_000, written: 0, fresh: 10_000 }];
    assert.deepEqual(
      growing(lost, { model: 'gemini-3-pro-preview' }).findings.map(({ request }) => request),
      [5],
    );
  });

  it('shows a difference as the cause only if the read stopped there', () => {
    const reported = (read: number, unrecorded = 0): CacheReport => {
      const made = new HandMade();
      const blocks = Array.from({ length: 12 }, (_, index) => made.prompt(`block ${index}`));
      const add = (numbers: readonly number[], cacheRead: number, seconds: number, more = 0): void => {
        const context = made.builder.startContext(numbers);
        made.request(context, numbers.length, {
          model: gpt,
          timestamp: seconds * 1000,
          usage: {
            input: 10_240 + more + 1024 * numbers.length - cacheRead,
            cacheRead,
            cacheWrite: 0,
            output: 10,
          },
        });
      };
      add(blocks.slice(0, 10), 0, 0);
      // The ninth block is another one now.
      add(
        [...blocks.slice(0, 8), ...blocks.slice(10, 11), ...blocks.slice(9, 10), made.prompt('more')],
        read,
        30,
        unrecorded,
      );
      return report(sessionOf(made, () => 1024));
    };
    const edited = (read: number, unrecorded?: number) =>
      reported(read, unrecorded).findings.map(({ causes, certainty }) => [...causes, certainty]);
    // 10,240 tokens are not recorded, and eight blocks are the same.
    assert.deepEqual(edited(18_432), [['historyRewritten', 'shown']]);
    assert.deepEqual(edited(10_240), [['unrecordedChanged', 'historyRewritten', 'narrowed']]);
    // 8,192 tokens more are not recorded now, and nothing says whether they stand before the difference or after it.
    assert.deepEqual(edited(18_432, 8192), [['historyRewritten', 'shown']]);
    const { boundaries } = reported(18_432, 8192);
    assert.deepEqual([boundaries[1]?.predicted.tokens, boundaries[1]?.agreement], [10_240 + 8192, 'agrees']);
    assert.deepEqual(edited(10_240, 8192), [['unrecordedChanged', 'narrowed']]);
  });

  it('says nothing where a provider never reported its cache', () => {
    const { findings, conservation, agreement } = growing(
      [
        { read: 0, written: 0, fresh: 5_000 },
        { read: 0, written: 0, fresh: 6_000 },
      ],
      { model: gpt },
    );
    assert.deepEqual(findings, []);
    assert.deepEqual(conservation, { checked: 0, kept: 0 });
    assert.deepEqual(agreement, { compared: 0, agreeing: 0 });
  });

  it('lets a subagent read what the main thread wrote, and tells when it was too early for that', () => {
    const subagents = (at: number, read: number) => {
      const made = new HandMade();
      const head = ['tools', 'rules'].map(label =>
        made.block({ label, role: 'system', kind: 'systemPrompt' }),
      );
      const task = (thread: number, seconds: number, use: Usage): void => {
        const context = made.builder.startContext([...head, made.prompt(`task ${thread}`)]);
        made.request(context, 3, {
          thread,
          complete: true,
          timestamp: seconds * 1000,
          usage: usage(use) ?? { input: 0, cacheRead: 0, cacheWrite: 0, output: 0 },
        });
      };
      task(1, 0, { read: 0, written: 5_000 });
      task(2, at, { read, written: 5_000 - read });
      // The two blocks of the system text have 2,000 tokens each, the task has 1,000.
      return report(sessionOf(made, block => (block < 2 ? 2_000 : 1_000)));
    };
    const later = subagents(30, 4_000);
    assert.deepEqual(later.boundaries[1]?.predicted, {
      tokens: 4_000,
      blocks: 2,
      quality: 'calibrated',
      reason: 'earlierRequest',
      from: 0,
    });
    assert.deepEqual(later.findings, []);
    const [early] = subagents(1, 0).findings;
    assert.deepEqual([early?.request, early?.previous, early?.tokensLost], [1, 0, 4_000]);
    assert.deepEqual([early?.causes, early?.certainty], [['parallelRequests'], 'assumed']);
  });

  it('adds what was lost up by cause', () => {
    const { causes, findings, lost } = growing([
      { read: 0, written: 20_000 },
      { read: 0, written: 21_000, at: 400 },
      { read: 0, written: 22_000, at: 800 },
      { read: 0, written: 23_000, at: 830 },
    ]);
    assert.deepEqual(
      causes.map(({ cause, requests, tokensLost }) => [cause, requests, tokensLost]),
      [
        ['lifetimeExpired', 2, 20_000 + 21_000],
        ['unrecordedChanged', 1, 22_000],
      ],
    );
    assert.equal(lost.tokens, 63_000);
    assert.equal(findings.length, 3);
  });

  it('takes time in proportion to the requests', async () => {
    const sessionWith = (requests: number): Session => {
      const made = new HandMade();
      let context = made.builder.startContext([]);
      for (let index = 0; index < requests; index += 1) {
        if (index % 500 === 499) {
          made.builder.compactions.push({ kind: 'compaction', request: index, thread: 0, line: 1 });
          context = made.builder.startContext([made.block({ label: `summary ${index}`, kind: 'summary' })]);
        }
        const blocks = made.builder.contexts[context] ?? [];
        blocks.push(made.prompt(`block ${index}`));
        const isBroken = index % 50 === 0;
        made.request(context, blocks.length, {
          timestamp: index * 1000,
          usage: {
            input: 1,
            cacheRead: isBroken ? 0 : blocks.length * 100,
            cacheWrite: isBroken ? (blocks.length + 1) * 100 : 100,
            output: 1,
          },
        });
      }
      return sessionOf(made, () => 100);
    };
    await assertLinear(32_000, sessionWith, report);
  });
});
