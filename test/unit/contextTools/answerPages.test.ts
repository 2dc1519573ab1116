import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { getEncoding } from 'js-tiktoken';
import { answerPage } from '../../../src/core/contextTools/answerPages';
import { loadTokenizer } from '../../../src/core/tokens/bytePairTokenizer';

const encoding = getEncoding('o200k_base');
const tokensOf = (text: string): number => encoding.encode(text, 'all').length;

/** All pages of an answer, without the lines about the next page. */
async function pagesOf(lines: readonly string[]): Promise<readonly string[]> {
  const tokenizer = await loadTokenizer('o200k_base');
  const pages: string[] = [];
  for (let page = 1; ; page += 1) {
    const text = answerPage(lines, page, tokenizer);
    assert.ok(tokensOf(text) <= 500, `${tokensOf(text)} tokens`);
    const [, shown = text] = /^([^]*)\n\(page \d+ of \d+; more with page: \d+\)$/.exec(text) ?? [];
    pages.push(shown);
    if (shown === text) {
      return pages;
    }
  }
}

describe('the pages of an answer', () => {
  it('have at most 500 tokens, and together the whole answer', async () => {
    const line = fc.oneof(
      fc.string({ unit: 'grapheme', maxLength: 60 }),
      fc.string({ unit: 'binary', maxLength: 2000 }),
      fc.integer().map(number => `src/a${number}.ts: ${number}`),
    );
    await fc.assert(
      fc.asyncProperty(
        fc.array(
          line.map(text => text.replaceAll('\n', ' ')),
          { maxLength: 60 },
        ),
        async lines => {
          const pages = await pagesOf(lines);
          const plain = (text: string): string => text.replaceAll('\n', '');
          assert.equal(plain(pages.join('')), plain(lines.join('\n')));
        },
      ),
      { numRuns: 60 },
    );
  });

  it('break between lines', async () => {
    const lines = Array.from({ length: 300 }, (_, index) => `line ${index} of three hundred`);
    const pages = await pagesOf(lines);
    assert.ok(pages.length > 2);
    assert.deepEqual(
      pages.flatMap(page => page.split('\n')),
      lines,
    );
  });

  it('mark what is recorded on each of them', async () => {
    const tokenizer = await loadTokenizer('o200k_base');
    const [first, second] = [1, 2].map(page =>
      answerPage([`  ¦ ${'recorded '.repeat(800)}`], page, tokenizer),
    );
    assert.match(first ?? '', /^Text between .*\n {2}¦ recorded .*\n\(page 1 of 2; more with page: 2\)$/);
    assert.match(second ?? '', /^Text between .*\n¦ [a-z ]+$/);
    assert.ok(tokensOf(first ?? '') <= 500);
  });

  it('are empty for an answer of nothing, and a page too far says so', async () => {
    const tokenizer = await loadTokenizer('o200k_base');
    assert.equal(answerPage([], 1, tokenizer), '');
    assert.equal(answerPage(['a'], 3, tokenizer), 'There is no page 3: the answer has 1.');
  });
});
