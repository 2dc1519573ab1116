import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { isObject } from '../../../src/core/base/json';
import { lineFilter, type MemberFilter } from '../../../src/core/reading/memberFilter';

const encoder = new TextEncoder();
const decoder = new TextDecoder();

const filter: MemberFilter = {
  members: {
    copy: { others: 'leave', members: { id: 'keep', inner: { members: { big: 'leave' } } } },
    big: 'leave',
  },
  byType: { event: { members: { payload: { others: 'leave', members: { id: 'keep' } } } } },
};
const cutter = lineFilter(filter);

const long = 'what nobody reads, with "quotes", \\ and ✓';

function kept(record: unknown): unknown {
  return keptOf(JSON.stringify(record));
}

function keptOf(line: string): unknown {
  const value: unknown = JSON.parse(textOf(line));
  return value;
}

function textOf(line: string): string {
  return decoder.decode(cutter.apply(encoder.encode(line)));
}

describe('a filter of members', () => {
  it('leaves out what is named, at every depth, and keeps the rest', () => {
    assert.deepEqual(
      kept({ a: long, big: long, copy: { id: 1, other: long, inner: { big: long, c: long } } }),
      {
        a: long,
        copy: { id: 1, inner: { c: long } },
      },
    );
  });

  it('takes the filter of the type that stands before', () => {
    assert.deepEqual(kept({ type: 'event', payload: { id: long, text: long } }), {
      type: 'event',
      payload: { id: long },
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
        const whole: unknown = JSON.parse(JSON.stringify(value));
        for (const indent of [0, 1]) {
          assert.deepEqual(keptOf(JSON.stringify(value, null, indent)), wanted(whole, filter));
        }
      }),
      { numRuns: 1_000 },
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
      // The writer was killed here, and the next one wrote its record after it.
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

  it('keeps what has a name that could be another one than its bytes say', () => {
    assert.deepEqual(keptOf('{"copy":{"\\u0069d":1,"x":3},"big":2}'), { copy: { id: 1 } });
  });

  it('gives a line whole that nests too deeply', () => {
    const deep = `{"big":${'['.repeat(5_000)}${']'.repeat(5_000)}}`;
    assert.equal(textOf(deep), deep);
  });

  it('reads lines longer than those before', () => {
    for (const length of [10, 100_000, 20, 3_000_000]) {
      assert.deepEqual(kept({ a: 'x'.repeat(length), big: long }), { a: 'x'.repeat(length) });
    }
  });
});

/** A member of the object itself: a record may have names such as `valueOf`. */
const own = <Value>(object: Readonly<Record<string, Value>> | undefined, name: string): Value | undefined =>
  object !== undefined && Object.hasOwn(object, name) ? object[name] : undefined;

/** The members of a parsed record that the filter keeps. */
function wanted(value: unknown, filter: MemberFilter): unknown {
  if (!isObject(value)) {
    return value;
  }
  let current = filter;
  const kept: Record<string, unknown> = {};
  for (const [name, inner] of Object.entries(value)) {
    const isEscaped = JSON.stringify(name).includes('\\');
    const action = isEscaped ? 'keep' : (own(current.members, name) ?? current.others ?? 'keep');
    if (action !== 'leave') {
      kept[name] = action === 'keep' ? inner : wanted(inner, action);
    }
    if (name === 'type' && typeof inner === 'string') {
      current = own(current.byType, inner) ?? current;
    }
  }
  return kept;
}
