import { tokens } from '../base/countWords';
import { formatShare } from '../base/format';
import { translate } from '../base/translate';
import type { TokenFigure, TokenQuality } from './quality';

/** The word for each quality of a figure. */
export const qualityWords: Readonly<Record<TokenQuality, string>> = {
  exact: translate('exact'),
  calibrated: translate('calibrated'),
  estimated: translate('estimated'),
};

/** `exact`, or `calibrated ±2 %`. */
export function qualityText(quality: TokenQuality, error: number | undefined): string {
  return quality === 'exact' || error === undefined || error === 0
    ? qualityWords[quality]
    : `${qualityWords[quality]} ±${formatShare(error)}`;
}

/** `1,234 tokens, calibrated ±2 %` */
export const figureText = ({ value, quality, error }: TokenFigure): string =>
  `${tokens(value)}, ${qualityText(quality, error)}`;

/** The mark after a figure: none if exact, `≈ ±2 %` if calibrated, `about` if estimated. */
export function qualityMark(quality: TokenQuality, error: number | undefined): string {
  switch (quality) {
    case 'exact':
      return '';
    case 'calibrated':
      return error === undefined || error === 0 ? '≈' : `≈ ±${formatShare(error)}`;
    case 'estimated':
      return translate('about');
  }
}

/** An explanation of the mark, with the technical term for it. */
export const qualityHints: Readonly<Record<TokenQuality, string>> = {
  exact: translate('Exact: recorded, or counted by the provider'),
  calibrated: translate('Calibrated: counted here and scaled to the provider’s total'),
  estimated: translate('Estimated: counted here, without a recorded total'),
};
