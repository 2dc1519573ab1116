import { formatMoney, formatNumber, formatShare } from '../base/format';
import { translate } from '../base/translate';
import type { Difference, WhatIfReason } from './whatIf';
import type { WhatIfOverview } from './whatIfTotals';

// The words of what-if, for the command line and the page.

/** A difference with its sign: `−$1.20`. */
export function moneyDifference({ value }: Difference): string {
  return `${signOf(value, formatMoney(0) === formatMoney(Math.abs(value)))}${formatMoney(Math.abs(value))}`;
}

export function tokenDifference({ value }: Difference): string {
  const size = Math.round(Math.abs(value));
  return `${signOf(value, size === 0)}${formatNumber(size)}`;
}

/** `−$1.30 to −$1.10`. */
export function moneyInterval({ low, high }: Difference): string {
  return translate(
    '{0} to {1}',
    moneyDifference({ value: low, low, high }),
    moneyDifference({ value: high, low, high }),
  );
}

const signOf = (value: number, isNothing: boolean): string => (isNothing ? '' : value < 0 ? '−' : '+');

export function reasonWords(reason: WhatIfReason): string {
  return reason.kind === 'noUsage' ? translate('usage is not recorded') : reason.sentence;
}

/** The sentences under the table: the interval, what is assumed, what cannot be told. */
export function whatIfNotes({ assumptions, coverage, rows, total }: WhatIfOverview): readonly string[] {
  const reasons = new Map<string, number>();
  for (const row of rows) {
    for (const reason of row.reasons) {
      const words = reasonWords(reason);
      reasons.set(words, (reasons.get(words) ?? 0) + 1);
    }
  }
  return [
    translate('The intervals hold the true difference in {0} of cases.', formatShare(coverage)),
    translate('Assumed: {0}', assumptions.join(' ')),
    ...[...reasons].map(([reason, count]) =>
      translate('Cannot be told for {0, plural, one {# session} other {# sessions}}: {1}', count, reason),
    ),
    ...(total.lost === undefined || total.lost === 0
      ? []
      : [
          translate(
            '{0, plural, one {# result} other {# results}} that later texts refer to would have been gone.',
            total.lost,
          ),
        ]),
    ...(total.unpriced === 0
      ? []
      : [
          translate(
            'Prices are unknown for the models of {0, plural, one {# request} other {# requests}}.',
            total.unpriced,
          ),
        ]),
  ];
}
