import { translate } from '../../base/translate';
import type { TwinOutcome } from './anonymisedTwin';

/** A sentence about the replaced and kept content. */
export function twinSentence({ texts, names, numbers, images, kept, inexactTexts }: TwinOutcome): string {
  const sentence = translate(
    '{0, plural, one {# text} other {# texts}}, {1, plural, one {# name} other {# names}}, {2, plural, one {# number} other {# numbers}} and {3, plural, one {# image} other {# images}} were replaced; {4, plural, one {# id, time, usage figure or fixed value was} other {# ids, times, usage figures and fixed values were}} kept.',
    texts,
    names,
    numbers,
    images,
    kept,
  );
  return inexactTexts === 0
    ? sentence
    : `${sentence} ${translate(
        '{0, plural, one {# text has} other {# texts have}} a different token count than before.',
        inexactTexts,
      )}`;
}
