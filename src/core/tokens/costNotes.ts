import { translate } from '../base/translate';
import { visibleText } from '../base/visibleText';
import type { UsageFigures } from '../model/usageFigures';

/** The reason why there is no cost, in a short phrase; undefined if there is no request. */
export function missingCost(
  {
    total,
    byModel,
  }: { readonly total: UsageFigures; readonly byModel: readonly { readonly model: string }[] },
  requests: number,
): string | undefined {
  if (total.requests === 0) {
    return requests === 0 ? undefined : translate('usage is not recorded');
  }
  if (total.unpricedTerms === total.requests) {
    return translate('no price known for its service tier, speed or region');
  }
  const models = byModel.flatMap(({ model }) => (model === '' ? [] : [visibleText(model)]));
  return models.length === 0
    ? translate('the model is not recorded')
    : translate('no price known for {0}', models.join(', '));
}

/** Reasons why a cost is a lower bound: one sentence for each cause, for all places that show a cost. */
export function costNotes({
  unpriced,
  unpricedTerms,
  unpricedExtras,
  lowOutput,
  withoutInput,
  doubtedInput,
}: Pick<
  UsageFigures,
  'unpriced' | 'unpricedTerms' | 'unpricedExtras' | 'lowOutput' | 'withoutInput' | 'doubtedInput'
>): readonly string[] {
  const unknown = unpriced - unpricedTerms;
  return [
    ...(unpricedTerms === 0
      ? []
      : [
          translate(
            'Not priced: the service tier, speed or region of {0, plural, one {# request} other {# requests}}.',
            unpricedTerms,
          ),
        ]),
    ...(unpricedExtras === 0
      ? []
      : [
          translate(
            'Not priced: tools that the provider ran, or further models, in {0, plural, one {# request} other {# requests}}.',
            unpricedExtras,
          ),
        ]),
    ...(unknown === 0
      ? []
      : [
          translate(
            'Prices are unknown for the models of {0, plural, one {# request} other {# requests}}.',
            unknown,
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
    ...(doubtedInput === 0
      ? []
      : [
          translate(
            'The recorded input of {0, plural, one {# request} other {# requests}} is smaller than the texts can be.',
            doubtedInput,
          ),
        ]),
  ];
}
