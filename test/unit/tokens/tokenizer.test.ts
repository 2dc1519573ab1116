import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { Tiktoken } from 'js-tiktoken/lite';
import cl100k from 'js-tiktoken/ranks/cl100k_base';
import o200k from 'js-tiktoken/ranks/o200k_base';
import { createBytePairTokenizer, loadTokenizer } from '../../../src/core/tokens/bytePairTokenizer';
import { createPairMerge } from '../../../src/core/tokens/pairMerge';
import { decodeRankTable } from '../../../src/core/tokens/rankTable';

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
const anyText = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 60 }),
  fc.string({ unit: 'grapheme', maxLength: 60 }),
  fc.array(fragments, { maxLength: 40 }).map(parts => parts.join('')),
  fc
    .array(fc.integer({ min: 0, max: 0xffff }), { maxLength: 40 })
    .map(units => String.fromCharCode(...units)),
);

for (const { encoding, ranks } of encodings) {
  describe(`tokenizer ${encoding}`, () => {
    const reference = new Tiktoken(ranks);
    const expected = (text: string): number => reference.encode(text, [], []).length;
    const tokenizer = createBytePairTokenizer(encoding, ranks);

    it('counts mixed text as js-tiktoken does', () => {
      for (const text of mixedTexts) {
        assert.equal(tokenizer.count(text), expected(text), JSON.stringify(text));
      }
    });

    it('counts whatever text as js-tiktoken does', () => {
      fc.assert(
        fc.property(anyText, text => tokenizer.count(text) === expected(text)),
        { numRuns: 3000 },
      );
    });

    it('counts long unbroken pieces as js-tiktoken does', () => {
      for (const unit of ['a', ' ', '\n', '_', 'ab', 'Q', '中', 'é', '=-']) {
        const text = unit.repeat(700 / unit.length);
        assert.equal(tokenizer.count(text), expected(text), JSON.stringify(unit));
      }
    });

    it('cuts text that is longer than one window without changing the count', () => {
      const sentence = 'Every 12 lines it’s the same 句子，再来一次。\n';
      const repeats = Math.ceil(2 ** 21 / sentence.length);
      assert.equal(tokenizer.count(sentence.repeat(repeats)), expected(sentence) * repeats);
    });
  });
}

describe('byte pair merge', () => {
  it('looks up a number of ranks that grows with the length, not with its square', () => {
    const table = decodeRankTable(o200k.bpe_ranks);
    let lookups = 0;
    const countMerged = createPairMerge({
      longest: table.longest,
      rankOf(bytes, start, end) {
        lookups++;
        return table.rankOf(bytes, start, end);
      },
    });
    for (const byte of [97, 32, 10, 95]) {
      const steps = [20_000, 40_000].map(length => {
        lookups = 0;
        countMerged(new Uint8Array(length).fill(byte), length);
        return lookups / length;
      });
      assert.ok(steps.every(perByte => perByte <= 3));
    }
  });

  it('takes a megabyte of one character in both encodings', async () => {
    for (const encoding of ['o200k_base', 'cl100k_base'] as const) {
      const tokenizer = await loadTokenizer(encoding);
      for (const unit of ['a', ' ', '_', '7', '\n', '中']) {
        assert.ok(tokenizer.count(unit.repeat(2 ** 20)) > 0);
      }
      assert.equal(tokenizer, await loadTokenizer(encoding));
    }
  });
});

describe('rank table', () => {
  it('refuses a form it does not know', () => {
    assert.throws(() => decodeRankTable('IQ== 0\nIg== 1'), /unknown form/);
  });
});
