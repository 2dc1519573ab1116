import { formatMoney, formatNumber, formatShare } from '../base/format';
import { translate } from '../base/translate';
import { triedSettings } from './bestSettings';
import { settingsInWords } from './settings';
import type { Difference, WhatIfReason } from './whatIf';
import type { WhatIfOverview, WhatIfRow } from './whatIfTotals';

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

/** `With a cache lifetime of 1 hour: about $3.10 less ($2.60 to $3.70) over 41 sessions` */
export function whatIfHeadline({ settings, total }: Pick<WhatIfOverview, 'settings' | 'total'>): string {
  const words = settingsInWords(settings);
  const name = `${words.charAt(0).toUpperCase()}${words.slice(1)}`;
  const { money, sessions } = total;
  if (sessions === 0) {
    return translate('{0}: cannot be told for any session of this period', name);
  }
  if (total.unpriced === total.recorded.requests) {
    return translate(
      '{0}: {1} input tokens over {2, plural, one {# session} other {# sessions}}',
      name,
      tokenDifference(total.tokens),
      sessions,
    );
  }
  const size = formatMoney(Math.abs(money.value));
  if (size === formatMoney(0)) {
    return translate(
      '{0}: the same cost over {1, plural, one {# session} other {# sessions}}',
      name,
      sessions,
    );
  }
  return money.value < 0
    ? translate(
        '{0}: about {1} less ({2}) over {3, plural, one {# session} other {# sessions}}',
        name,
        size,
        money.high <= 0
          ? translate('{0} to {1}', formatMoney(-money.high), formatMoney(-money.low))
          : moneyInterval(money),
        sessions,
      )
    : translate(
        '{0}: about {1} more ({2}) over {3, plural, one {# session} other {# sessions}}',
        name,
        size,
        money.low >= 0
          ? translate('{0} to {1}', formatMoney(money.low), formatMoney(money.high))
          : moneyInterval(money),
        sessions,
      );
}

/** The outcome of a search without a saving, for the command line and the page. */
export const nothingBetter = (): string =>
  translate('No choice of pruning, cache lifetime and compaction would have cost less for certain.');

export const triedWords = (): string =>
  translate(
    '{0} combinations of pruning, cache lifetime and compaction were tried. Those whose whole interval is a saving are listed.',
    formatNumber(triedSettings().length),
  );

/** The sentences under the table: the interval, what is assumed, what cannot be told. */
export function whatIfNotes({
  assumptions,
  coverage,
  rows,
  total,
}: Pick<WhatIfOverview, 'assumptions' | 'coverage' | 'total'> & {
  readonly rows: readonly Pick<WhatIfRow, 'reasons'>[];
}): readonly string[] {
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
