import { translate } from '../../src/core/base/translate';

export const wasteWords = {
  title: translate('Waste, and what to do'),
  loading: translate('Looking for what need not have been sent…'),
  nothing: translate('Nothing was found that need not have been sent.'),
  breaksApart: translate('Cache breaks not counted.'),
  kinds: translate('Kinds of waste that are shown'),
  hiddenKinds: (count: number): string =>
    translate('{0, plural, one {# kind} other {# kinds}} hidden', count),
  note: translate('Each kind can be hidden, in all sessions.'),
  show: (title: string): string => translate('Show the blocks: {0}', title),
  copyCode: (code: string): string => translate('Copy {0}', code),
  copyMarkdown: translate('Copy as Markdown'),
  copied: translate('Copied'),
  error: (percent: string): string => translate('± {0}', percent),
};
