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
