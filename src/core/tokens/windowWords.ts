import { formatNumber } from '../base/format';
import { translate } from '../base/translate';
import type { WindowSource } from '../model/contextWindow';

/** The sources of a context window. */
const windowSourceWords: Readonly<Record<WindowSource, string>> = {
  transcript: translate('Recorded in the transcript.'),
  header: translate('Requested by a header of the request.'),
  model: translate('Named in the model ID.'),
  session: translate('Derived from the largest request, or from the size at which the agent compacted.'),
  settings: translate('Set in your settings.'),
  table: translate('Usual window of this model. Not recorded in the transcript.'),
};

interface ShownWindow {
  readonly window: number | undefined | null;
  readonly windowSource: WindowSource | undefined | null;
  readonly otherWindow: number | undefined | null;
}

/** The window in words, or the two possible ones. */
export function windowText({ window, otherWindow }: ShownWindow): string {
  return otherWindow === undefined || otherWindow === null
    ? formatNumber(window ?? 0)
    : translate('{0} or {1}', formatNumber(window ?? 0), formatNumber(otherWindow));
}

/** The source of the window; empty if unknown. */
export function windowOrigin({ windowSource, otherWindow }: ShownWindow): string {
  const source = windowSource === undefined || windowSource === null ? '' : windowSourceWords[windowSource];
  return otherWindow === undefined || otherWindow === null
    ? source
    : translate(
        'The session does not show which of the two windows it had. The drawing uses the smaller one.',
      );
}
