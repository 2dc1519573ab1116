import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { decodeMessage, encodeMessage } from '../../../src/protocol/binaryMessage';

const through = (message: unknown): unknown => {
  const encoded = encodeMessage(message);
  return decodeMessage(typeof encoded === 'string' ? encoded : encoded.buffer);
};
const bufferOf = (...bytes: readonly number[]): ArrayBuffer => Uint8Array.from(bytes).buffer;

describe('a message with buffers', () => {
  it('comes out as it went in', () => {
    const message = {
      type: 'page',
      message: {
        columns: { buffer: bufferOf(1, 2, 3), names: ['ä', '\u{1F600}', '\ud800'] },
        value: bufferOf(),
        other: bufferOf(...Array.from({ length: 100 }, (_, index) => index)),
      },
      absent: null,
    };
    assert.deepEqual(through(message), message);
    assert.equal(typeof encodeMessage(message), 'object');
  });

  it('is text without them', () => {
    const message = { type: 'page', message: [1, 'two', { three: null }] };
    assert.equal(encodeMessage(message), JSON.stringify(message));
    assert.deepEqual(through(message), message);
  });

  it('leaves the message alone', () => {
    const message = { one: { two: bufferOf(1) }, three: {} };
    const { one, three } = message;
    encodeMessage(message);
    assert.equal(message.one, one);
    assert.equal(message.three, three);
    assert.equal(one.two.byteLength, 1);
  });

  it('gives each buffer memory of its own', () => {
    const decoded = through({ first: bufferOf(1), second: bufferOf(2, 3) });
    assert.deepEqual(decoded, { first: bufferOf(1), second: bufferOf(2, 3) });
  });

  it('is refused if it is damaged', () => {
    assert.throws(() => decodeMessage('{'));
    assert.throws(() => decodeMessage(bufferOf(1)));
    assert.throws(() => decodeMessage(bufferOf(255, 255, 255, 255, 0)));
    const plain = new TextEncoder().encode('{"message":1}');
    assert.throws(() => decodeMessage(bufferOf(plain.length, 0, 0, 0, ...plain)));
  });
});
