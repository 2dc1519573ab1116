import { formatNumber } from '../../src/core/base/format';
import { translate } from '../../src/core/base/translate';

/** Links count from 0, people from 1. */
export const placeWords = {
  copyLink: translate('Copy link'),
  noConversation: (index: number): string =>
    translate(
      'The link leads to conversation {0}, which is not in this transcript.',
      formatNumber(index + 1),
    ),
  noRequest: (index: number, count: number): string =>
    translate(
      'The link leads to request {0}, but this conversation has {1, plural, one {# request} other {# requests}}.',
      formatNumber(index + 1),
      count,
    ),
  noBlock: (index: number, count: number): string =>
    translate(
      'The link leads to block {0}, but this request has {1, plural, one {# block} other {# blocks}}.',
      formatNumber(index + 1),
      count,
    ),
  nothingToLink: translate('Nothing to link to: no request is shown.'),
} as const;
