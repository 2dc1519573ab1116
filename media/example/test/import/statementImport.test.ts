import { describe, expect, it } from 'vitest';
import { importStatement, parseAmount } from '../../src/import/statementImport.js';

const head = 'booked,amount,currency,counterparty,email,phone,account,reference';

describe('importStatement', () => {
  it('reads every date form on its own day', () => {
    const { rows, problems } = importStatement(
      [head, '29.03.2026,-420.00,NOK,Kiosk,,,,A1', '2026-03-29,17.5,NOK,Refund,,,,A2'].join('\n'),
    );
    expect(problems).toEqual([]);
    expect(rows.map(row => row.bookedOn)).toEqual([
      { year: 2026, month: 3, day: 29 },
      { year: 2026, month: 3, day: 29 },
    ]);
    expect(rows.map(row => row.amount)).toEqual([-42000n, 1750n]);
  });

  it('keeps quoted commas and doubled quotes', () => {
    const { rows } = importStatement([head, '2026-03-02,1,NOK,"Berg, ""Søn"" & Co",,,,B7'].join('\n'));
    expect(rows[0]?.counterparty).toBe('Berg, "Søn" & Co');
  });

  it('takes the delimiter from the first line', () => {
    const { rows } = importStatement([head.replaceAll(',', ';'), '2026-04-02;12,50;NOK;Kiosk;;;;D1'].join('\n'));
    expect(rows[0]?.amount).toBe(1250n);
  });

  it('reports a bad row by its line and goes on', () => {
    const { rows, problems } = importStatement([head, '30.02.2026,1,NOK,X,,,,C1', '01.03.2026,2,NOK,Y,,,,C2'].join('\n'));
    expect(rows).toHaveLength(1);
    expect(problems).toEqual([{ line: 2, reason: 'No such day: 2026-2-30' }]);
  });
});

describe('parseAmount', () => {
  it.each([
    ['1 234,50', 123450n],
    ['-1234.5', -123450n],
    ['0', 0n],
  ])('reads %s', (text, minor) => {
    expect(parseAmount(text)).toBe(minor);
  });

  it.each(['', '1.234,50', '12,345', 'abc'])('rejects %j', text => {
    expect(() => parseAmount(text)).toThrow(RangeError);
  });
});
