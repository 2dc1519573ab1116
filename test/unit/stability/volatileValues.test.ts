import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import {
  findVolatileValues,
  governorPatterns,
  withoutVolatileValues,
} from '../../../src/core/stability/volatileValues';
import { assertLinear } from '../../fixtures/linearWork';

const uuid = '0f8fad5b-d9cb-469f-a165-70867728950e';

describe('findVolatileValues', () => {
  it('finds each kind of value of the governor, and the longer of two that begin together', () => {
    const cases = [
      ['at 2026-03-04T05:06:07Z', 'at {{iso8601_timestamp}}'],
      ['at 2026-03-04T05:06:07.123+01:00.', 'at {{iso8601_timestamp}}.'],
      ['on 2026-03-04.', 'on {{date_string}}.'],
      [`id ${uuid}!`, 'id {{uuid}}!'],
      ['req_0123abcd and trace-XYZ45678', '{{request_id}} and {{request_id}}'],
      ['req_0123abc', 'req_0123abc'],
      ['now 1700000000, 1700000000123', 'now {{unix_timestamp}}, {{unix_timestamp}}'],
      ['2700000000 170000000 17000000001234 x1700000000 é1700000000', undefined],
      // The identifier begins first and does not include the date-like text after it: a hyphen ends it.
      ['session_20260304-2026-03-04', '{{request_id}}-{{date_string}}'],
      ['nothing volatile here', undefined],
    ] as const;
    for (const [text, expected] of cases) {
      assert.equal(withoutVolatileValues(text, governorPatterns), expected ?? text, text);
    }
  });

  it('finds what prompts carry beyond that', () => {
    const cases = [
      ['Today is Sat Nov 22, 2026.', 'Today is Sat {{written_date}}.'],
      ['Today is 22 November 2026.', 'Today is {{written_date}}.'],
      ['Date: 11/22/2026, 9:05 PM', 'Date: {{written_date}}, {{clock_time}}'],
      ['2026-11-22 09:05:06.789', '{{date_string}} {{clock_time}}'],
      ['src/a.ts:12:34 and 1.2:3', undefined],
    ] as const;
    for (const [text, expected] of cases) {
      assert.equal(withoutVolatileValues(text), expected ?? text, text);
    }
  });

  it('tells places in UTF-16 units and in bytes', () => {
    // é is 1 unit and 2 bytes, 🦊 is 2 units and 4 bytes: with the two blanks 5 units and 8 bytes come first.
    assert.deepEqual(findVolatileValues(`é 🦊 2026-03-04 é ${uuid}`), [
      { name: 'date_string', category: 'timestamp', start: 5, end: 15, startByte: 8, endByte: 18 },
      // A blank, é and a blank: 3 units, 4 bytes.
      { name: 'uuid', category: 'identifier', start: 18, end: 54, startByte: 22, endByte: 58 },
    ]);
  });

  it('takes linear time, whatever the text almost is', async () => {
    const pieces = ['2026-03-04T05:06:', 'session_1234567', '1111111111', '0f8fad5b-d9cb-', '1/2/', 'Nov 1 '];
    for (const piece of pieces) {
      await assertLinear(400_000, size => piece.repeat(size / piece.length), findVolatileValues, piece);
    }
  });
});
