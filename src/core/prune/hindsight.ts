import { formatMoney } from '../base/format';
import { translate } from '../base/translate';
import { foreseenOf, type PruneMomentChoice } from './search';

/** A saving that rests less on a loss than this share is not said to be in hindsight. */
const leastHindsight = 0.1;

/** The saving of a prune, and the loss that it rests on. */
export interface Saving extends Pick<PruneMomentChoice, 'gained' | 'foreseen'> {
  readonly restsOn?: number | undefined;
}

/** The request whose loss nobody could foresee, if a saving rests on it; otherwise undefined. */
export function hindsightOf(saving: Saving): number | undefined {
  const { gained, restsOn } = saving;
  return gained.money <= 0 || gained.money - foreseenOf(saving) < gained.money * leastHindsight
    ? undefined
    : restsOn;
}

/**
 * Names a saving that rests on a later loss, the figure without it, and the best moment without it; empty if it rests on
 * none.
 * @param labelOf the number of a request for people
 */
export function hindsightParts(
  saving: Saving,
  other: PruneMomentChoice | undefined,
  labelOf: (request: number) => string,
): readonly string[] {
  const restsOn = hindsightOf(saving);
  if (restsOn === undefined) {
    return [];
  }
  const without = foreseenOf(saving);
  return [
    without > 0
      ? translate('in hindsight: {0} without the loss at request {1}', formatMoney(without), labelOf(restsOn))
      : translate('in hindsight: nothing without the loss at request {0}', labelOf(restsOn)),
    ...(other === undefined
      ? []
      : [
          translate(
            'best without it: request {0}, {1}',
            labelOf(other.request),
            formatMoney(foreseenOf(other)),
          ),
        ]),
  ];
}
