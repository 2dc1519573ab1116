import assert from 'node:assert/strict';
import { afterEach, describe, it } from 'node:test';
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

/** Some figures in a language's format; no-break spaces are replaced by plain ones. */
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
      ...['$1,234.50', '$0.012', '<0.1%', '3.1%', '42%', '4.2 秒', '1.2 KB', '2026/01/05 14:05'],
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
      ['3 秒', '119 秒', '2 分', '90 分', '2 時間', '2.5 時間'],
    );
    assert.match(spans('zh-cn')[5] ?? '', /^2.5\s*小时$/);
    assert.equal(spans('de')[5], '2,5 Std.');
  });

  it('are as short as they can be written', () => {
    const values = [0, 980, 2345, 9949, 9950, 12_345, 999_499, 999_999, 1_234_567, 2_500_000_000];
    assert.deepEqual(values.map(formatShortNumber), [
      ...['0', '980', '2.3k', '9.9k', '10k', '12k', '999k', '1M', '1.2M', '2.5B'],
    ]);
  });

  it('are times of a day, and empty without a time', () => {
    const time = new Date(2026, 8, 5, 4, 5, 9).getTime();
    assert.deepEqual(
      [formatTime(time), formatDateTime(time), formatMinute(time)],
      ['04:05:09', '5 Sept 2026, 04:05:09', '5 Sept 2026, 04:05'],
    );
    assert.deepEqual([formatTime(NaN), formatDateTime(NaN)], ['', '']);
    assert.throws(() => formatTime(1e300), RangeError);
  });

  it('are written in one way in all kinds of English', () => {
    assert.deepEqual(written('en-IN'), written('en'));
  });

  it('are English where the language is none', () => {
    setTranslations({ language: 'not a language', messages: {} });
    assert.equal(formatNumber(12345), '12,345');
  });
});
