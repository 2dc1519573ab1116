import { translate } from '../base/translate';
import type { UsageFigures } from './usageFigures';

/** Reasons why a cost is a lower bound: one sentence for each cause, for all places that show a cost. */
export function costNotes({
  unpriced,
  lowOutput,
  withoutInput,
}: Pick<UsageFigures, 'unpriced' | 'lowOutput' | 'withoutInput'>): readonly string[] {
  return [
    ...(unpriced === 0
      ? []
      : [
          translate(
            'Prices are unknown for the models of {0, plural, one {# request} other {# requests}}.',
            unpriced,
          ),
        ]),
    ...(lowOutput === 0
      ? []
      : [
          translate(
            'The recorded output of {0, plural, one {# request} other {# requests}} is too low.',
            lowOutput,
          ),
        ]),
    ...(withoutInput === 0
      ? []
      : [
          translate(
            'Only the output of {0, plural, one {# request} other {# requests}} is recorded.',
            withoutInput,
          ),
        ]),
  ];
}
