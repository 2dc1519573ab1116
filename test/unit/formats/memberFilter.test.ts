import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { createLineFilter, type MemberFilter } from '../../../src/core/formats/memberFilter';
import { isObject } from '../../../src/core/json';

const encoder = new TextEncoder();
const decoder = new TextDecoder();

const filter: MemberFilter = {
  members: {
    copy: { others: 'leave', members: { id: 'keep', inner: { members: { big: 'leave' } } } },
    big: 'leave',
  },
  byType: { event: { members: { payload: { others: 'leave', members: { id: 'keep' } } } } },
};
const long = 'what nobody reads, with "quotes", \\ and ✓';

function kept(record: unknown): unknown {
  return keptOf(JSON.stringify(record));
}

function keptOf(line: string): unknown {
  const value: unknown = JSON.parse(textOf(line));
  return value;
}

function textOf(line: string): string {
  return decoder.decode(createLineFilter(filter).apply(encoder.encode(line)));
}

describe('a filter of members', () => {
  it('leaves out what is named, at every depth, and keeps the rest', () => {
    assert.deepEqual(
      kept({ a: long, big: long, copy: { id: 1, other: long, inner: { big: long, c: long } } }),
      {
        a: long,
        big: null,
        copy: { id: 1, other: null, inner: { big: null, c: long } },
      },
    );
  });

  it('takes the filter of the type that stands before', () => {
    assert.deepEqual(kept({ type: 'event', payload: { id: long, text: long } }), {
      type: 'event',
      payload: { id: long, text: null },
    });
    assert.deepEqual(kept({ type: 'item', payload: { text: long } }), {
      type: 'item',
      payload: { text: long },
    });
    assert.deepEqual(kept({ payload: { text: long }, type: 'event' }), {
      payload: { text: long },
      type: 'event',
    });
  });

  it('reads lines with spaces, and what is no object at all', () => {
    assert.deepEqual(keptOf(` { "big" : ${JSON.stringify(long)} , "b" : [ 1 , { } ] } `.trim()), {
      big: null,
      b: [1, {}],
    });
    for (const line of ['[1]', 'null', '"a"', '{}', '']) {
      assert.equal(textOf(line), line);
    }
  });

  it('cuts nothing but what is to be left out of any record', () => {
    const names = fc.constantFrom('type', 'payload', 'copy', 'big', 'id', 'inner', 'a "name"', 'ü');
    const { record } = fc.letrec<{ value: unknown; record: Record<string, unknown> }>(tie => ({
      value: fc.oneof(
        { depthSize: 'small', withCrossShrink: true },
        fc.constantFrom(long, 'event', '', '\\"', -1.5e-7, true, null),
        fc.string({ unit: 'binary' }),
        fc.array(tie('value'), { maxLength: 4 }),
        tie('record'),
      ),
      record: fc.dictionary(names, tie('value'), { maxKeys: 6 }),
    }));
    fc.assert(
      fc.property(record, value => {
        const line = JSON.stringify(value);
        const whole: unknown = JSON.parse(line);
        const found = keptOf(line);
        assert.deepEqual(masked(found, whole), found);
      }),
      { numRuns: 500 },
    );
  });

  it('gives a damaged line whole', () => {
    const line = JSON.stringify({
      a: [1, { b: 'x' }],
      big: long,
      copy: { id: [], other: { deep: [long] } },
      z: 1,
    });
    for (let end = 1; end < line.length; end += 1) {
      const cut = line.slice(0, end);
      assert.equal(textOf(cut), cut, `cut at ${end}`);
      // The writer died here, and the next one wrote its record behind it.
      const glued = cut + JSON.stringify({ type: 'user', big: long });
      assert.equal(textOf(glued), glued, `glued at ${end}`);
    }
    for (const damaged of [
      `${line}${line}`,
      line.replace('[1,', '[1'),
      line.replace('"z":', '"z"'),
      `${line}]`,
    ]) {
      assert.equal(textOf(damaged), damaged);
    }
  });

  it('keeps what a short value says', () => {
    assert.deepEqual(kept({ big: 'short' }), { big: 'short' });
  });
});

/** `value` with null wherever `found` has null in the place of a long value. */
function masked(found: unknown, value: unknown): unknown {
  if (found === null) {
    return value === null || encoder.encode(JSON.stringify(value)).length >= 24 ? null : value;
  }
  if (isObject(found) && isObject(value)) {
    return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, masked(found[key], inner)]));
  }
  return value;
}
