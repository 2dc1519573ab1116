import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { type LiteralChecks, LiteralSearch } from '../../../src/core/sensitivity/literalSearch';
import { someOf } from '../../fixtures/variants';

/** The places where a literal is found. */
function placesOf(literal: string, checks: LiteralChecks, text: string): readonly number[] {
  const places: number[] = [];
  new LiteralSearch([{ ...checks, literal, value: literal }]).search(text, (_, start) => places.push(start));
  return places;
}

describe('LiteralSearch', () => {
  it('leaves out places where the case is another one, if it counts', () => {
    assert.deepEqual(placesOf('AKIA', {}, 'akia AKIA Akia'), [0, 5, 10]);
    assert.deepEqual(placesOf('AKIA', { isExact: true }, 'akia AKIA Akia'), [5]);
  });

  it('leaves out the inside of a word, but not what follows an escape, a colour or the path of a bot', () => {
    const text = String.raw`dispatch npat \npat \u0022pat [32mpat /botpat tool__pat %3Dpat pat`;
    const all = placesOf('pat', {}, text);
    const inside = [text.indexOf('pat')];
    assert.deepEqual(
      placesOf('pat', { beginsWord: true }, text),
      all.filter(place => !inside.includes(place)),
    );
  });

  it('leaves out places behind which there are too few characters', () => {
    assert.deepEqual(placesOf('pat', { behind: 4 }, 'pat abcd patabc. patabcd pat'), [17, 25]);
  });

  it('leaves out names that go on as no name of a credential does, and members with short numbers', () => {
    const checks = { endsName: true };
    assert.deepEqual(placesOf('auth', checks, 'author auth: auth_key'), [7, 13]);
    const members =
      '{"tokens":12,"tokens":1234567890,"a_token_b":null,\\"tokens\\": true,"token":"x","tokens":7}';
    assert.deepEqual(placesOf('token', checks, members), [
      members.indexOf('tokens":123'),
      members.indexOf('token":"x'),
    ]);
  });

  it('finds other places, also where parts of a long text meet', () => {
    const found: Record<string, number[]> = {};
    const kinds = {
      written: String.raw`a%3D`,
      email: 'x@y',
      phone: 'é +4',
      account: ' DE89 ',
      card: ' 4242-4242-4242-4242',
    };
    // Around the end of the first part of a text.
    const around = Array.from({ length: 74 }, (_, index) => (1 << 18) - 70 + index);
    const places = someOf(around, 25);
    const offsets = { written: 1, email: 1, phone: 2, account: 1, card: 1 };
    for (const [kind, text] of Object.entries(kinds)) {
      for (const place of places) {
        const long = `é${'.'.repeat(place - 1)}${text}${'.'.repeat(100)}`;
        new LiteralSearch([]).search(
          long,
          () => undefined,
          (name, start) => (found[name] ??= []).push(start - place),
        );
      }
      const offset = new Map(Object.entries(offsets)).get(kind) ?? 0;
      assert.deepEqual(
        [kind, new Set(found[kind]), found[kind]?.length],
        [kind, new Set([offset]), places.length],
      );
    }
    assert.deepEqual(Object.keys(found), Object.keys(kinds));
  });

  it('finds words that are no ASCII', () => {
    assert.deepEqual(placesOf('密码', { isExact: true }, 'é 密码 密碼'), [2]);
  });
});
