import { formatNumber } from '../../src/core/base/format';
import { translate } from '../../src/core/base/translate';

/** Words of the part What if of the page with the usage of all sessions. */
export const whatIfWords = {
  title: translate('What if'),
  settings: translate('Settings'),
  add: translate('Add a setting'),
  remove: (name: string): string => translate('Remove {0}', name),
  other: translate('Another value…'),
  valueOf: (name: string): string => translate('Value of {0}', name),
  notAValue: (text: string, form: string): string =>
    translate('{0} is not a value here. The form is {1}.', text, form),
  compute: translate('Compute'),
  search: translate('Find best settings'),
  hint: translate(
    'Choose settings to see what the sessions of this period would have cost with them. Each session is read again, so this takes a while.',
  ),
  progress: (done: number, total: number): string =>
    translate('Sessions: {0} of {1}', formatNumber(done), formatNumber(total)),
  stop: translate('Stop'),
  recorded: translate('Recorded'),
  changed: translate('Changed'),
  difference: translate('Difference'),
  interval: translate('Interval'),
  input: translate('Input tokens'),
  cacheReads: translate('Cache reads'),
  cacheWrites: translate('Cache writes'),
  sessions: translate('Sessions'),
  session: translate('Session'),
  untold: translate('Cannot be told'),
  notes: translate('What this rests on'),
  best: translate('Best settings'),
  bestSettings: translate('Settings'),
  lost: translate('Dropped, used later'),
  use: translate('Use'),
} as const;
