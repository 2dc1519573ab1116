import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { formatNumberRange } from '../../../src/core/base/format';
import {
  figureNumber,
  figureShare,
  figureText,
  figureTokens,
  qualityMark,
} from '../../../src/core/tokens/qualityWords';

describe('a figure with its error', () => {
  it('is a number with an error up to 20 %', () => {
    assert.equal(figureText({ value: 1_234, quality: 'exact' }), '1,234 tokens, exact');
    assert.equal(figureText({ value: 1, quality: 'calibrated', error: 0.02 }), '1 token, calibrated ±2 %');
    assert.equal(
      figureText({ value: 1_234, quality: 'estimated', error: 0.2 }),
      '1,234 tokens, estimated ±20 %',
    );
    assert.equal(qualityMark('estimated', 0.1), 'about ±10 %');
  });

  it('is a range with a larger error', () => {
    const figure = { value: 22_000, quality: 'estimated', error: 0.46 } as const;
    assert.equal(figureNumber(figure), '11,800–32,200');
    assert.equal(figureTokens(figure), '11,800–32,200 tokens');
    assert.equal(figureText(figure), '11,800–32,200 tokens, estimated');
    assert.equal(figureShare(figure, 200_000), '5.9 %–16 %');
    assert.equal(qualityMark('estimated', 0.46), 'about');
  });

  it('begins at 0 if the error is larger than the figure', () => {
    assert.equal(figureNumber({ value: 400, quality: 'estimated', error: 1.5 }), '0–1,000');
  });

  it('is the least if a part is unknown', () => {
    const figure = { value: 4_085, quality: 'estimated', isLeast: true } as const;
    assert.equal(figureText(figure), 'at least 4,085 tokens, estimated');
    assert.equal(figureShare(figure, 200_000), 'at least 2 %');
  });

  it('covers both ends after rounding', () => {
    assert.equal(formatNumberRange(1_239, 1_761), '1,230–1,770');
    assert.equal(formatNumberRange(23, 38), '23–38');
  });
});
