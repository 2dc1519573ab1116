import assert from 'node:assert/strict';
import { afterEach, describe, it, mock } from 'node:test';
import {
  formatBytes,
  formatDateTime,
  formatDecimal,
  formatDuration,
  formatExactShare,
  formatMinute,
  formatMoney,
  formatNumber,
  formatSeconds,
  formatShare,
  formatShortNumber,
  formatTime,
} from '../../../src/core/base/format';
import { setTranslations } from '../../../src/core/base/translate';

/** Some figures as a language writes them; no-break spaces are written as plain ones. */
function written(language: string): readonly string[] {
  setTranslations({ language, messages: {} });
  return [
    formatNumber(12345.6),
    formatDecimal(1.25),
    formatMoney(1234.5),
    formatMoney(0.0123),
    formatShare(0.0005),
    formatShare(0.031),
    formatShare(0.42),
    formatSeconds(4200),
    formatBytes(1234),
    formatMinute(new Date(2026, 0, 5, 14, 5).getTime()),
  ].map(text => text.replaceAll(/\s/g, ' '));
}

describe('numbers, money and times', () => {
  afterEach(() => setTranslations(undefined));

  it('have no share that reads as all of something and is less', () => {
    assert.deepEqual([0.994, 0.9955, 0.99776, 0.99999, 1].map(formatShare), [
      '99 %',
      '99.6 %',
      '99.8 %',
      '99.9 %',
      '100 %',
    ]);
    assert.deepEqual([0.9955, 0.99999, 1].map(formatExactShare), ['99.6 %', '99.9 %', '100 %']);
  });

  it('have no amount with a single decimal place', () => {
    assert.deepEqual([0.0994, 0.0998, 0.1, 0.5].map(formatMoney), ['$0.099', '$0.10', '$0.10', '$0.50']);
  });

  it('are written as the language of the words writes them', () => {
    assert.deepEqual(written('de'), [
      ...['12.346', '1,3', '1.234,50 $', '0,012 $', '<0,1 %', '3,1 %', '42 %'],
      ...['4,2 Sek.', '1,2 KB', '05.01.2026, 14:05'],
    ]);
    assert.deepEqual(written('ja').slice(2), [
      ...['$1,234.50', '$0.012', '<0.1%', '3.1%', '42%', '4.2s', '1.2 KB', '2026/01/05 14:05'],
    ]);
    assert.deepEqual(written('zh-cn').slice(2, 4), ['US$1,234.50', 'US$0.012']);
    assert.deepEqual(written('en'), [
      ...['12,346', '1.3', '$1,234.50', '$0.012', '<0.1 %', '3.1 %', '42 %'],
      ...['4.2 s', '1.2 KB', '5 Jan 2026, 14:05'],
    ]);
  });

  it('are spans of time in the largest unit that says enough', () => {
    const spans = (language: string): readonly string[] => {
      setTranslations({ language, messages: {} });
      return [3, 119.4, 120, 5400, 7200, 9000].map(formatDuration);
    };
    assert.deepEqual(spans('en'), ['3 s', '119 s', '2 min', '90 min', '2 h', '2.5 h']);
    assert.deepEqual(
      spans('ja').map(text => text.replaceAll(/\s/g, ' ')),
      ['3s', '119s', '2m', '90m', '2h', '2.5h'],
    );
    assert.match(spans('zh-cn')[5] ?? '', /^2.5\s*小时$/);
    assert.equal(spans('de')[5], '2,5h');
  });

  it('are written without a formatter as with one', () => {
    const writer = (options: Intl.NumberFormatOptions): ((value: number) => string) => {
      const formatter = new Intl.NumberFormat('en-US', options);
      return value => formatter.format(value);
    };
    const percent = (digits: number): ((value: number) => string) => {
      const write = writer({ style: 'percent', maximumFractionDigits: digits });
      return value => write(value).replace('%', ' %');
    };
    const [whole, decimal] = [0, 1].map(digits => writer({ maximumFractionDigits: digits }));
    const [share, exactShare] = [0, 1].map(percent);
    const dollars = { style: 'currency', currency: 'USD' } as const;
    const money = writer({ ...dollars, minimumFractionDigits: 2, maximumFractionDigits: 2 });
    const pennies = writer({ ...dollars, maximumSignificantDigits: 2 });
    const compact = (digits: number): ((value: number) => string) => {
      const write = writer({ notation: 'compact', maximumFractionDigits: digits });
      return value => write(value).replace('K', 'k');
    };
    const [shortWhole, short] = [0, 1].map(compact);
    const values = [0, -0, -0.04, 0.05, 44.65, 999.95, 999_999.5, 1e15, 1e300, 1e-7, NaN, Infinity];
    values.push(
      9949,
      9950,
      99_949,
      999_499,
      999_500,
      999_949,
      999_950,
      1_049_999,
      999_949_999,
      0.0125,
      0.285,
    );
    for (let size = 1e-5; size < 1e16; size *= 3.7) {
      values.push(size, -size, Math.round(size * 20) / 20);
    }
    for (const value of values) {
      const size = Math.abs(value);
      const isSmallShare = value > 0 && value < 0.1;
      assert.deepEqual(
        [formatNumber, formatDecimal, formatExactShare, formatMoney, formatShortNumber].map(write =>
          write(value),
        ),
        [
          whole,
          decimal,
          exactShare,
          size > 0 && size < 0.0995 ? pennies : money,
          value >= 9950 && value < 1_000_000 ? shortWhole : short,
        ].map(write => write?.(value)),
        String(value),
      );
      // Those that say less than all for what is nearly all have no counterpart.
      const isNearlyAll = value >= 0.995 && value < 1;
      if (!(value > 0 && value < 0.001) && !isNearlyAll) {
        assert.equal(formatShare(value), (isSmallShare ? exactShare : share)?.(value), String(value));
      }
    }
  });

  it('write dates without a formatter as with one', () => {
    const formatted = (options: Intl.DateTimeFormatOptions): ((time: number) => string) => {
      const formatter = new Intl.DateTimeFormat('en-GB', options);
      return time => formatter.format(time);
    };
    const day = formatted({ day: 'numeric', month: 'short', year: 'numeric' });
    const time = formatted({ hour: '2-digit', minute: '2-digit', second: '2-digit' });
    const minute = formatted({ dateStyle: 'medium', timeStyle: 'short' });
    const times = [
      0,
      -1,
      Date.UTC(1999, 11, 31, 23, 59, 59, 999),
      Date.UTC(12026, 0, 1),
      Date.UTC(900, 0, 1),
    ];
    for (let month = 0; month < 26; month += 1) {
      times.push(new Date(2025, month, 1 + month, month, 2 * month, 59 - month).getTime());
    }
    const expected = times.map(each => [time(each), `${day(each)}, ${time(each)}`, minute(each)]);
    assert.deepEqual(
      times.map(each => [formatTime(each), formatDateTime(each), formatMinute(each)]),
      expected,
    );
    assert.deepEqual([formatTime(NaN), formatDateTime(NaN)], ['', '']);
    // Formatters are made again for another language.
    setTranslations({ language: 'en-GB', messages: {} });
    const make = mock.method(Intl, 'DateTimeFormat');
    assert.deepEqual([formatDateTime(0), formatMinute(0)], [`${day(0)}, ${time(0)}`, minute(0)]);
    assert.equal(make.mock.callCount(), 0);
    make.mock.restore();
    assert.throws(() => formatTime(1e300), RangeError);
  });

  it('are English where the language is none', () => {
    setTranslations({ language: 'not a language', messages: {} });
    assert.equal(formatNumber(12345), '12,345');
  });
});
