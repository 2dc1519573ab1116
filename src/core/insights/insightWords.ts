import { formatExactShare, formatMoney } from '../base/format';
import { translate } from '../base/translate';
import type { TokenFigure } from '../tokens/quality';
import { figureTokens, qualityMark, statesRange } from '../tokens/qualityWords';
import { type Insight, type InsightKind, leastShare } from './insight';

/** The meaning of a finding's figure. */
export const worthWords: Readonly<Record<InsightKind, string>> = {
  secret: translate('no price'),
  privateData: translate('no price'),
  loss: translate('lost'),
  prune: translate('to save'),
  waste: translate('wasted'),
  compaction: translate('paid again'),
  fetchedAgain: translate('paid again'),
  layout: translate('to save'),
  staleEdit: translate('no price'),
};

/** A figure and its mark. */
export function insightFigure(
  money: number | null,
  { value, quality, error = 0 }: TokenFigure,
): Pick<Insight, 'figure' | 'mark'> {
  const figure = { value, quality, error };
  return {
    figure: money === null ? figureTokens(figure) : moneyText(money, figure),
    mark: qualityMark(quality, error),
  };
}

/** `$0.39`, or `$0.10–$0.26` if the error is large. */
function moneyText(money: number, figure: TokenFigure): string {
  const { error = 0 } = figure;
  return statesRange(figure)
    ? `${formatMoney(Math.max(0, money * (1 - error)))}–${formatMoney(money * (1 + error))}`
    : formatMoney(money);
}

/** One line for a finding: `Cache lost at request 31 · $0.72 lost · the tools changed`. */
export function insightLine({ kind, what, why, figure, mark }: Insight): string {
  const worth = [figure, mark, worthWords[kind]].filter(part => part !== '').join(' ');
  return [what, ...(figure === '' ? [] : [worth]), ...(why === '' ? [] : [why])].join(' · ');
}

/** The number of the other findings in a short list. */
export const moreInsights = (count: number): string =>
  translate('{0, plural, one {# more finding} other {# more findings}}', count);

/** The findings that are too cheap for the list; empty if there are none. */
export const belowText = (count: number): string =>
  count === 0
    ? ''
    : translate(
        '{0, plural, one {# finding costs} other {# findings cost}} less than {1} of the session',
        count,
        formatExactShare(leastShare),
      );

/** The heading of a list of findings. */
export const insightsTitle = translate('Worth a look');
/** Says why there is no sum. */
export const overlapNote = translate('Findings overlap: no sum.');
/** The order of a list without prices. */
export const byTokens = (reason: string): string =>
  reason === '' ? translate('by tokens') : translate('by tokens: {0}', reason);
