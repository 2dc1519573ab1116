import { tokens } from '../base/countWords';
import { formatNumber, formatNumberRange, formatShare, formatShortNumber } from '../base/format';
import { translate } from '../base/translate';
import type { TokenFigure, TokenQuality } from './quality';

/** The word for each quality of a figure. */
export const qualityWords: Readonly<Record<TokenQuality, string>> = {
  exact: translate('exact'),
  calibrated: translate('calibrated'),
  estimated: translate('estimated'),
};

/** A larger error is shown as a range, because a single number says too much. */
const mostStatedError = 0.2;

/** The error if it is stated after the figure; undefined if there is none, or the figure is a range. */
const statedError = (quality: TokenQuality, error = 0): number | undefined =>
  quality === 'exact' || error === 0 || error > mostStatedError ? undefined : error;

/** `exact`, or `calibrated ±2 %`. Without the error if `figureNumber` shows it as a range. */
export function qualityText(quality: TokenQuality, error: number | undefined): string {
  const stated = statedError(quality, error);
  return stated === undefined ? qualityWords[quality] : `${qualityWords[quality]} ±${formatShare(stated)}`;
}

/** True for a figure that is shown as a range. */
export const statesRange = ({ quality, error = 0 }: Omit<TokenFigure, 'value'>): boolean =>
  quality !== 'exact' && error > mostStatedError;

/** The ends of a figure that is shown as a range; undefined for any other. */
function rangeOf(figure: TokenFigure): readonly [low: number, high: number] | undefined {
  const { value, error = 0 } = figure;
  return statesRange(figure) ? [Math.max(0, value * (1 - error)), value * (1 + error)] : undefined;
}

/** `1,234`; `900–1,600` if its error is large; `at least 1,234` if a part is unknown. */
export function figureNumber(figure: TokenFigure): string {
  const range = rangeOf(figure);
  const number = range === undefined ? formatNumber(figure.value) : formatNumberRange(...range);
  return figure.isLeast === true ? translate('at least {0}', number) : number;
}

/** `1,234`; `75k ± 60k` if its error is large, for a change that may be near zero. */
export function figureSpread(figure: TokenFigure): string {
  const { value, error = 0 } = figure;
  return statesRange(figure)
    ? `${formatShortNumber(value)} ± ${formatShortNumber(value * error)}`
    : formatNumber(value);
}

/** `1,234 tokens`, with a range or a least as `figureNumber`. */
export const figureTokens = (figure: TokenFigure): string =>
  figure.isLeast === true || rangeOf(figure) !== undefined
    ? translate('{0} tokens', figureNumber(figure))
    : tokens(figure.value);

/** `1,234 tokens (estimated ±5 %)`. */
export const figure = (tokensFigure: TokenFigure): string =>
  `${figureTokens(tokensFigure)} (${qualityOf(tokensFigure)})`;

/** The share of a whole, such as the context window: `40 %`, with a range or a least as `figureNumber`. */
export function figureShare(figure: TokenFigure, whole: number): string {
  const range = rangeOf(figure) ?? [figure.value];
  const share = range.map(end => formatShare(end / whole)).join('–');
  return figure.isLeast === true ? translate('at least {0}', share) : share;
}

/** `1,234 tokens, calibrated ±2 %` */
export const figureText = (figure: TokenFigure, between = ', '): string =>
  `${figureTokens(figure)}${between}${qualityOf(figure)}`;

/** The quality of a figure, with a recorded total that is doubted and the reason. */
export const qualityOf = ({ quality, error, doubted }: Omit<TokenFigure, 'value'>): string =>
  [qualityText(quality, error), ...(doubted === undefined ? [] : [doubtText(doubted)])].join('; ');

/** Names a recorded total that is doubted, and the reason. */
export const doubtText = (doubted: number): string =>
  translate('recorded: {0}, doubted because the texts alone are more', tokens(doubted));

/** The mark after a figure: none if exact, `≈ ±2 %` if calibrated, `about ±10 %` if estimated. */
export function qualityMark(quality: TokenQuality, error: number | undefined): string {
  const stated = statedError(quality, error);
  const sign = stated === undefined ? '' : ` ±${formatShare(stated)}`;
  switch (quality) {
    case 'exact':
      return '';
    case 'calibrated':
      return `≈${sign}`;
    case 'estimated':
      return `${translate('about')}${sign}`;
  }
}

/** An explanation of the mark, with the technical term for it. */
export const qualityHints: Readonly<Record<TokenQuality, string>> = {
  exact: translate('Exact: recorded, or counted by the provider'),
  calibrated: translate('Calibrated: counted here and scaled to the provider’s total'),
  estimated: translate('Estimated: counted here, without a recorded total'),
};
