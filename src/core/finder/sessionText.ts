import { requests as requestCount, tokens as tokenCount } from '../base/countWords';
import { formatBytes, formatMinute, formatShare } from '../base/format';
import { translate } from '../base/translate';
import { cutText } from '../base/visibleText';
import { labelOfText } from '../content/blockLabels';
import type { Gate } from '../sensitivity/gate';
import { lastName } from './pathPattern';
import type { SessionFile } from './sessionList';
import type { OutlineResult } from './sessionOutline';

/** Longest title in a list, in UTF-16 units. */
const longestTitle = 120;

/** The words of a session in a list. */
export interface SessionText {
  readonly title: string;
  /** Age, requests, size and fill, as far as they are known. */
  readonly description: string;
  /** Several lines of plain text. */
  readonly tooltip: string;
}

/**
 * @param now milliseconds since 1970
 * @param gate what every foreign text passes before it is cut to a line
 */
export async function describeSession(
  file: SessionFile,
  result: OutlineResult,
  now: number,
  gate: Gate,
): Promise<SessionText> {
  const outline = result.kind === 'session' ? result.outline : undefined;
  const last = outline?.lastTime ?? file.modified;
  const requests = outline === undefined ? '' : describeRequests(outline.requests, outline.isWhole);
  const fill = outline?.fill;
  const tokens = fill === undefined ? '' : tokenCount(fill.tokens);
  const share = fill?.window === undefined ? '' : formatShare(fill.tokens / fill.window);
  const shown = async (text = ''): Promise<string> => oneLine(await gate.text(text));
  const titleText = outline?.titleText;
  const ownTitle =
    titleText === undefined ? shown(outline?.title) : oneLine(labelOfText(await gate.text(titleText)));
  const title = (await ownTitle) || (await shown(lastName(file.path)));
  const tooltip = [
    title,
    [await shown(file.agent), await shown(outline?.model)].filter(isFilled).join(' · '),
    await shown(outline?.workingDirectory),
    [
      requests,
      formatBytes(file.size),
      share === '' ? tokens : translate('{0}, {1} of the window', tokens, share),
    ]
      .filter(isFilled)
      .join(' · '),
    [outline?.firstTime, last].flatMap(time => (time === undefined ? [] : formatMinute(time))).join(' – '),
    await shown(file.path),
  ];
  return {
    title,
    description: [describeAge(now - last), requests, formatBytes(file.size), share || tokens]
      .filter(isFilled)
      .join(' · '),
    tooltip: tooltip.filter(isFilled).join('\n'),
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

/** `5 min ago`, in the largest unit that fits. */
export function describeAge(milliseconds: number): string {
  const minutes = Math.floor(milliseconds / 60_000);
  const [hours, days] = [Math.floor(minutes / 60), Math.floor(minutes / 60 / 24)];
  if (minutes < 1) {
    return translate('now');
  }
  if (hours < 1) {
    return translate('{0} min ago', minutes);
  }
  if (days < 1) {
    return translate('{0} h ago', hours);
  }
  return days < 365 ? translate('{0} d ago', days) : translate('{0} y ago', Math.floor(days / 365));
}

/**
 * Foreign text on one short line. Control and format characters are removed, because they could hide parts of the text or
 * reverse the direction of what follows.
 */
export function oneLine(text: string): string {
  const line = text
    .slice(0, 4 * longestTitle)
    .replace(/\s+/g, ' ')
    .replace(/(?![\u200c\u200d])[\p{Cc}\p{Cf}]/gu, '')
    .trim();
  return line.length <= longestTitle ? line : `${cutText(line, longestTitle - 1)}…`;
}
