import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { sha256Hex } from '../../../src/core/base/sha256';
import { decodeUtf8 } from '../../../src/core/model/byteSource';
import { decodeText } from '../../../src/node/files/decodeText';
import { hashText } from '../../../src/node/files/hashText';

describe('what the platform does with text', () => {
  it('decodes every sequence of bytes as the core does', () => {
    for (const [bytes, text] of [
      [[0x61, 0x7f, 0x00], 'a\u007f\0'],
      [[0xef, 0xbb, 0xbf, 0x61], '\uFEFFa'],
      [[0xc3, 0xa9, 0xe2, 0x86], 'é\uFFFD'],
    ] as const) {
      assert.equal(decodeText(Uint8Array.from(bytes)), text);
    }
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 60 }), bytes => {
        assert.equal(decodeText(bytes), decodeUtf8(bytes));
        // A part of a larger memory.
        const part = new Uint8Array([0x61, ...bytes, 0xff]).subarray(1, -1);
        assert.equal(decodeText(part), decodeUtf8(bytes));
      }),
    );
  });

  it('hashes every text as the core does', () => {
    // FIPS 180-4's example.
    assert.equal(hashText('abc'), 'ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad');
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), text => {
        assert.equal(hashText(text), sha256Hex(text));
      }),
    );
    // Half of a pair counts as U+FFFD in both.
    assert.equal(hashText('a\uD800'), sha256Hex('a\uD800'));
  });
});
