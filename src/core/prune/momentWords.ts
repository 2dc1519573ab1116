import { formatMoney } from '../base/format';
import { translate } from '../base/translate';
import { foreseenOf, type Found, type PruneMomentChoice } from './search';

/** US dollars as a gain or a loss in words, because a sign alone is easily overlooked. */
export const gainText = (money: number): string =>
  money < 0 ? translate('costs {0} more', formatMoney(-money)) : translate('saves {0}', formatMoney(money));

/** Names the best request to prune. */
export const bestText = ({ gained }: PruneMomentChoice, request: string): string =>
  translate('Best at request {0}: {1}', request, gainText(gained.money));

/** The same for the best request without the losses that nobody could foresee. */
export const bestForeseenText = (choice: PruneMomentChoice, request: string): string =>
  translate('Best without hindsight, at request {0}: {1}', request, gainText(foreseenOf(choice)));

/** Says why there is no best request. */
export const noBestText = ({ considered, unpriced }: Found<PruneMomentChoice>): string =>
  considered === 0
    ? translate('These settings would prune nothing at any request.')
    : unpriced === considered
      ? translate('The prices of this model are unknown, so the settings cannot be ranked.')
      : translate('These settings save money at no request.');
