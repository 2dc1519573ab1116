import { translate } from './translate';

/** `1 block`, `2 blocks`; the functions below do the same for other things. */
export const blocks = (count: number): string =>
  translate('{0, plural, one {# block} other {# blocks}}', count);

export const requests = (count: number): string =>
  translate('{0, plural, one {# request} other {# requests}}', count);

/** Rounded, because estimates have fractions. */
export const tokens = (count: number): string =>
  translate('{0, plural, one {# token} other {# tokens}}', Math.round(count));

export const turns = (count: number): string => translate('{0, plural, one {# turn} other {# turns}}', count);
