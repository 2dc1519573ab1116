import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { parseDataUrl, readImageInfo } from '../../../src/core/content/imageInfo';

const base64 = (hex: string): string => Buffer.from(hex.replaceAll(' ', ''), 'hex').toString('base64');

describe('readImageInfo', () => {
  it('reads PNG, GIF, JPEG and WebP headers', () => {
    assert.deepEqual(readImageInfo(base64('89504e470d0a1a0a 0000000d49484452 00000280 000001e0 08')), {
      width: 640,
      height: 480,
    });
    assert.deepEqual(readImageInfo(base64('474946383961 8002 e001 f7')), { width: 640, height: 480 });
    // SOI, a 6-byte APP0, a 4-byte DHT, then SOF2 with precision, height and width.
    assert.deepEqual(readImageInfo(base64('ffd8 ffe0000600000000 ffc400040000 ffc2001108 01e0 0280 03')), {
      width: 640,
      height: 480,
    });
    assert.deepEqual(
      readImageInfo(base64('52494646 00000000 57454250 56503858 0a000000 00000000 7f0200 df0100 00')),
      { width: 640, height: 480 },
    );
  });

  it('knows nothing of other data, cut headers and addresses', () => {
    for (const data of ['', '!!', 'https://books.test/receipt.png', base64('89504e47'), base64('ffd8ffe0')]) {
      assert.equal(readImageInfo(data), undefined, data);
    }
  });
});

describe('parseDataUrl', () => {
  it('finds media type and start of the data', () => {
    assert.deepEqual(parseDataUrl('data:image/PNG;base64,AAAA'), { mediaType: 'image/png', start: 22 });
    assert.deepEqual(parseDataUrl('data:text/plain;charset=utf-8;base64,AAAA'), {
      mediaType: 'text/plain',
      start: 37,
    });
    assert.equal(parseDataUrl('https://books.test/a.png'), undefined);
    assert.equal(parseDataUrl('data:text/plain,hello'), undefined);
  });
});
