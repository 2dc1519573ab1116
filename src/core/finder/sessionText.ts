import { requests as requestCount, tokens as tokenCount } from '../base/countWords';
import { formatBytes, formatMinute, formatShare } from '../base/format';
import { translate } from '../base/translate';
import { cutText } from '../base/visibleText';
import { labelOfText } from '../content/blockLabels';
import type { Gate } from '../sensitivity/gate';
import { withNamedMarks } from '../sensitivity/redactionMark';
import { otherAgent } from './agentLocations';
import { lastName } from '../base/pathPattern';
import type { SessionDescription } from './sessionDescription';
import type { SessionFile } from './sessionList';
import type { OutlineResult } from './sessionOutline';
import { lastUsed } from '../model/sessionTimes';

/** Longest title in a list, in UTF-16 units. */
const longestTitle = 120;

/** @param gate the gate for every foreign text before it is cut to a line */
export async function describeSession(
  file: SessionFile,
  result: OutlineResult,
  gate: Gate,
): Promise<SessionDescription> {
  const outline = result.kind === 'session' ? result.outline : undefined;
  const last = lastUsed(outline?.lastTime, file.modified);
  const requests = outline === undefined ? '' : describeRequests(outline.requests, outline.isWhole);
  const fill = outline?.fill;
  const tokens = fill === undefined ? '' : tokenCount(fill.tokens);
  const share = fill?.window === undefined ? '' : formatShare(fill.tokens / fill.window);
  const size = formatBytes(file.size);
  const named = async (text: string): Promise<string> => withNamedMarks(await gate.text(text));
  const shown = async (text = ''): Promise<string> => oneLine(await named(text));
  const titleText = outline?.titleText;
  const ownTitle =
    titleText === undefined ? shown(outline?.title) : oneLine(labelOfText(await named(titleText)));
  const title = (await ownTitle) || (await shown(lastName(file.path)));
  const agent = await shown(file.agent === otherAgent ? (outline?.agent ?? file.agent) : file.agent);
  const branch = await shown(outline?.branch);
  const tooltip = [
    title,
    [agent, await shown(outline?.model)].filter(isFilled).join(' · '),
    [await shown(outline?.workingDirectory), branch].filter(isFilled).join(' · '),
    [requests, size, share === '' ? tokens : translate('{0}, {1} of the window', tokens, share)]
      .filter(isFilled)
      .join(' · '),
    [outline?.firstTime, last].flatMap(time => (time === undefined ? [] : formatMinute(time))).join(' – '),
    await shown(file.path),
  ];
  return {
    title,
    agent,
    facts: [requests, size].filter(isFilled).join(' · '),
    lastUsed: last,
    tooltip: tooltip.filter(isFilled).join('\n'),
    ...(branch === '' ? {} : { branch }),
    ...(result.kind === 'foreign' ? { isForeign: true } : {}),
  };
}

function isFilled(text: string): boolean {
  return text !== '';
}

function describeRequests(count: number, isWhole: boolean): string {
  return isWhole
    ? requestCount(count)
    : translate('about {0, plural, one {# request} other {# requests}}', count);
}

const [minute, hour, day] = [60_000, 3_600_000, 86_400_000];

/**
 * The time since something happened, in the largest unit that fits: `now`, `4 min`, `2 h`, `yesterday`, `2 days`. Days
 * are those of the local calendar.
 * @param now milliseconds since 1970, as is `time`
 */
export function describeAge(now: number, time: number): string {
  const age = now - time;
  if (age < minute) {
    return translate('now');
  }
  if (age < hour) {
    return translate('{0} min', Math.floor(age / minute));
  }
  const days = Math.round((startOfDay(now) - startOfDay(time)) / day);
  if (days < 1 || age < day / 2) {
    return translate('{0} h', Math.floor(age / hour));
  }
  if (days === 1) {
    return translate('yesterday');
  }
  if (days < 14) {
    return translate('{0, plural, one {# day} other {# days}}', days);
  }
  if (days < 61) {
    return translate('{0, plural, one {# week} other {# weeks}}', Math.floor(days / 7));
  }
  return days < 730
    ? translate('{0, plural, one {# month} other {# months}}', Math.floor(days / 30.44))
    : translate('{0, plural, one {# year} other {# years}}', Math.floor(days / 365));
}

/** Periods of a list by time, from the newest to the oldest. */
export const agePeriods = ['today', 'yesterday', 'lastWeek', 'lastMonth', 'older'] as const;
export type AgePeriod = (typeof agePeriods)[number];

/** The period of a time, in days of the local calendar. Times that are yet to come are of today. */
export function agePeriod(now: number, time: number): AgePeriod {
  const days = Math.round((startOfDay(now) - startOfDay(time)) / day);
  if (days < 1) {
    return 'today';
  }
  if (days === 1) {
    return 'yesterday';
  }
  return days <= 7 ? 'lastWeek' : days <= 30 ? 'lastMonth' : 'older';
}

function startOfDay(time: number): number {
  return new Date(time).setHours(0, 0, 0, 0);
}

/**
 * Foreign text on one short line. Control and format characters are removed, because they could hide parts of the text
 * or reverse the direction of the text after them.
 */
export function oneLine(text: string): string {
  const line = text
    .slice(0, 4 * longestTitle)
    .replace(/\s+/g, ' ')
    .replace(/(?![\u200c\u200d])[\p{Cc}\p{Cf}]/gu, '')
    .trim();
  return line.length <= longestTitle ? line : `${cutText(line, longestTitle - 1)}…`;
}
