import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { imageTokens, mediaTokens } from '../../../src/core/tokens/imageTokens';

describe('the tokens of an image', () => {
  it('are a 750th of its pixels with Anthropic, after shrinking its long edge to 1,568 pixels', () => {
    assert.equal(imageTokens(750, 100), 100);
    assert.equal(imageTokens(751, 100), 101);
    assert.equal(imageTokens(1, 1), 1);
    // 3,136 × 300 becomes 1,568 × 150: 235,200 pixels, 313.6 tokens.
    assert.equal(imageTokens(3136, 300), 314);
    assert.equal(imageTokens(300, 3136), 314);
    assert.equal(imageTokens(5000, 5000), 1600);
  });

  it('are the most for one image without a size', () => {
    for (const [width, height] of [
      [undefined, 10],
      [10, undefined],
      [0, 10],
      [10, 0],
    ] as const) {
      assert.equal(imageTokens(width, height), 1600);
      const media = {
        ...(width === undefined ? {} : { width }),
        ...(height === undefined ? {} : { height }),
      };
      assert.equal(mediaTokens('openai', media, 0), 1600);
    }
    assert.equal(mediaTokens('gemini', undefined, 0), 1600);
  });

  it('are counted in tiles with OpenAI and Gemini', () => {
    const tokens = (family: Parameters<typeof mediaTokens>[0], width: number, height: number): number =>
      mediaTokens(family, { width, height, mediaType: 'image/png' }, 0);
    // 70 for the whole, and 140 for each tile of 512 pixels.
    assert.equal(tokens('openai', 512, 512), 70 + 140);
    assert.equal(tokens('openai', 513, 512), 70 + 2 * 140);
    // The short edge of 1,536 × 1,536 becomes 768: four tiles.
    assert.equal(tokens('openai', 1536, 1536), 70 + 4 * 140);
    // 4,096 × 1,024 fits as 2,048 × 512: four tiles.
    assert.equal(tokens('openai', 4096, 1024), 70 + 4 * 140);
    assert.equal(tokens('gemini', 384, 384), 258);
    assert.equal(tokens('gemini', 385, 384), 258);
    assert.equal(tokens('gemini', 769, 384), 2 * 258);
    assert.equal(tokens('gemini', 800, 1600), 6 * 258);
    assert.equal(tokens('claude', 750, 100), 100);
  });

  it('are those of its pages for a document', () => {
    const pages = (bytes: number): number =>
      mediaTokens('claude', { mediaType: 'application/pdf' }, bytes) / 2250;
    assert.deepEqual([0, 100_000, 149_999, 150_000, 1_000_000].map(pages), [1, 1, 1, 2, 10]);
  });
});
