import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import {
  compareUtf8,
  countCodePoints,
  takeCodePoints,
  trimWhitespace,
} from '../../../src/core/base/unicodeText';

const anyText = fc.string({ unit: 'binary' });

describe('unicode text', () => {
  it('counts and takes code points as the string iterator does', () => {
    fc.assert(
      fc.property(anyText, fc.nat(20), (text, limit) => {
        const points = Array.from(text);
        assert.equal(countCodePoints(text), points.length);
        assert.equal(takeCodePoints(text, limit), points.slice(0, limit).join(''));
      }),
    );
    assert.equal(countCodePoints('\ud83d\ud83d\ude80\ude80'), 3);
    assert.equal(takeCodePoints('\ud83d\ud83d\ude80\ude80', 2), '\ud83d\ud83d\ude80');
  });

  it('orders as the UTF-8 bytes do', () => {
    fc.assert(
      fc.property(anyText, anyText, (left, right) => {
        assert.equal(
          Math.sign(compareUtf8(left, right)),
          Math.sign(Buffer.compare(Buffer.from(left), Buffer.from(right))),
        );
      }),
    );
    assert.ok(compareUtf8('\uff5e', '🚀') < 0, 'U+FF5E stands before U+1F680, although its unit is larger');
  });

  it('trims White_Space, which has U+0085 and has not U+FEFF', () => {
    assert.equal(trimWhitespace('\u0085 \n\u00a0a b\u2029\u3000'), 'a b');
    assert.equal(trimWhitespace('\ufeffa\u200b'), '\ufeffa\u200b');
    assert.equal(trimWhitespace(' \n '), '');
  });
});
