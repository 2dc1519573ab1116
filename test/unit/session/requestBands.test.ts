import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { lookUpModel } from '../../../src/core/tokens/modelTable';
import { bandPrices } from '../../../src/core/view/bandPrices';
import { requestBands, type RequestBands } from '../../../src/core/view/requestBands';
import { HandMade, measuresOf, toColumns, usageOf } from './handMade';

/** Requests of one conversation, each with the numbers of its texts, and 500 tokens that are not recorded. */
function bandsOf(
  before: readonly string[],
  after: readonly string[],
  isSame = false,
  read = 0,
): RequestBands {
  const made = new HandMade();
  const blocks = new Map([...new Set([...before, ...after])].map(text => [text, made.prompt(text)]));
  const context = (texts: readonly string[]): number =>
    made.builder.startContext(texts.map(text => blocks.get(text) ?? 0));
  for (const [texts, cacheRead] of [
    [before, 0],
    [after, read],
  ] as const) {
    const total = 500 + 100 * texts.length;
    made.request(context(texts), texts.length, {
      usage: { ...usageOf(total), input: total - cacheRead, cacheRead },
    });
  }
  const transcript = made.build();
  const columns = toColumns(
    transcript,
    measuresOf(transcript, () => 100),
  );
  return requestBands(columns, 0, 1, isSame);
}

/** The positions of each band, and the check that its tokens are those of the requests. */
function shown(
  found: RequestBands,
): Readonly<Record<string, readonly [readonly number[], readonly number[]]>> {
  for (const side of ['before', 'after'] as const) {
    const sum = found.bands.reduce((tokens, band) => tokens + band[side].tokens, 0);
    assert.equal(sum, found[side].total.value, 'the bands add up to the request');
  }
  return Object.fromEntries(
    found.bands.map(({ name, before, after }) => [name, [before.positions, after.positions]]),
  );
}

describe('the prices of bands', () => {
  it('are those of reading, writing and fresh input in wire order, and add up to the request', () => {
    const made = new HandMade();
    const texts = ['a', 'b', 'c'].map(text => made.prompt(text));
    made.request(made.builder.startContext(texts.slice(0, 2)), 2, { usage: usageOf(700) });
    made.request(made.builder.startContext(texts), 3, {
      usage: { ...usageOf(800), input: 0, cacheRead: 600, cacheWrite: 200 },
    });
    const transcript = made.build();
    const columns = toColumns(
      transcript,
      measuresOf(transcript, () => 100),
    );
    const row = lookUpModel('claude-sonnet-4-5');
    const id = 'claude-sonnet-4-5-20250929';
    assert.ok(row !== undefined);
    const prices = bandPrices(columns, [{ id, row }], requestBands(columns, 0, 1, false));
    assert.ok(prices !== undefined);
    const { byBand, reply, total } = prices;
    // 500 unrecorded tokens and a text are read, half of the next text too; $0.3 per million, and $3.75 for writing.
    const near = (one: number, other: number): void =>
      assert.ok(Math.abs(one - other) < 1e-9, `${one} ${other}`);
    near((byBand.get('start') ?? 0) * 1e6, 600 * 0.3 + 100 * 3.75);
    near((byBand.get('end') ?? 0) * 1e6, 100 * 3.75);
    near(
      [...byBand.values()].reduce((sum, price) => sum + price, reply),
      total,
    );
    assert.equal(bandPrices(columns, [], requestBands(columns, 0, 1, false)), undefined);
  });
});

describe('two requests in bands', () => {
  it('are the same, the first difference, the same again, and what is new', () => {
    assert.deepEqual(shown(bandsOf(['a', 'b', 'c', 'd'], ['a', 'B', 'c', 'd', 'e'])), {
      start: [[0], [0]],
      difference: [[1], [1]],
      rest: [
        [2, 3],
        [2, 3],
      ],
      end: [[], [4]],
    });
  });

  it('have further differences after the first one', () => {
    assert.deepEqual(shown(bandsOf(['a', 'b', 'c', 'd', 'e'], ['b', 'c', 'D', 'e'])), {
      start: [[], []],
      difference: [[0], []],
      rest: [
        [1, 2, 4],
        [0, 1, 3],
      ],
      others: [[3], [2]],
    });
  });

  it('put as many new blocks against old ones where nothing after them is the same', () => {
    assert.deepEqual(shown(bandsOf(['a', 'b'], ['a', 'B', 'c', 'd'])), {
      start: [[0], [0]],
      difference: [[1], [1]],
      end: [[], [2, 3]],
    });
  });

  it('only have an end where one continues the other', () => {
    assert.deepEqual(shown(bandsOf(['a', 'b'], ['a', 'b', 'c'])), {
      start: [
        [0, 1],
        [0, 1],
      ],
      end: [[], [2]],
    });
    assert.deepEqual(shown(bandsOf(['a', 'b', 'c'], ['a'])), {
      start: [[0], [0]],
      difference: [[1, 2], []],
    });
  });

  it('are divided where the provider stopped to read if a loss has no difference', () => {
    const parts = shown(bandsOf(['a', 'b', 'c'], ['a', 'b', 'c', 'd'], true, 700));
    assert.deepEqual(
      [parts['start'], parts['rest'], parts['end']].map(part => part?.[1].length),
      [2, 1, 1],
    );
    assert.deepEqual(Object.keys(shown(bandsOf(['a', 'b'], ['a', 'b', 'c'], true))), ['rest', 'end']);
  });
});
