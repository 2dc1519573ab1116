import assert from 'node:assert/strict';
import { before, describe, it } from 'node:test';
import fc from 'fast-check';
import { Tiktoken } from 'js-tiktoken/lite';
import cl100k from 'js-tiktoken/ranks/cl100k_base';
import o200k from 'js-tiktoken/ranks/o200k_base';
import { loadTokenizer } from '../../../src/core/tokens/bytePairTokenizer';
import type { Tokenizer } from '../../../src/core/tokens/tokenizer';
import { Random } from '../../generator/random';
import { Texts } from '../../generator/texts';
import { assertLinear } from '../../fixtures/linearWork';
import { isDeep, runSeed, someOf } from '../../fixtures/variants';

const encodings = [
  { encoding: 'o200k_base', ranks: o200k },
  { encoding: 'cl100k_base', ranks: cl100k },
] as const;

/** Texts that tokenizers are known to disagree on. */
const mixedTexts = [
  '',
  ' ',
  'a',
  'The build failed in 3.2s: see logs/out.txt, line 1204.',
  "I'm sure they'LL say we'd better; it'S done, ʼtwas o'clock",
  'const total = items.reduce((sum, { tokens }) => sum + tokens, 0);\r\n\r\n\treturn total;\n',
  '<|endoftext|> and <|endofprompt|> are words here',
  'naïve café — “quotes” … 10 000 €',
  '日本語のテキスト、中文文本。 한국어 문장입니다',
  'สวัสดีครับ नमस्ते दुनिया',
  '👩‍👩‍👧‍👦 👍🏽 🇫🇷 \u{1F600}\u{1F600}',
  '\ufeffwith a byte order mark\u0085next line\u200bzero width\u180e',
  'lone \ud800 high, \udfff low, pair \ud83d\ude00, \ud83d\ud83d\ude00',
  'nul \0 bell \u0007 \u001b[31mred\u001b[0m',
  '\u0301\u0301 marks first, e\u0301 after',
  '\u{30000}\u{20000}\u{1D400} astral letters',
  '1234567890 ٣٤٥ ⅷ ² 12345.678e-9',
  '   \n  \n\n   indented\n      more   \t\t mixed \r\n \r\n',
  '__init__ ==== ---- //// \\\\\\\\ ....... ((((()))))',
  'data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAUA',
];

const fragments = fc.constantFrom(
  ...[
    '\t\t',
    '\v',
    '\r',
    '\f',
    '\0',
    '\u001c',
    '\u0085',
    '\u2028',
    '\u3000',
    '\u200d',
    'ſ',
    'İ',
    "'ſ",
    "'Re",
    "'",
  ],
  ...[
    'the',
    'XML',
    'HttpServer',
    '12345',
    '½',
    '𝟘',
    '\u{E0100}',
    '\u{30000}',
    '한국',
    'ไทย',
    'हिन्दी',
    '日本語の文章',
  ],
  ' ',
  '  ',
  '\n',
  '\r\n',
  '\t',
  'a',
  'B',
  'é',
  'ß',
  '中',
  'ั',
  '\u0301',
  "'s",
  "'LL",
  '/',
  '_',
  '9',
  '٣',
  '😀',
  '\ud800',
  '\udc00',
  '\u00a0',
  '\ufeff',
  'ǅ',
  'ʰ',
  '<|endoftext|>',
);
const anyTexts = {
  'characters of Unicode': fc.string({ unit: 'binary', maxLength: 40 }),
  graphemes: fc.string({ unit: 'grapheme', maxLength: 40 }),
  'sequences that have rules': fc.array(fragments, { maxLength: 30 }).map(parts => parts.join('')),
  'UTF-16 units': fc
    .array(fc.integer({ min: 0, max: 0xffff }), { maxLength: 30 })
    .map(numbers => String.fromCharCode(...numbers)),
} as const;

/** Runs of each property; the full proof, 200,000 for each encoding, takes a minute and a half: FUZZ_RUNS=50000. */
const numRuns = Number(process.env['FUZZ_RUNS'] ?? (isDeep ? 2500 : 200));

/** Unbroken runs of one or many pieces, as in the various lines of tool outputs. */
const units = ['a', ' ', '\n', '_', '7', 'ab', 'Q', '中', 'é', '=-', ' \n', 'สว', '\t', 'xyz', 'ы'];

/** A text of `length` of these characters, in a fixed sequence. */
function scrambled(letters: string, length: number): string {
  let state = 1;
  return Array.from({ length }, () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return letters[(state >>> 8) % letters.length];
  }).join('');
}

