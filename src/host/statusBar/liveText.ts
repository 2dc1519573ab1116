import { formatNumber, formatShare } from '../../core/base/format';
import { translate } from '../../core/base/translate';
import { figureNumber, figureShare, figureTokens } from '../../core/tokens/qualityWords';
import { quotaTexts } from '../../core/tokens/quotaWords';
import { costText } from '../../core/tokens/usageFigures';
import type { LiveStatus } from '../../protocol/sessionReading';

/** The texts for a session in the status bar. */
export interface LiveText {
  readonly icon: 'pulse' | 'warning';
  readonly text: string;
  readonly tooltip: readonly string[];
  readonly isWarning: boolean;
  /** True if the text counts seconds. */
  readonly isCounting: boolean;
}

/** Share of the input at which the agent compacts; if that is unknown, share of the window. */
const nearlyFull = 0.9;

/** @param now milliseconds since 1970 */
export function liveText(status: LiveStatus, now: number): LiveText {
  const { title, agent, model, tokens, window, cacheRead, coldAt, compactedAt, after } = status;
  const input = tokens.value;
  const fill = window === undefined ? figureTokens(tokens) : figureShare(tokens, window);
  const cost = costText({ money: status.cost, isLeast: status.isLeast, recorded: status.recordedCost });
  const left = coldAt === undefined ? undefined : Math.max(0, Math.ceil((coldAt - now) / 1000));
  const limit = compactedAt ?? window;
  const isWarning = limit !== undefined && input >= nearlyFull * limit;
  const warmth =
    left === undefined || cacheRead === undefined
      ? []
      : [left > 0 ? translate('cold in {0}', clock(left)) : translate('cold')];
  return {
    icon: isWarning ? 'warning' : 'pulse',
    text: [fill, ...(cost === '' ? [] : [cost]), ...warmth].join(' · '),
    tooltip: [
      title === '' ? agent : title,
      [agent, model].filter(part => part !== '').join(' · '),
      ...after,
      window === undefined
        ? translate('{0} in the context', figureTokens(tokens))
        : translate('{0} of {1} tokens', figureNumber(tokens), formatNumber(window)),
      ...(status.doubt === undefined ? [] : [status.doubt]),
      ...(cacheRead === undefined || input === 0
        ? []
        : [translate('{0} read from the cache', formatShare(cacheRead / input))]),
      ...(left === undefined
        ? []
        : [
            left > 0
              ? translate('Cache probably expires in {0} unless a request is sent', clock(left))
              : translate('Cache probably expired: the next request rewrites it'),
          ]),
      ...(isWarning
        ? [
            compactedAt === undefined
              ? translate('The window is nearly full')
              : translate('Compaction is near: the last one was at {0} tokens', formatNumber(compactedAt)),
          ]
        : []),
      ...(status.quota === undefined ? [] : quotaTexts(status.quota, now)),
      translate('Click to open the newest request'),
    ],
    isWarning,
    isCounting: left !== undefined && left > 0,
  };
}

/** `4:09`, with hours if needed. */
function clock(seconds: number): string {
  const parts = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60, seconds % 60];
  const [first, ...others] = parts[0] === 0 ? parts.slice(1) : parts;
  return [String(first), ...others.map(part => String(part).padStart(2, '0'))].join(':');
}
