import { formatNumber } from '../base/format';
import { translate } from '../base/translate';
import type { WindowSource } from '../model/contextWindow';

/** Where a context window is known from. */
const windowSourceWords: Readonly<Record<WindowSource, string>> = {
  transcript: translate('The transcript records this window.'),
  header: translate('A header of the request asks for this window.'),
  model: translate('The id of the model names this window.'),
  session: translate('The session shows this window: by its largest request, or where the agent compacted.'),
  settings: translate('Your settings name this window.'),
  table: translate('The model’s usual window; the transcript does not record one.'),
};

interface ShownWindow {
  readonly window: number | undefined | null;
  readonly windowSource: WindowSource | undefined | null;
  readonly otherWindow: number | undefined | null;
}

/** A window, or the two that are left, in words. */
export function windowText({ window, otherWindow }: ShownWindow): string {
  return otherWindow === undefined || otherWindow === null
    ? formatNumber(window ?? 0)
    : translate('{0} or {1}', formatNumber(window ?? 0), formatNumber(otherWindow));
}

/** Where it is known from; empty where it is not known. */
export function windowOrigin({ windowSource, otherWindow }: ShownWindow): string {
  const source = windowSource === undefined || windowSource === null ? '' : windowSourceWords[windowSource];
  return otherWindow === undefined || otherWindow === null
    ? source
    : translate('Nothing in the session shows which of the two windows it had. The smaller one is drawn.');
}