for (const { encoding, ranks } of encodings) {
  describe(`tokenizer ${encoding}`, () => {
    const reference = new Tiktoken(ranks);
    const expected = (text: string): number => reference.encode(text, [], []).length;
    const encoder = new TextEncoder();
    let tokenizer: Tokenizer;
    before(async () => {
      tokenizer = await loadTokenizer(encoding);
    });

    it('counts mixed text as js-tiktoken does', () => {
      for (const text of mixedTexts) {
        assert.equal(tokenizer.count(text), expected(text), JSON.stringify(text));
      }
    });

    for (const [name, texts] of Object.entries(anyTexts)) {
      it(`counts whatever ${name} as js-tiktoken does, and their bytes alike`, () => {
        fc.assert(
          fc.property(texts, text => {
            const count = expected(text);
            assert.equal(tokenizer.count(text), count);
            assert.equal(
              tokenizer.countBytes(encoder.encode(`x${text}y`), 1, encoder.encode(text).length + 1),
              count,
            );
          }),
          { numRuns, seed: runSeed },
        );
      });
    }

    it('counts pieces of every length up to some thousand bytes as js-tiktoken does', () => {
      const runs = units.flatMap(unit =>
        [2, 11, 12, 13, 16, 17, 28, 29, 64, 239, 240, 241, 400].map(length =>
          unit.repeat(Math.ceil(length / unit.length)),
        ),
      );
      const alphabets = [
        'abcdefghijklmnopqrstuvwxyz',
        'AbCdE',
        '的一是在不了有和人这中大',
        '=-+*/#',
        'абвгдежз',
        'ab',
        ' \t',
      ];
      const mixed = alphabets.flatMap(letters =>
        [15, 60, 200, 300].map(length => scrambled(letters, length)),
      );
      const long = alphabets.map(letters => scrambled(letters, 1500));
      // The other program takes long for these.
      for (const text of [...someOf(runs, 15), ...someOf(mixed, 5), ...someOf(long, 1)]) {
        assert.equal(tokenizer.count(text), expected(text), JSON.stringify(text));
      }
    });

    it('counts long texts as js-tiktoken does, whose pieces come again and displace each other', () => {
      const texts = new Texts(new Random(11));
      const text = Array.from({ length: 300 }, () => texts.mixed(1000)).join('');
      const count = expected(text);
      assert.equal(tokenizer.count(text), count);
      assert.equal(tokenizer.count(text), count);
    });

    it('counts a text of several windows as its parts, wherever the windows end', () => {
      const parts = [
        'Every 12 lines it’s the same 句子，再来一次。\n',
        '😀'.repeat(40) + '\n',
        '-'.repeat(90) + '\n',
      ];
      for (const part of parts) {
        const repeats = Math.ceil(2 ** 19 / part.length);
        const text = part.repeat(repeats);
        assert.equal(tokenizer.count(text), expected(part) * repeats);
        assert.equal(tokenizer.countBytes(encoder.encode(text)), expected(part) * repeats);
      }
    });

    it('keeps a piece whole that is longer than a window', () => {
      for (const unit of [' ', '-']) {
        // A run merges into equal parts, so twice the run makes twice the tokens; for an odd length, the rest differs.
        const perRun = expected(unit.repeat(256));
        assert.equal(expected(unit.repeat(512)), 2 * perRun);
        assert.equal(tokenizer.count(unit.repeat(2 ** 19)), 2 ** 11 * perRun, JSON.stringify(unit));
        assert.equal(tokenizer.countBytes(encoder.encode(unit.repeat(2 ** 19))), 2 ** 11 * perRun);
      }
    });

    it('counts bytes that are no UTF-8 as the text that a decoder makes of them', () => {
      for (const bytes of [
        [0xff],
        [0x61, 0xc3],
        [0xc3, 0x28],
        [0xe2, 0x82],
        [0xe2, 0x28, 0xa1],
        [0xed, 0xa0, 0x80],
        [0xf0, 0x9f, 0x98],
        [0xf4, 0x90, 0x80, 0x80],
        [0xf8, 0x88, 0x80, 0x80, 0x80],
        [0xc0, 0xaf, 0x20, 0x61],
        [0x80, 0x80, 0x0a],
        [0xef, 0xbb, 0xbf, 0x61, 0xff],
      ]) {
        const text = new TextDecoder('utf-8', { ignoreBOM: true }).decode(Uint8Array.from(bytes));
        assert.equal(tokenizer.countBytes(Uint8Array.from(bytes)), expected(text), JSON.stringify(text));
      }
    });

    it('takes time that grows with the length, whatever it is a run of', async () => {
      for (const unit of [...units.slice(0, 9), scrambled('abcdefghijklmnopqrstuvwxyz', 2 ** 14)]) {
        const text = unit.repeat(2 ** 17 / unit.length);
        const what = `counting ${JSON.stringify(unit.slice(0, 10))}`;
        await assertLinear(
          text.length,
          size => text.slice(0, size),
          part => tokenizer.count(part),
          what,
        );
      }
    });

    it('is loaded once', async () => {
      assert.equal(tokenizer, await loadTokenizer(encoding));
    });
  });
}
