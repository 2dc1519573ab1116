import { formatDateTime, formatDuration, formatNumber, formatShare } from '../base/format';
import { translate } from '../base/translate';
import type { QuotaWindow, RecordedQuota } from '../model/quota';

const minutesOf = { hour: 60, week: 10_080 } as const;
const milliseconds = 60_000;

function windowName(minutes: number): string {
  return minutes === minutesOf.week
    ? translate('weekly limit')
    : translate('{0}-hour limit', formatNumber(minutes / minutesOf.hour));
}

/**
 * The recorded limits, one sentence each. A window that has begun again since says so, and what is known of it with its
 * age.
 * @param now milliseconds since 1970
 */
export function quotaTexts({ at, windows }: RecordedQuota, now: number): readonly string[] {
  return windows.map(({ minutes, used, resetsAt }) => {
    const name = windowName(minutes);
    const recorded = at === undefined ? '' : `, ${translate('recorded {0}', formatDateTime(at))}`;
    if (resetsAt !== undefined && resetsAt <= now) {
      return `${translate('{0}: has begun again since; {1} were used', name, formatShare(used))}${recorded}`;
    }
    const rest =
      resetsAt === undefined
        ? ''
        : `, ${translate('begins again in {0}', formatDuration((resetsAt - now) / 1000))}`;
    const isOld = at !== undefined && now - at > minutesOf.hour * milliseconds;
    return `${translate('{0}: {1} used', name, formatShare(used))}${rest}${isOld ? recorded : ''}`;
  });
}

/** A window with its used share, as it was last recorded. */
export function quotaWindowText(agent: string, { minutes, used, resetsAt, at }: QuotaWindow): string {
  return translate(
    '{0}, {1} until {2}: {3} used, recorded {4}',
    agent,
    windowName(minutes),
    formatDateTime(resetsAt),
    formatShare(used),
    formatDateTime(at),
  );
}
