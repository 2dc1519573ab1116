import assert from 'node:assert/strict';
import { isUtf8 } from 'node:buffer';
import { describe, it } from 'node:test';
import { isDeepStrictEqual } from 'node:util';
import { parseJson } from '../../../src/core/base/json';
import { digestText } from '../../../src/core/model/contentHash';
import { StringCutter, withoutLongStrings } from '../../../src/core/sensitivity/longStrings';
import { Random } from '../../generator/random';

const longest = 40;
const cutter = new StringCutter();

/** What both ways of cutting give for a line. */
function bothOf(line: string) {
  const bytes = new TextEncoder().encode(line);
  const cut = cutter.cut(bytes, longest);
  const { rest, strings } = withoutLongStrings(line, longest);
  const decode = (part: Uint8Array): string => new TextDecoder().decode(part);
  return {
    cut: cut && {
      rest: decode(cut.rest),
      strings: cut.strings.map(({ start, end, first, second, bytes: length }): unknown => ({
        says: parseJson(decode(bytes.subarray(start, end))),
        digest: { bytes: length, first: first >>> 0, second: second >>> 0 },
      })),
    },
    parsed: {
      rest,
      strings: strings.map((says): unknown => {
        const { bytes: length, first, second } = digestText(says);
        return { says, digest: { bytes: length, first: first >>> 0, second: second >>> 0 } };
      }),
    },
    homes: cut?.strings.map(({ mayNameHome }) => mayNameHome),
  };
}

const pieces = [
  'a',
  'the words',
  '\n',
  '"',
  '\\',
  '/',
  '\t\u0001',
  'é',
  '中文',
  '😀',
  '\u2028',
  'x'.repeat(13),
];

/** What overwrites a part of a line, as bytes. */
const damages = [
  '"',
  '\\',
  '\\\\',
  '\\u',
  '\\u12',
  '\\ud83d',
  '\\udc00',
  '\\ud83d\\ude00',
  '\\"',
  '\\x',
  '\0',
  '\n',
  '\x80',
  '\xf0\x9f',
  '\xff',
];

/** Texts of all lengths around those at which something else is done. */
function* texts(): Generator<string> {
  let state = 7;
  const below = (count: number): number => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return Math.floor((state / 2 ** 32) * count);
  };
  for (let number = 0; number < 400; number += 1) {
    yield Array.from({ length: below(30) }, () => pieces[below(pieces.length)] ?? '').join('');
  }
  for (const length of [65_533, 65_534, 65_535, 65_536, 65_537]) {
    yield `${'x'.repeat(length)}中文`;
    yield `${'x'.repeat(length)}😀é${'y'.repeat(65_533)}中`;
  }
}

describe('StringCutter', () => {
  it('cuts out what a parser cuts out, and measures it as what it says', () => {
    for (const text of texts()) {
      for (const written of [JSON.stringify(text), JSON.stringify(JSON.stringify({ text })), escaped(text)]) {
        const line = `{"short":"a","text":${written},"n":[1, ${written}],"end":"b"}`;
        const { cut, parsed } = bothOf(line);
        assert.deepEqual(cut, parsed, line.slice(0, 200));
      }
    }
  });

  it('leaves to a parser what is no valid string', () => {
    const words = 'words '.repeat(10);
    for (const wrong of ['\u0001', '\\x41', '\\u12g4', '\\ud800', '\\udc00\\ud800', '\\ud800\\u0041']) {
      assert.equal(bothOf(`{"text":"${words}${wrong}${words}"}`).cut, undefined, wrong);
    }
  });

  it('gives the same for a line that is too long to be looked at as a whole', () => {
    for (const text of ['plain words ', 'слова, 中文 and 😀\n', '\\"']) {
      const long = JSON.stringify(text.repeat(5_000_000 / text.length));
      const { cut, parsed } = bothOf(`{"short":"a","text":${long},"other":"${'x'.repeat(50)}","end":"b"}`);
      // Where hardly anything stands between escapes, a parser decides.
      assert.ok(text === '\\"' ? cut === undefined : isDeepStrictEqual(cut, parsed), text);
    }
    const home = JSON.stringify(`${'x'.repeat(2 ** 20 - 3)}/home/a${'y'.repeat(4_000_000)}`);
    assert.deepEqual(bothOf(`{"text":${home}}`).homes, [true]);
  });

  it('takes out nothing where a line ends inside of a string', () => {
    const { cut, parsed } = bothOf(`{"text":"${'words '.repeat(20)}`);
    assert.deepEqual(cut, parsed);
    assert.deepEqual(parsed.strings, []);
  });

  it('gives the same for lines that are damaged, or leaves them to a parser', () => {
    const random = new Random(11);
    let given = 0;
    for (const text of texts()) {
      const written = [JSON.stringify(text), escaped(text.slice(0, 200))].join(',"a":');
      const bytes = Buffer.from(`{"short":"a","text":${written},"end":"${'word '.repeat(9)}"}`);
      const changes = random.below(4);
      for (let change = 0; change < changes; change += 1) {
        const damage = damages[random.below(damages.length)] ?? '';
        Buffer.from(damage, 'latin1').copy(bytes, random.below(bytes.length));
      }
      const line = bytes.subarray(0, random.below(3) === 0 ? random.below(bytes.length) : bytes.length);
      const isText = isUtf8(line);
      const cut = cutter.cut(line, longest);
      if (cut !== undefined && isText) {
        given += 1;
        const both = bothOf(line.toString());
        assert.deepEqual(both.cut, both.parsed, JSON.stringify(line.toString('latin1').slice(0, 2000)));
      }
    }
    assert.ok(given > 100, `${given} lines were cut`);
  });

  it('comes to an end in what is no text', () => {
    for (const length of [65_535, 65_536, 65_540, 200_000, 5_000_000]) {
      for (const byte of [0x80, 0xbf, 0xc3, 0xf0, 0xff]) {
        const line = Buffer.concat([Buffer.from('{"a":"'), Buffer.alloc(length, byte), Buffer.from('"}')]);
        const cut = cutter.cut(line, longest);
        if (cut !== undefined) {
          assert.equal(Buffer.from(cut.rest).toString(), '{"a":""}');
          assert.deepEqual(
            cut.strings.map(({ start, end, bytes }) => [start, end, bytes]),
            [[5, length + 7, length]],
          );
        }
      }
    }
  });

  it('says which strings may name a home folder, however they are escaped', () => {
    const words = 'words '.repeat(10);
    const homes = [
      '/home/a',
      '\\u002fhome\\/a',
      '/Users/a',
      'C:\\\\Users\\\\a',
      '/HOME/a',
      '/hom',
      '/use/Users',
    ];
    const line = `{${homes.map((home, index) => `"${index}":"${words}${home}"`).join()}}`;
    assert.deepEqual(bothOf(line).homes, [true, true, true, true, false, false, false]);
  });
});

/** A string of JSON with every character as its number. */
function escaped(text: string): string {
  const units = Array.from({ length: text.length }, (_, index) => text.charCodeAt(index));
  return `"${units.map(unit => `\\u${unit.toString(16).padStart(4, '0')}`).join('')}"`;
}
