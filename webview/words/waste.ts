import { translate } from '../../src/core/base/translate';

export const wasteWords = {
  title: translate('Waste and fixes'),
  loading: translate('Looking for waste…'),
  nothing: translate('No waste found.'),
  breaksApart: translate('Cache losses are not included.'),
  kinds: translate('Kinds of waste shown'),
  hiddenKinds: (count: number): string =>
    translate('{0, plural, one {# kind} other {# kinds}} hidden', count),
  note: translate('You can hide any kind, for all sessions.'),
  show: (title: string): string => translate('Show blocks: {0}', title),
  copyCode: (code: string): string => translate('Copy {0}', code),
  copyMarkdown: translate('Copy as Markdown'),
  copied: translate('Copied'),
  error: (percent: string): string => translate('± {0}', percent),
};
