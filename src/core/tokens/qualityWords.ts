import { translate } from '../base/translate';
import type { TokenQuality } from './quality';

/** What each quality of a figure is called. */
export const qualityWords: Readonly<Record<TokenQuality, string>> = {
  exact: translate('exact'),
  calibrated: translate('calibrated'),
  estimated: translate('estimated'),
};
