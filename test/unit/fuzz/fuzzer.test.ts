import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { RefusedError } from '../../../src/core/reading/decoders/unpacking';
import { Random } from '../../generator/random';
import { fixturesOf } from '../../fixtures/formats';
import { failuresOf } from '../../fuzz/checks';
import { containerOf, packZstd } from '../../fuzz/containers';
import { keyedSecret } from '../../fuzz/credentials';
import { loadSeedSet, makeInput } from '../../fuzz/input';
import { mutations } from '../../fuzz/mutations';
import { type Form, unlessRefused } from '../../fuzz/outputs';
import { plantIn } from '../../fuzz/plant';

const failed = (form: Form, text: string, source = ''): readonly string[] =>
  failuresOf({ texts: [{ form, text }] }, [keyedSecret], () => source).map(({ check }) => check);

describe('The inputs of the fuzzer', () => {
  it('depend on seed and number alone', async () => {
    const set = await loadSeedSet();
    const numbers = [...Array(60).keys()];
    const forward = await Promise.all(numbers.map(number => makeInput(set, 7, number)));
    for (const number of numbers.toReversed()) {
      const again = await makeInput(set, 7, number);
      assert.deepEqual(again.bytes, forward[number]?.bytes, again.story);
    }
    const other = await Promise.all(numbers.map(number => makeInput(set, 8, number)));
    const same = other.filter(
      ({ bytes }, number) => Buffer.compare(bytes, forward[number]?.bytes ?? bytes) === 0,
    );
    assert.ok(same.length < 10, `${same.length} inputs of another seed are the same`);
  });

  it('are changed by every mutation', () => {
    const [other, ...rest] = ['codex', 'claude-code', 'anthropic-request'].flatMap(fixturesOf);
    assert.ok(other !== undefined);
    for (const { name, change } of mutations) {
      const isChanged = [other, ...rest].some(({ bytes }) =>
        [...Array(20).keys()].some(
          number => Buffer.compare(change(bytes, new Random(number), other.bytes), bytes) !== 0,
        ),
      );
      assert.ok(isChanged, name);
    }
  });

  it('hold what is planted', () => {
    const [seed] = fixturesOf('claude-stream-json');
    const text = new TextDecoder().decode(seed?.bytes);
    for (let number = 0; number < 100; number += 1) {
      const planted = plantIn(text, new Random(number), [
        { kind: 'token', text: 'key abcdefgh', secret: 'abcdefgh' },
      ]);
      assert.ok(planted.text.includes(planted.planted.secret), String(number));
    }
  });

  it('are changed inside archives, packed files and databases', async () => {
    const packed = [
      ...fixturesOf('inspect-log').filter(({ name }) => name === 'archive'),
      { name: 'packed', bytes: packZstd(new TextEncoder().encode('{"a":1}\n'.repeat(40_000))) },
      ...fixturesOf('crush').slice(0, 1),
    ];
    assert.deepEqual(
      packed.map(({ bytes }) => containerOf(bytes)?.name),
      ['zip', 'zstd', 'sqlite'],
    );
    for (const { name, bytes } of packed) {
      const seen: string[] = [];
      for (let number = 0; seen.length === 0 && number < 20; number += 1) {
        const changed = await containerOf(bytes)?.changeInside(bytes, new Random(number), inner => {
          seen.push(new TextDecoder().decode(inner));
          return new Uint8Array(Buffer.from('{"changed":1}'));
        });
        assert.ok(changed !== undefined && containerOf(changed) === containerOf(bytes), name);
      }
      assert.match(seen[0] ?? '', /^[\w{[]/, name);
    }
  });
});

describe('The checks of the fuzzer', () => {
  it('find a credential, also half of one, in what leaves the program', () => {
    assert.deepEqual(failed('data', JSON.stringify({ title: `a ${keyedSecret.secret}` })), ['credential']);
    assert.deepEqual(failed('copy', keyedSecret.secret), ['credential']);
    assert.deepEqual(failed('internal', keyedSecret.secret), []);
  });

  it('find what a terminal or a workflow would act on', () => {
    assert.deepEqual(failed('terminal', 'a\u001b[2J'), ['control character']);
    assert.deepEqual(failed('terminal', 'right \u202e left'), ['control character']);
    assert.deepEqual(failed('terminal', 'model\n::add-mask::x'), ['workflow command']);
    assert.deepEqual(failed('workflow', '::error file=FILE,line=1,title=maxTotalTokens::x\n'), []);
    assert.deepEqual(failed('workflow', 'x\n::set-env name=A::b\n'), ['workflow command']);
    assert.deepEqual(failed('terminal', 'plain: text :: of\ta line\n'), []);
  });

  it("find markup that is not the report's own", () => {
    const wrong = [
      '<p>a<b</p>',
      '<p>a & b</p>',
      '<script>alert(1)</script>',
      '<p onclick="a">b</p>',
      '<svg><a href="https://example.com/">b</a></svg>',
      '<p>b',
      '<p>b</i>',
      '<rect width="-4"/>',
      '<path d="M0 NaN"/>',
    ];
    wrong.forEach(markup => assert.deepEqual(failed('page', markup), ['markup'], markup));
    const right =
      '<!doctype html>\n<html><head><meta charset="utf-8"><style>a>b{}</style></head><p class="n">&lt;1</p></html>\n';
    assert.deepEqual(failed('page', right), []);
  });

  it('take a refusal in one sentence for none, and nothing else that says the same', async () => {
    const refusal = 'This SQLite database is damaged.';
    assert.deepEqual(await unlessRefused(Promise.reject(new RefusedError(refusal))), {
      texts: [{ form: 'terminal', text: refusal }],
    });
    for (const error of [new Error(refusal), new RefusedError(''), new RefusedError('database disk image')]) {
      await assert.rejects(unlessRefused(Promise.reject(error)), error);
    }
  });

  it('find numbers that are none', () => {
    const numbers = (figures: unknown) =>
      failuresOf({ texts: [], figures }, [], () => '').map(({ detail }) => detail);
    assert.deepEqual(numbers({ a: [1, -1] }), ['.a[] is negative']);
    assert.deepEqual(numbers({ a: { b: Number.NaN } }), ['.a.b is NaN']);
    assert.deepEqual(numbers({ a: Float64Array.of(Number.POSITIVE_INFINITY) }), ['.a[] is Infinity']);
    assert.deepEqual(numbers({ gained: { money: -1 }, pair: -1, a: 0 }), []);
    assert.deepEqual(failed('terminal', 'NaN tokens'), ['bad number']);
    assert.deepEqual(failed('terminal', 'NaN tokens', 'a prompt with NaN'), []);
  });
});
