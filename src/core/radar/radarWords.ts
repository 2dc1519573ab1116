import { formatDecimal, formatExactShare, formatMoney, formatNumber, formatShare } from '../base/format';
import { translate } from '../base/translate';
import { assertNever } from '../model/labels';
import { causeWords } from '../cache/causeWords';
import type { RadarChange, RadarFigure } from './radarReport';

/** The figures as heads of a table. */
export const radarFigureWords: Readonly<Record<Exclude<RadarFigure, 'cause'>, string>> = {
  cacheShare: translate('from cache'),
  losses: translate('cache losses'),
  notRecorded: translate('tokens not recorded'),
  compactions: translate('compactions per 100 requests'),
  cost: translate('cost per request'),
};

/** The value of a figure; empty if it is not known. */
export function radarValue(figure: RadarFigure, value: number | null): string {
  if (value === null) {
    return '';
  }
  switch (figure) {
    case 'cacheShare':
      return formatExactShare(value);
    case 'losses':
    case 'cause':
      return formatShare(value);
    case 'notRecorded':
      return formatNumber(Math.round(value));
    case 'compactions':
      return formatDecimal(value);
    case 'cost':
      return formatMoney(value);
    default:
      return assertNever(figure);
  }
}

const nameOf = ({ figure, cause }: RadarChange): string =>
  figure === 'cause'
    ? translate('cache losses, {0}', cause === null ? '' : causeWords[cause])
    : radarFigureWords[figure];

/** Chances are named by the smallest of these above them. */
const chances = [0.001, 0.005, 0.01];

/** `from 2.1.187 on: cache losses 3.1 × (p < 0.01, 41 sessions)` */
export function radarChangeText(change: RadarChange): string {
  const { version, ratio, p, sessions } = change;
  const values = translate(
    '{0} instead of {1}',
    radarValue(change.figure, change.after),
    radarValue(change.figure, change.before),
  );
  // Shares near 100 % are compared as they are.
  const size =
    ratio === null || change.figure === 'cacheShare' ? values : `${formatDecimal(ratio)} ×, ${values}`;
  return translate(
    'from {0} on: {1} {2} (p < {3}, {4, plural, one {# session} other {# sessions}})',
    version,
    nameOf(change),
    size,
    formatChance(p),
    sessions.after,
  );
}

const formatChance = (p: number): string => String(chances.find(limit => p < limit) ?? chances.at(-1));

/** The versions with which a change may have begun, if there are several. */
export function radarRangeText({ first, last, sessions }: RadarChange): string {
  const compared = translate(
    'compared with {0, plural, one {# session} other {# sessions}} before of the same projects and models',
    sessions.before,
  );
  return first === last
    ? compared
    : `${translate('began between {0} and {1} (95 %)', first, last)}, ${compared}`;
}
