import { describe, expect, it } from 'vitest';
import { parseDate, today, toPostingDay } from '../../src/dates/parseDate.js';

const forms = ['2026-03-29', '20260329', '29.03.2026', '29/03/26', '29 Mar 2026', '29 March 2026'];

describe.each(['UTC', 'Europe/Oslo', 'America/Los_Angeles', 'Pacific/Kiritimati'])('parseDate in %s', zone => {
  it.each(forms)('books %s on 29 March', form => {
    process.env.TZ = zone;
    expect(toPostingDay(parseDate(form))).toBe('2026-03-29');
  });
});

describe('parseDate', () => {
  it.each(['tomorrow-ish', '2026-02-30', '31.04.2026', '29 Foo 2026', ''])('rejects %j', text => {
    expect(() => parseDate(text)).toThrow(RangeError);
  });
});

describe('today', () => {
  // 22:30 UTC on 31 March is already 1 April in Oslo.
  const lateEvening = new Date('2026-03-31T22:30:00Z');
  it('is the day where the company is', () => {
    expect(today('Europe/Oslo', lateEvening)).toBe('2026-04-01');
    expect(today('America/New_York', lateEvening)).toBe('2026-03-31');
  });
});
