import assert from 'node:assert/strict';
import { it, mock } from 'node:test';
import { askEngine, classifyCharacters } from '../../../src/core/tokens/characterClasses';

const pageLength = 128;

it('classes of characters are those of the engine, in every page', () => {
  for (let first = 0; first < 0x110000; first += pageLength) {
    const [classified, asked] = [new Uint8Array(pageLength), new Uint8Array(pageLength)];
    classifyCharacters(first, classified);
    askEngine(first, asked);
    assert.deepEqual(classified, asked, first.toString(16));
  }
});

it('the engine is not asked for what is settled', () => {
  const into = new Uint8Array(pageLength);
  const asked = mock.method(RegExp.prototype, 'test');
  try {
    const settled = [
      0, 0x80, 0x2000, 0x2180, 0x2400, 0x2700, 0x2800, 0x3000, 0x9f80, 0xd700, 0xe000, 0xfe00, 0xff00,
    ];
    for (const first of [...settled, 0x1f300, 0x1fa80]) {
      classifyCharacters(first, into);
    }
    assert.equal(asked.mock.callCount(), 0);
    classifyCharacters(0x400, into);
    assert.notEqual(asked.mock.callCount(), 0);
  } finally {
    asked.mock.restore();
  }
});
