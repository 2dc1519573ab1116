import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { RecordReader } from '../../../src/core/reading/recordReader';
import { assertLinear } from '../../fixtures/linearWork';
import { isDeep, someOf } from '../../fixtures/variants';

const encoder = new TextEncoder();

interface Found {
  readonly values: unknown[];
  readonly places: string[];
  readonly problems: string[];
  completeBytes: number;
}

/** Reads a file in chunks of one size; every place that is returned is checked against the bytes. */
function read(file: string | Uint8Array, chunk = 1 << 20, expectedBytes = 0): Found {
  const bytes = typeof file === 'string' ? encoder.encode(file) : file;
  const found: Found = { values: [], places: [], problems: [], completeBytes: 0 };
  const reader = new RecordReader({
    record: ({ value, range: { line, offset, length } }) => {
      found.values.push(value);
      found.places.push(`${line} ${offset} ${length}`);
      assert.deepEqual(JSON.parse(Buffer.from(bytes).toString('utf8', offset, offset + length)), value);
    },
    problem: (kind, line) => found.problems.push(`${kind} ${line}`),
  });
  reader.expectedBytes = expectedBytes;
  for (let from = 0; from < bytes.length; from += chunk) {
    // One buffer for all chunks, as a caller may use it.
    reader.push(bytes.slice(from, from + chunk));
  }
  reader.finish();
  found.completeBytes = reader.completeBytes;
  return found;
}

describe('records of a file', () => {
  it('stand one a line, whatever ends it', () => {
    assert.deepEqual(read('{"a":1}\r\n\n  \t\r\n  {"b":2}\n'), {
      values: [{ a: 1 }, { b: 2 }],
      places: ['1 0 7', '4 17 7'],
      problems: [],
      completeBytes: 25,
    });
  });

  it('begin behind a byte order mark', () => {
    assert.deepEqual(read('\uFEFF{"a":1}\n').places, ['1 3 7']);
  });

  it('are cut apart where two were glued together, and the line after them is read', () => {
    const found = read('{"a":"}{"}{"b":{"c":"é"}}\n{"d":4}\n');
    assert.deepEqual(found.values, [{ a: '}{' }, { b: { c: 'é' } }, { d: 4 }]);
    assert.deepEqual(found.places, ['1 0 10', '1 10 16', '2 27 7']);
    assert.deepEqual(found.problems, ['gluedLine 1']);
  });

  it('are found behind a fragment that a dying writer left', () => {
    for (const key of ['type', 'parentUuid']) {
      const found = read(`{"type":"user","text":"cut {\\"of{"${key}":"x","message":{"type":"y"}}\n{"d":4}\n`);
      assert.deepEqual(found.values, [{ [key]: 'x', message: { type: 'y' } }, { d: 4 }]);
      assert.deepEqual(found.problems, ['gluedLine 1', 'unparsableLine 1']);
    }
  });

  it('end where the last line is cut off', () => {
    const found = read('{"a":1}\n{"b":"é');
    assert.deepEqual(found.values, [{ a: 1 }]);
    assert.deepEqual(found.problems, ['truncatedLastLine 2']);
    assert.equal(found.completeBytes, 8);
  });

  it('need no newline behind the last', () => {
    assert.equal(read('{"a":1}\n{"b":2}').completeBytes, 15);
  });

  it('are not confused by lines that are no JSON', () => {
    const found = read('oops\n{"a":1}\n}}}{{\n[1]\n');
    assert.deepEqual(found.values, [{ a: 1 }, [1]]);
    assert.deepEqual(found.problems.filter(problem => problem.startsWith('unparsable')).length > 1, true);
  });

  it('are the same however the bytes come', () => {
    fc.assert(
      fc.property(
        fc.array(fc.oneof(fc.json(), fc.constantFrom('', '{"a":1}{"b":2}', '{"cut":"', 'é😀', '\r')), {
          maxLength: 12,
        }),
        fc.integer({ min: 1, max: 9 }),
        (lines, chunk) => {
          const file = lines.join('\n');
          assert.deepEqual(read(file, chunk), read(file));
        },
      ),
      { numRuns: isDeep ? 300 : 50 },
    );
  });

  it('are the same whether or not there is room for a very long line, and where there is too little', () => {
    const long = (size: number): string => JSON.stringify({ text: 'some words '.repeat(size / 11) });
    const file = `{"a":1}\n${long(20e6)}\n${long(18e6)}`;
    const found = read(file);
    assert.equal(found.values.length, 3);
    for (const expected of someOf([file.length, file.length + 5, 19e6, 37e6, 2 ** 40], 2)) {
      assert.deepEqual(read(file, 1 << 20, expected), found, `${expected} bytes`);
    }
  });

  it('do not take long to give up on a large line that was cut off', async () => {
    const cut = (count: number): string =>
      `{"type":"user","content":[${'{"type":"text","text":"some words"},'.repeat(count)}`;
    await assertLinear(60_000, cut, line => assert.deepEqual(read(line).values, []));
  });
});
