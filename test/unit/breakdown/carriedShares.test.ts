import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { carriedShares, type ThreadShares } from '../../../src/core/breakdown/carriedShares';
import type { SessionColumns } from '../../../src/core/model/columns';
import { lookUpModel } from '../../../src/core/tokens/modelTable';
import { buildRequestView } from '../../../src/core/view/requestView';
import { HandMade, measuresOf, toColumns } from '../session/handMade';

const model = 'claude-opus-4-5';
const row = lookUpModel(model);
const models = row === undefined ? [] : [{ id: model, row }];

/**
 * Two conversations with several contexts. Every request reads a different part of its prefix, and pays for the rest in
 * two ways.
 */
function session(seed: number): SessionColumns {
  let state = seed;
  const below = (limit: number): number => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
    return state % limit;
  };
  const made = new HandMade();
  const sizes = Array.from({ length: 40 }, () => 1 + below(900));
  const blocks = sizes.map((_, index) =>
    index % 3 === 0 ? made.assistant(`reply ${index}`) : made.prompt(`prompt ${index}`),
  );
  const contexts = [blocks.slice(0, 30), [...blocks.slice(0, 4), ...blocks.slice(30)]].map(numbers => ({
    context: made.builder.startContext(numbers),
    numbers,
  }));
  const hidden = 700;
  for (const { context, numbers } of contexts) {
    for (let length = 2 + below(4); length <= numbers.length; length += 1 + below(5)) {
      const total = numbers
        .slice(0, length)
        .reduce((sum, block) => sum + (sizes[block] ?? 0), hidden + below(40));
      const cacheRead = below(total);
      const cacheWrite = below(total - cacheRead);
      made.request(context, length, {
        model,
        complete: true,
        thread: length % 7 === 0 ? 1 : 0,
        usage: { input: total - cacheRead - cacheWrite, cacheRead, cacheWrite, output: 5 },
      });
    }
  }
  const transcript = made.build();
  return toColumns(
    transcript,
    measuresOf(transcript, block => sizes[block] ?? 0),
  );
}

/** The cached and uncached tokens of each block, request by request, from the view of each request. */
function oneByOne(columns: SessionColumns, thread: number) {
  const sums = new Map<number, { cached: number; fresh: number; requests: number }>();
  columns.requests.thread.forEach((own, request) => {
    if (own !== thread) {
      return;
    }
    const view = buildRequestView(columns, request);
    const read = columns.requests.cacheRead[request] ?? 0;
    view.blocks.forEach((block, position) => {
      const [from = 0, to = 0] = view.offsets.subarray(position, position + 2);
      const cached = Math.max(0, Math.min(to, read) - from);
      const sum = sums.get(block) ?? { cached: 0, fresh: 0, requests: 0 };
      sum.cached += cached;
      sum.fresh += to - from - cached;
      sum.requests += 1;
      sums.set(block, sum);
    });
  });
  return sums;
}

describe('what blocks cost over the requests that carried them', () => {
  it('is the sum of their places in each request', () => {
    for (let seed = 1; seed <= 20; seed += 1) {
      const columns = session(seed);
      for (const shares of carriedShares(columns, models)) {
        const expected = oneByOne(columns, shares.thread);
        assert.deepEqual([...shares.blocks].sort(byNumber), [...expected.keys()].sort(byNumber));
        for (const [block, { cached, fresh, requests }] of expected) {
          const share = shareOf(shares, block);
          // A view rounds each block's tokens in each request.
          assert.ok(Math.abs(share.cached - cached) <= requests, `seed ${seed}, block ${block}, cached`);
          assert.ok(Math.abs(share.fresh - fresh) <= requests, `seed ${seed}, block ${block}, fresh`);
        }
      }
    }
  });

  it('adds up to the recorded input and its price', () => {
    const columns = session(3);
    const { requests } = columns;
    for (const shares of carriedShares(columns, models)) {
      const { thread, input, notRecorded } = shares;
      const own = [...requests.thread.keys()].filter(request => requests.thread[request] === thread);
      const sum = (column: 'input' | 'cacheRead' | 'cacheWrite'): number =>
        own.reduce((total, request) => total + (requests[column][request] ?? 0), 0);
      const of = (part: 'cached' | 'fresh' | 'money'): number =>
        shares[part].reduce((total, share) => total + share, notRecorded[part]);
      const close = (one: number, other: number): void => {
        assert.ok(Math.abs(one - other) < 1e-6 * Math.max(1, other), `${one} and ${other}`);
      };
      close(of('cached'), sum('cacheRead'));
      close(of('fresh'), sum('input') + sum('cacheWrite'));
      assert.deepEqual(input, { cached: sum('cacheRead'), fresh: sum('input') + sum('cacheWrite') });
      // Dollars for a million tokens of Opus 4.5.
      close(of('money'), (0.5 * sum('cacheRead') + 6.25 * sum('cacheWrite') + 5 * sum('input')) / 1e6);
      assert.deepEqual([shares.requests, shares.unpriced], [own.length, 0]);
    }
  });

  it('counts no block beyond the request that stopped carrying it', () => {
    for (let seed = 1; seed <= 20; seed += 1) {
      const columns = session(seed);
      const { requests, blocks } = columns;
      // Every third block leaves, each at another request after its first.
      for (let block = 0; block < blocks.leftAt.length; block += 3) {
        const first = blocks.firstRequest[block] ?? 0;
        blocks.leftAt[block] = first + 1 + ((block * 7 + seed) % (requests.context.length - first));
      }
      for (const shares of carriedShares(columns, models)) {
        const expected = oneByOne(columns, shares.thread);
        for (const [block, { cached, fresh, requests: count }] of expected) {
          const own = shareOf(shares, block);
          assert.ok(
            Math.abs(own.cached - cached) <= count && Math.abs(own.fresh - fresh) <= count,
            `seed ${seed}, block ${block}: ${own.cached} and ${cached}, ${own.fresh} and ${fresh}`,
          );
        }
      }
    }
  });

  it('takes every request where none has recorded usage, as sent in full', () => {
    const made = new HandMade();
    const blocks = ['one', 'two'].map(text => made.prompt(text));
    const context = made.builder.startContext(blocks);
    made.request(context, 1, { complete: true });
    made.request(context, 2, { complete: true });
    const transcript = made.build();
    const columns = toColumns(
      transcript,
      measuresOf(transcript, () => 100),
    );
    const [shares] = carriedShares(columns, models);
    assert.ok(shares !== undefined);
    const [first = 0, second = 0] = blocks.map(block => shareOf(shares, block).fresh);
    assert.equal(shares.unpriced, 2);
    assert.ok(Math.abs(first - 2 * second) < 3);
    assert.ok(Math.abs(first + second - shares.input.fresh) < 1);
  });
});

function shareOf({ blocks, cached, fresh }: ThreadShares, block: number) {
  const place = blocks.indexOf(block);
  return { cached: cached[place] ?? 0, fresh: fresh[place] ?? 0 };
}

const byNumber = (one: number, other: number): number => one - other;
